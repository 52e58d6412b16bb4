import { defineTool, type Json, type JsonObject, ToolInputError } from '@pawl/tool-sdk';
import { z } from 'zod';
import { oneCharacter } from './one-character.ts';

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/;

/** `csv.stringify@1`: rows as CSV. */
export const csvStringify = defineTool({
  name: 'csv.stringify',
  version: '1',
  title: 'Write CSV',
  description:
    'Turns rows (objects or lists) into CSV text (RFC 4180). Text is written as it is, null as nothing, everything else as JSON.',
  effect: 'pure',
  input: z
    .strictObject({
      rows: z.array(z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())])),
      columns: z
        .array(z.string())
        .min(1)
        .optional()
        .describe('Which members, in which order. Left out: those of the rows, in the order they appear.'),
      header: z.boolean().default(true).describe('Whether the first line names the columns.'),
      delimiter: oneCharacter.default(','),
      quote: oneCharacter.default('"'),
      quoteAll: z.boolean().default(false),
      lineEnd: z.enum(['\n', '\r\n']).default('\r\n'),
      byteOrderMark: z
        .boolean()
        .default(false)
        .describe('Lets some spreadsheets see that the text is UTF-8.'),
      escapeFormulas: z
        .boolean()
        .default(false)
        .describe("Puts ' before text that a spreadsheet would run as a formula."),
    })
    .refine(({ delimiter, quote }) => delimiter !== quote, { message: 'delimiter and quote must differ' }),
  output: z.string(),
  execute(ctx, args) {
    const { rows, delimiter, lineEnd } = args;
    const isLists = Array.isArray(rows[0]);
    const mixed = rows.findIndex((row) => Array.isArray(row) !== isLists);
    if (mixed >= 0) throw mixedRows(mixed, isLists);
    const columns = args.columns ?? (isLists ? undefined : columnsOf(rows as JsonObject[]));
    const write = cellWriter(args);
    const lines: string[] = [];
    if (args.header && columns !== undefined && columns.length > 0)
      lines.push(columns.map(write).join(delimiter));
    for (const [index, row] of rows.entries()) {
      if (index % 1_000 === 0) ctx.heartbeat();
      const cells = Array.isArray(row) ? row : (columns ?? []).map((name) => own(row as JsonObject, name));
      if (columns !== undefined && cells.length !== columns.length)
        throw otherLength(index, cells.length, columns);
      const line = (cells as Json[]).map(write).join(delimiter);
      // An empty line would be no row at all to many readers.
      lines.push(line === '' ? args.quote + args.quote : line);
    }
    return (args.byteOrderMark ? '\ufeff' : '') + lines.map((line) => line + lineEnd).join('');
  },
});

/** Every member of every row, in the order in which they first appear. */
function columnsOf(rows: readonly JsonObject[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}

const own = (row: JsonObject, name: string): Json => (Object.hasOwn(row, name) ? row[name]! : null);

function cellWriter(options: {
  readonly delimiter: string;
  readonly quote: string;
  readonly quoteAll: boolean;
  readonly escapeFormulas: boolean;
}): (value: Json) => string {
  const { delimiter, quote, quoteAll, escapeFormulas } = options;
  const needsQuotes = (text: string): boolean =>
    text.includes(delimiter) || text.includes(quote) || /[\r\n]|^\s|\s$/.test(text);
  return (value) => {
    const text = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
    const safe = escapeFormulas && typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
    return quoteAll || needsQuotes(safe) ? quote + safe.replaceAll(quote, quote + quote) + quote : safe;
  };
}

const otherLength = (index: number, cells: number, columns: readonly string[]): ToolInputError =>
  new ToolInputError({
    message: `Row ${index} has ${cells} cells, but there are ${columns.length} columns.`,
    issues: [{ pointer: `/rows/${index}`, message: `must have ${columns.length} cells` }],
  });

const mixedRows = (index: number, isLists: boolean): ToolInputError =>
  new ToolInputError({
    message: `Row ${index} is ${isLists ? 'an object' : 'a list'}, but the rows before are ${isLists ? 'lists' : 'objects'}. Give rows of one kind.`,
    issues: [{ pointer: `/rows/${index}`, message: isLists ? 'must be a list' : 'must be an object' }],
  });
