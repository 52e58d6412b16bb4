import Table from 'cli-table3';
import type { Bundle } from './bundles.ts';
import type { Aim, Figure, Spread } from './samples.ts';

export interface Report {
  readonly figures: readonly Figure[];
  /** Empty when they were not asked for. */
  readonly bundles: readonly Bundle[];
}

/** The one JSON object that `--json` prints. */
export const jsonReport = (report: Report): string =>
  `${JSON.stringify(report, (_key, value) => (typeof value === 'number' ? rounded(value) : value))}\n`;

/** Tables for a person. */
export function tableReport({ figures, bundles }: Report): string {
  const parts: string[] = [];
  if (figures.length > 0)
    parts.push('Milliseconds (median of rounds)', figureTable(figures), meaningOf(figures));
  if (bundles.length > 0) parts.push('First load of each screen', bundleTable(bundles));
  return `${parts.join('\n')}\n`;
}

const style = { head: [], border: [] };

function figureTable(figures: readonly Figure[]): string {
  const table = new Table({
    head: ['measure', 'nodes', 'designer', 'bare', 'ratio', 'aim', 'reached', 'CPU per move', 'rounds'],
    style,
    colAligns: ['left', 'right', 'right', 'right', 'right', 'left', 'left', 'right', 'right'],
  });
  for (const { name, size, ours, bare, ratio, aim, isMet } of figures)
    table.push([
      name,
      size?.toLocaleString('en-US') ?? '',
      rangeOf(ours),
      bare ? rangeOf(bare) : '–',
      ratio === undefined ? '–' : `${ratio.toFixed(2)} ×`,
      aim ? aimText(aim) : '',
      isMet === undefined ? '' : isMet ? 'yes' : 'no',
      cpuOf(ours, bare),
      String(ours.rounds),
    ]);
  return table.toString();
}

const rangeOf = ({ median, min, max }: Spread): string => `${text(median)} (${text(min)}–${text(max)})`;
const aimText = (aim: Aim): string => ('ms' in aim ? `≤ ${aim.ms} ms` : `≤ ${aim.ratio} ×`);

function cpuOf(ours: Spread, bare: Spread | undefined): string {
  const [one, other] = [ours, bare].map((spread) => spread?.details?.cpuMsPerMove);
  return one === undefined ? '' : `${text(one)} / ${other === undefined ? '–' : text(other)}`;
}

/** One line for each measure. */
const meaningOf = (figures: readonly Figure[]): string =>
  [...new Map(figures.map(({ name, what }) => [name, `${name}: ${what}`])).values()].join('\n');

function bundleTable(bundles: readonly Bundle[]): string {
  const table = new Table({ head: ['screen', 'KB (gzip)'], style, colAligns: ['left', 'right'] });
  for (const { screen, bytes } of bundles) table.push([screen, (bytes / 1_024).toFixed(1)]);
  return table.toString();
}

/** Three significant digits; whole numbers from 100 on. */
const rounded = (value: number): number =>
  Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
const text = (value: number): string => rounded(value).toLocaleString('en-US', { maximumFractionDigits: 6 });
