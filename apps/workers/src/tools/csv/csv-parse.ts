import { defineTool, type Json, PermanentError, type ToolContext, ToolInputError } from '@pawl/tool-sdk';
import { z } from 'zod';
import { artifactReference } from '../artifact-reference.ts';
import { decodeContent } from '../content.ts';
import { decodeText } from '../decode-text.ts';
import { readArtifact } from '../read-artifact.ts';
import { CELL_TYPES, type CellType, convertCell } from './convert-cell.ts';
import { detectDelimiter } from './detect-delimiter.ts';
import { oneCharacter } from './one-character.ts';
import { type CsvRecord, readRecords } from './read-records.ts';

/** Largest text. */
const MAX_BYTES = 16 * 1024 * 1024;
const DEFAULT_MAX_ROWS = 100_000;
const MAX_ROWS = 1_000_000;

const input = z
  .strictObject({
    text: z.string().optional(),
    artifact: artifactReference.optional().describe('Instead of text.'),
    charset: z.string().default('utf-8').describe('Of the artifact, for instance gbk.'),
    delimiter: z
      .union([z.literal('auto'), oneCharacter])
      .default(',')
      .describe('"auto" looks for , ; tab and |.'),
    quote: oneCharacter.default('"'),
    comment: oneCharacter.optional().describe('Lines that begin with it are left out.'),
    header: z
      .union([z.boolean(), z.array(z.string()).min(1)])
      .default(true)
      .describe('true: the first record names the columns; a list names them; false: rows are lists.'),
    types: z
      .record(z.string(), z.enum(CELL_TYPES))
      .default({})
      .describe('Columns that are not text. An empty cell is null then.'),
    ragged: z
      .enum(['fail', 'pad'])
      .default('fail')
      .describe('Records with too few cells: an error, or filled with empty text.'),
    skipEmptyLines: z.boolean().default(true),
    trim: z.boolean().default(false).describe('Takes spaces around cells away.'),
    maxRows: z
      .int()
      .min(1)
      .max(MAX_ROWS)
      .default(DEFAULT_MAX_ROWS)
      .describe('More rows than that are an error.'),
  })
  .refine(({ text, artifact }) => (text === undefined) !== (artifact === undefined), {
    message: 'give text or artifact, one of the two',
  });
type Args = z.output<typeof input>;

/** `csv.parse@1`: CSV as rows. */
export const csvParse = defineTool({
  name: 'csv.parse',
  version: '1',
  title: 'Read CSV',
  description:
    'Turns CSV (RFC 4180) from text or an artifact into rows: objects by column name, or lists. Cells stay text unless a type is given for their column.',
  effect: 'pure',
  input,
  output: z.strictObject({
    columns: z.array(z.string()).describe('Empty without a header.'),
    rows: z.array(z.unknown()),
    count: z.int(),
  }),
  async execute(ctx, args) {
    const bytes = await contentOf(ctx, args);
    if (bytes.byteLength > MAX_BYTES) throw tooLarge(bytes.byteLength);
    const text = Buffer.from(
      bytes.buffer,
      bytes.byteOffset,
      Math.min(bytes.byteLength, SAMPLE_BYTES),
    ).toString();
    const { quote, comment, skipEmptyLines, trim } = args;
    const delimiter = args.delimiter === 'auto' ? detectDelimiter(text, quote) : args.delimiter;
    if (delimiter === quote || delimiter === comment || quote === comment) throw sameCharacters();
    const format = { delimiter, quote, comment, skipEmptyLines, trim };
    let table: Table | undefined = Array.isArray(args.header) ? new Table(args.header, args) : undefined;
    const rows: Json[] = [];
    for await (const record of readRecords(bytes, format, () => ctx.heartbeat())) {
      if (args.header !== false && table === undefined) {
        table = new Table(record.cells, args);
        continue;
      }
      if (rows.length === args.maxRows) throw tooManyRows(args.maxRows);
      rows.push(table?.row(record) ?? [...record.cells]);
    }
    return { columns: [...(table?.columns ?? [])], rows, count: rows.length };
  },
});

const SAMPLE_BYTES = 64 * 1024;

async function contentOf(ctx: ToolContext, { text, artifact, charset }: Args): Promise<Uint8Array> {
  if (text !== undefined) return decodeContent(text, 'utf8', '/text');
  const bytes = await readArtifact(ctx, artifact!, MAX_BYTES);
  return Buffer.from(decodeText(bytes, charset, `Artifact ${artifact!.artifactId}`), 'utf8');
}

/** The columns of a text and what its records are made into. */
class Table {
  readonly columns: readonly string[];
  readonly #types: readonly CellType[];
  readonly #ragged: Args['ragged'];

  constructor(columns: readonly string[], { types, ragged }: Args) {
    const wrong = columns.find((name, at) => name === '__proto__' || columns.indexOf(name) !== at);
    if (wrong !== undefined) throw badHeader(wrong);
    const unknown = Object.keys(types).find((name) => !columns.includes(name));
    if (unknown !== undefined) throw unknownColumn(unknown, columns);
    this.columns = columns;
    this.#types = columns.map((name) => (Object.hasOwn(types, name) ? types[name]! : 'string'));
    this.#ragged = ragged;
  }

  row({ cells, line }: CsvRecord): Json {
    const { columns } = this;
    const isShort = cells.length < columns.length;
    if (cells.length > columns.length || (isShort && this.#ragged === 'fail')) {
      throw invalid(
        `the record on line ${line} has ${cells.length} cells, but there are ${columns.length} columns`,
      );
    }
    return Object.fromEntries(
      columns.map((name, at) => {
        const text = cells[at] ?? '';
        const value = convertCell(text, this.#types[at]!);
        if (value === undefined) {
          const shown = JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
          throw invalid(`${shown} on line ${line}, column ${JSON.stringify(name)}, is no ${this.#types[at]}`);
        }
        return [name, value];
      }),
    );
  }
}

const invalid = (problem: string): PermanentError =>
  new PermanentError({ code: 'csv_invalid', message: `The text is not CSV as described: ${problem}.` });

const badHeader = (name: string): PermanentError =>
  invalid(
    name === '__proto__'
      ? 'a column is called "__proto__", which no object can have'
      : `two columns are called ${JSON.stringify(name)}; name the columns yourself with a list as header`,
  );

const unknownColumn = (name: string, columns: readonly string[]): ToolInputError =>
  new ToolInputError({
    message: `There is no column ${JSON.stringify(name)} to give a type; there are ${columns.map((each) => JSON.stringify(each)).join(', ')}.`,
    issues: [{ pointer: '/types', message: `names the column ${JSON.stringify(name)}, which is not there` }],
  });

const sameCharacters = (): ToolInputError =>
  new ToolInputError({ message: 'Delimiter, quote and comment must be three different characters.' });

const tooManyRows = (limit: number): PermanentError =>
  new PermanentError({
    code: 'csv_too_many_rows',
    message: `The text has more than ${limit} rows. Raise maxRows (at most ${MAX_ROWS}) or give it in parts.`,
    detail: { limit },
  });

const tooLarge = (bytes: number): PermanentError =>
  new PermanentError({
    code: 'csv_too_large',
    message: `The text has ${bytes} bytes; at most ${MAX_BYTES} are read. Give it in parts.`,
    detail: { bytes, limit: MAX_BYTES },
  });
