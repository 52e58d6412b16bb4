import { defineTool, type Tool, ToolInputError } from '@pawl/tool-sdk';
import { z } from 'zod';
import { bigIntegers } from '../json/schemas.ts';
import type { SqlConnections } from './connections.ts';
import { readRows } from './read-rows.ts';
import { connectionName } from './schemas.ts';
import { inTransaction } from './transaction.ts';

/** What may stand at the beginning of a statement that reads. The transaction is what keeps it from writing. */
const READS =
  /^(?:\s|\(|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*(select|with|values|table|show|explain)\b/i;

/** `sql.query@1`: rows of a database, read in a transaction that cannot write. */
export const sqlQuery = (connections: SqlConnections): Tool =>
  defineTool({
    name: 'sql.query',
    version: '1',
    title: 'Query a database',
    description:
      'Runs one SELECT (or WITH, VALUES, TABLE, SHOW, EXPLAIN) on a configured PostgreSQL database, in a read-only transaction. Values go in as parameters $1, $2, …',
    effect: 'pure',
    input: z.strictObject({
      connection: connectionName,
      sql: z
        .string()
        .min(1)
        .max(100_000)
        .describe('One statement. Never put values into it; they are parameters.'),
      params: z
        .array(z.unknown())
        .max(1_000)
        .default([])
        .describe('Values of $1, $2, …; a list is an SQL array, an object is JSON.'),
      maxRows: z.int().min(1).max(100_000).default(1_000),
      maxBytes: z
        .int()
        .min(1)
        .max(32 * 1024 * 1024)
        .default(4 * 1024 * 1024),
      overflow: z
        .enum(['fail', 'cut'])
        .default('fail')
        .describe('What happens when there is more than that.'),
      bigIntegers,
    }),
    output: z.strictObject({
      columns: z.array(z.string()),
      rows: z.array(z.record(z.string(), z.unknown())),
      count: z.int(),
      isCut: z.boolean().describe('There was more.'),
    }),
    async execute(ctx, args) {
      const { connection, sql, params } = args;
      if (!READS.test(sql)) throw notAQuery();
      const pool = connections.pool(connection);
      const read = await inTransaction({ ctx, pool, connection, mode: 'read only' }, (client) =>
        readRows(client, { sql, params }, args, args.bigIntegers),
      );
      return {
        ...read,
        columns: [...read.columns],
        rows: read.rows as Record<string, unknown>[],
        count: read.rows.length,
      };
    },
    resources: ({ connection }) => ({ reads: [`sql:${connection}`] }),
  });

const notAQuery = (): ToolInputError =>
  new ToolInputError({
    message:
      'The statement must begin with SELECT, WITH, VALUES, TABLE, SHOW or EXPLAIN; to write, use sql.upsert.',
    issues: [{ pointer: '/sql', message: 'must be a statement that reads' }],
  });
