import { createHash } from 'node:crypto';
import { canonicalJson } from '@pawl/dag-core';
import { defineTool, type Json, type Tool, ToolInputError } from '@pawl/tool-sdk';
import type pg from 'pg';
import { z } from 'zod';
import type { SqlConnections } from './connections.ts';
import { once } from './once.ts';
import { AS_TEXT, type Column, rowOf } from './read-value.ts';
import { columnName, connectionName, quoted, quotedTable, tableName } from './schemas.ts';

const MAX_ROWS = 10_000;

const input = z.strictObject({
  connection: connectionName,
  table: tableName,
  rows: z
    .array(z.record(columnName, z.unknown()))
    .max(MAX_ROWS)
    .describe('Columns and their values; every row has the same columns.'),
  conflict: z
    .array(columnName)
    .default([])
    .describe(
      'The columns of a unique index: rows that are there already are updated. Left out: rows are inserted.',
    ),
  update: z
    .array(columnName)
    .optional()
    .describe(
      'Which columns are updated then; default: all but those of conflict. [] leaves such rows as they are.',
    ),
  returning: z.array(columnName).default([]).describe('Columns to give back of each row that was written.'),
});
type Args = z.output<typeof input>;

/** `sql.upsert@1`: rows written once for each effect, whatever happens to the worker. */
export const sqlUpsert = (connections: SqlConnections): Tool =>
  defineTool({
    name: 'sql.upsert',
    version: '1',
    title: 'Write rows to a database',
    description:
      'Inserts rows into a table of a configured PostgreSQL database, or updates those that are there. All of them or none, and once: the key of the effect is noted in the same transaction (table pawl_effect).',
    effect: 'idempotent',
    input,
    output: z.strictObject({
      written: z.int().describe('Rows inserted or updated.'),
      skipped: z.int().describe('Rows left as they were.'),
      rows: z.array(z.record(z.string(), z.unknown())).describe('What returning asks for.'),
    }),
    async execute(ctx, args) {
      const columns = columnsOf(args);
      const { connection } = args;
      const pool = connections.pool(connection);
      const effect = { key: ctx.idempotencyKey, requestHash: hashOf(args) };
      if (args.rows.length === 0) return { written: 0, skipped: 0, rows: [] };
      return (await once({ ctx, pool, connection }, effect, (client) =>
        write(client, args, columns),
      )) as Written;
    },
    resources: ({ connection, table }) => ({ writes: [`sql:${connection}/${table}`] }),
  });

type Written = { written: number; skipped: number; rows: Record<string, unknown>[] };

const hashOf = (args: Args): string =>
  createHash('sha256')
    .update(canonicalJson(args as Json))
    .digest('hex');

function columnsOf({ rows, conflict, update, returning }: Args): string[] {
  const columns = Object.keys(rows[0] ?? {});
  const refuse = (pointer: string, message: string): never => {
    throw new ToolInputError({
      message: `The rows cannot be written: ${pointer} ${message}.`,
      issues: [{ pointer, message }],
    });
  };
  if (rows.length > 0 && columns.length === 0) refuse('/rows/0', 'has no columns');
  const other = rows.findIndex(
    (row) => Object.keys(row).length !== columns.length || !columns.every((name) => Object.hasOwn(row, name)),
  );
  if (other >= 0) refuse(`/rows/${other}`, `must have the columns of the first row: ${columns.join(', ')}`);
  if (update !== undefined && conflict.length === 0)
    refuse('/update', 'needs conflict: without it rows are only inserted');
  const unknown = (update ?? []).findIndex((name) => !columns.includes(name));
  if (rows.length > 0 && unknown >= 0) refuse(`/update/${unknown}`, 'is no column of the rows');
  const twice = returning.findIndex((name, at) => name === '__proto__' || returning.indexOf(name) !== at);
  if (twice >= 0) refuse(`/returning/${twice}`, 'is given twice, or no name for a member');
  return columns;
}

/** One statement, whatever the number of rows; the table's own types read the values. */
async function write(client: pg.PoolClient, args: Args, columns: readonly string[]): Promise<Json> {
  const table = quotedTable(args.table);
  const names = columns.map(quoted);
  const returning = args.returning.length > 0 ? args.returning.map(quoted).join(', ') : '1';
  const text = `insert into ${table} (${names.join(', ')})
    select ${names.map((name) => `given.${name}`).join(', ')}
    from json_populate_recordset(null::${table}, $1::json) as given
    ${conflictClause(args, columns)}
    returning ${returning}`;
  const { rows, fields } = await client.query<(string | null)[]>({
    text,
    values: [JSON.stringify(args.rows)],
    rowMode: 'array',
    types: AS_TEXT,
  });
  const read = fields.map(({ name, dataTypeID }): Column => ({ name, typeId: dataTypeID }));
  return {
    written: rows.length,
    skipped: args.rows.length - rows.length,
    rows: args.returning.length > 0 ? rows.map((row) => rowOf(row, read, 'strings')) : [],
  };
}

function conflictClause({ conflict, update }: Args, columns: readonly string[]): string {
  if (conflict.length === 0) return '';
  const target = conflict.map(quoted).join(', ');
  const changed = update ?? columns.filter((name) => !conflict.includes(name));
  if (changed.length === 0) return `on conflict (${target}) do nothing`;
  const sets = changed.map((name) => `${quoted(name)} = excluded.${quoted(name)}`);
  return `on conflict (${target}) do update set ${sets.join(', ')}`;
}
