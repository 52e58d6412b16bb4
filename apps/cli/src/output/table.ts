import Table from 'cli-table3';

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

export interface Column {
  readonly head: string;
  readonly align?: 'left' | 'right';
}

/**
 * Aligned columns without lines; the head is dim.
 *
 * @returns lines with a line end each; a row whose cells are all empty stays empty
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  dim: (text: string) => string,
): string {
  const aligned = new Table({
    chars: NO_LINES,
    colAligns: columns.map((column) => column.align ?? 'left'),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    head: columns.map((column) => dim(column.head)),
  });
  aligned.push(...rows.map((row) => [...row]));
  return `${aligned.toString().replace(/[ \t]+$/gm, '')}\n`;
}

/** Names and values, one pair per line, values aligned; pairs without a value are left out. */
export function pairs(
  entries: readonly (readonly [name: string, value: string | undefined])[],
  dim: (text: string) => string,
): string {
  const shown = entries.filter((entry): entry is readonly [string, string] => Boolean(entry[1]));
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${dim(name.padEnd(width))}  ${value}\n`).join('');
}
