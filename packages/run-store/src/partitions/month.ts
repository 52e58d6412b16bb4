import { firstIdAt } from '../ids.ts';

/** The tables that are partitioned by run id, and how full their pages are packed (room for HOT updates of open work). */
export const PARTITIONED_TABLES = [
  { table: 'run', fillFactor: 70 },
  { table: 'node_run', fillFactor: 70 },
  { table: 'journal', fillFactor: 100 },
] as const;
export type PartitionedTable = (typeof PARTITIONED_TABLES)[number]['table'];

/** A calendar month in UTC. */
export interface Month {
  readonly year: number;
  /** 1 … 12 */
  readonly month: number;
}

/** The month an instant lies in. */
export function monthOf(instant: Date): Month {
  return { year: instant.getUTCFullYear(), month: instant.getUTCMonth() + 1 };
}

/** The month `count` months later, or earlier when negative. */
export function addMonths({ year, month }: Month, count: number): Month {
  return monthOf(new Date(Date.UTC(year, month - 1 + count, 1)));
}

/** Start of a month in epoch milliseconds. */
export function monthStartMs({ year, month }: Month): number {
  return Date.UTC(year, month - 1, 1);
}

/** Bounds of a month as ids: `from` inclusive, `to` exclusive. */
export function idBounds(month: Month): { readonly from: string; readonly to: string } {
  return { from: firstIdAt(monthStartMs(month)), to: firstIdAt(monthStartMs(addMonths(month, 1))) };
}

/** Name of a table's partition for a month, such as `run_p202611`. */
export function partitionName(table: PartitionedTable, { year, month }: Month): string {
  return `${table}_p${String(year).padStart(4, '0')}${String(month).padStart(2, '0')}`;
}

/** The month of a partition's name; undefined for the default partition and for names that are not ours. */
export function monthOfPartition(name: string): Month | undefined {
  const found = /_p(\d{4})(\d{2})$/.exec(name);
  return found ? { year: Number(found[1]), month: Number(found[2]) } : undefined;
}

/** Name of the partition that takes every id no month claims. */
export function defaultPartitionName(table: PartitionedTable): string {
  return `${table}_default`;
}
