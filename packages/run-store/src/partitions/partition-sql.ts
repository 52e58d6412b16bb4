import {
  addMonths,
  defaultPartitionName,
  idBounds,
  type Month,
  monthOf,
  PARTITIONED_TABLES,
  type PartitionedTable,
  partitionName,
} from './month.ts';

/** Months kept ready after the current one, unless told otherwise. */
export const MONTHS_AHEAD = 2;

/** A partition that should exist. `month` absent: the default partition. */
export interface WantedPartition {
  readonly name: string;
  readonly table: PartitionedTable;
  readonly fillFactor: number;
  readonly month?: Month;
}

/** Every partition that should exist at an instant: previous month, current month, `monthsAhead` more, and the default. */
export function wantedPartitions(now: Date, monthsAhead: number): WantedPartition[] {
  const months = Array.from({ length: monthsAhead + 2 }, (_, index) => addMonths(monthOf(now), index - 1));
  return PARTITIONED_TABLES.flatMap(({ table, fillFactor }) => [
    { name: defaultPartitionName(table), table, fillFactor },
    ...months.map((month) => ({ name: partitionName(table, month), table, fillFactor, month })),
  ]);
}

/**
 * Statements that create one partition.
 *
 * The table is made beside its parent and then attached: that locks neither the parent nor the other months against
 * readers and writers. Rows of the month that the default partition caught move over in the same transaction, because
 * PostgreSQL refuses to attach a range the default partition holds rows of.
 */
export function createPartitionSql({ name, table, fillFactor, month }: WantedPartition): string[] {
  const create = `create table ${name} (like ${table} including all) with (fillfactor = ${fillFactor})`;
  if (!month) return [create, `alter table ${table} attach partition ${name} default`];
  const { from, to } = idBounds(month);
  const key = table === 'run' ? 'id' : 'run_id';
  const fallback = defaultPartitionName(table);
  return [
    create,
    `lock table ${fallback} in access exclusive mode`,
    `with moved as (
       delete from ${fallback}
       where ${key} >= '${from}' and ${key} < '${to}'
       returning *
     )
     insert into ${name} select * from moved`,
    `alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`,
  ];
}
