import Table from 'cli-table3';
import { COUNTED, type Result } from './result.ts';

/** Limits of the machine, measured in the same run: operations per second by name. */
export type RawLimits = Readonly<Record<string, number>>;

/** The one JSON object that `--json` prints. */
export function jsonReport(raw: RawLimits, results: readonly Result[]): string {
  return `${JSON.stringify({ raw, results }, (_key, value) => (typeof value === 'number' ? rounded(value) : value))}\n`;
}

/** Tables for a person. */
export function tableReport(raw: RawLimits, results: readonly Result[]): string {
  const parts: string[] = [];
  if (results.length > 0) parts.push('Workloads (median of rounds)', resultTable(results));
  const notes = results.filter((result) => result.note).map((r) => `${r.workload} (${r.backend}): ${r.note}`);
  if (notes.length > 0) parts.push(notes.join('\n'));
  if (results.some((result) => result.cpuByProcess))
    parts.push('CPU seconds per 1,000 node runs', cpuTable(results));
  if (Object.keys(raw).length > 0) parts.push('Limits of this machine, per second', rawTable(raw));
  return `${parts.join('\n')}\n`;
}

const style = { head: [], border: [] };
const right = (count: number) => Array.from({ length: count }, () => 'right' as const);

function resultTable(results: readonly Result[]): string {
  const table = new Table({
    head: ['workload', 'backend', 'median', 'min', 'max', 'unit', 'rounds'],
    style,
    colAligns: ['left', 'left', ...right(3), 'left', 'right'],
  });
  for (const { workload, backend, unit, median, min, max, rounds } of results)
    table.push([workload, backend, text(median), text(min), text(max), unit, String(rounds)]);
  return table.toString();
}

function cpuTable(results: readonly Result[]): string {
  const table = new Table({
    head: ['workload', 'backend', 'total', ...COUNTED],
    style,
    colAligns: ['left', 'left', ...right(1 + COUNTED.length)],
  });
  for (const { workload, backend, cpuSecondsPer1000, cpuByProcess } of results) {
    if (!cpuByProcess) continue;
    const cells = COUNTED.map((name) => (cpuByProcess[name] === undefined ? '–' : text(cpuByProcess[name])));
    table.push([workload, backend, cpuSecondsPer1000 === null ? '–' : text(cpuSecondsPer1000), ...cells]);
  }
  return table.toString();
}

function rawTable(raw: RawLimits): string {
  const table = new Table({ head: ['limit', 'per second'], style, colAligns: ['left', 'right'] });
  for (const [name, value] of Object.entries(raw)) table.push([name, text(value)]);
  return table.toString();
}

/** Three significant digits at least; whole numbers from 100 on. */
const rounded = (value: number): number =>
  Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
const text = (value: number): string => rounded(value).toLocaleString('en-US', { maximumFractionDigits: 6 });
