import { splitTemplate } from '@pawl/dag-core';

/** `template`: text with expressions in double braces; `expression`: all of it is one; `code`: JavaScript, which reads the same names. */
export type Written = 'template' | 'expression' | 'code';

/** What somebody is about to write. */
export interface Wanted {
  /** Offset where the name that is being written begins. */
  readonly from: number;
  /** The names before it: `nodes.find.` is `['nodes', 'find']`, nothing is the beginning of an expression. */
  readonly path: readonly string[];
  /** What of the name is there. */
  readonly begun: string;
}

const NAME = '(?:[A-Za-z_][\\w]*|`[^`]*`)';
/** Names with their dots, and places in lists, up to the end. */
const CHAIN = new RegExp(
  `(${NAME}(?:\\[\\d+\\])?(?:\\s*\\.\\s*${NAME}(?:\\[\\d+\\])?)*\\s*\\.\\s*)?(\`[^\`]*|\\$?[A-Za-z_][\\w]*|\\$)?$`,
);

/** What is being written at an offset; undefined where no name can stand: in plain text, in a quoted string, behind a value. */
export function wantedAt(text: string, at: number, written: Written): Wanted | undefined {
  const before = text.slice(0, at);
  const start = written === 'template' ? beginOfExpression(before) : 0;
  if (start === undefined) return undefined;
  const source = before.slice(start);
  if (isQuoted(source)) return undefined;
  const [whole = '', chain = '', begun = ''] = CHAIN.exec(source) ?? [];
  const lead = source.slice(0, source.length - whole.length);
  if (/[.)\]`\w$]\s*$/.test(lead) && (whole === '' || /[.\w$`]$/.test(lead))) return undefined;
  const path = [...chain.matchAll(new RegExp(NAME, 'g'))].map(([name]) => name.replaceAll('`', ''));
  return { from: at - begun.length, path, begun };
}

/** Where the expression begins that is still open at the end of a text. */
function beginOfExpression(text: string): number | undefined {
  const { unclosedAt } = splitTemplate(text);
  return unclosedAt === undefined ? undefined : unclosedAt + 2;
}

/** Whether a text ends inside quotes. */
function isQuoted(source: string): boolean {
  let quote = '';
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at]!;
    if (quote === '') quote = char === '"' || char === "'" ? char : '';
    else if (char === '\\') at += 1;
    else if (char === quote) quote = '';
  }
  return quote !== '';
}
