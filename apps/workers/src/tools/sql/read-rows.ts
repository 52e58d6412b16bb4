import { type Json, PermanentError, ToolError } from '@pawl/tool-sdk';
import type pg from 'pg';
import Cursor from 'pg-cursor';
import { AS_TEXT, type BigIntegers, type Column, rowOf } from './read-value.ts';

/** What is read of a statement at most, and what happens when there is more. */
export interface RowLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly overflow: 'fail' | 'cut';
}

export interface ReadRows {
  readonly columns: readonly string[];
  readonly rows: Json[];
  /** There was more. */
  readonly isCut: boolean;
}

type RawRow = (string | null)[];

/** Rows asked for at a time. */
const BATCH = 200;

/**
 * Runs one statement through a portal, so that the server makes no more rows than are wanted, and reads them into JSON.
 * One statement only: text with a second one is refused by the server.
 *
 * @throws {PermanentError} `sql_too_many_rows`, `sql_result_too_large`, `sql_columns`, and what {@link readValue} throws
 */
export async function readRows(
  client: pg.ClientBase,
  statement: { readonly sql: string; readonly params: readonly unknown[] },
  limits: RowLimits,
  bigIntegers: BigIntegers,
): Promise<ReadRows> {
  const cursor = client.query(
    new Cursor<RawRow>(statement.sql, [...statement.params], { rowMode: 'array', types: AS_TEXT }),
  );
  try {
    return await readAll(cursor, limits, bigIntegers);
  } catch (error) {
    // After an error of the server the portal is gone already.
    if (ToolError.is(error)) await cursor.close();
    throw error;
  }
}

async function readAll(
  cursor: Cursor<RawRow>,
  limits: RowLimits,
  bigIntegers: BigIntegers,
): Promise<ReadRows> {
  const rows: Json[] = [];
  let columns: Column[] | undefined;
  let bytes = 0;
  for (;;) {
    const batch = await readBatch(cursor, Math.min(BATCH, limits.maxRows + 1 - rows.length));
    columns ??= columnsOf(batch.fields);
    const names = columns.map(({ name }) => name);
    if (batch.rows.length === 0) return { columns: names, rows, isCut: false };
    for (const raw of batch.rows) {
      bytes += sizeOf(raw);
      const isTooLarge = bytes > limits.maxBytes;
      if (isTooLarge || rows.length === limits.maxRows) {
        if (limits.overflow === 'fail') throw isTooLarge ? tooLarge(limits) : tooMany(limits);
        await cursor.close();
        return { columns: names, rows, isCut: true };
      }
      rows.push(rowOf(raw, columns, bigIntegers));
    }
  }
}

function readBatch(
  cursor: Cursor<RawRow>,
  count: number,
): Promise<{ readonly rows: readonly RawRow[]; readonly fields: readonly pg.FieldDef[] }> {
  return new Promise((resolve, reject) => {
    cursor.read(count, (error: Error | undefined, rows: RawRow[], result: pg.QueryResult) => {
      if (error) reject(error);
      else resolve({ rows, fields: result?.fields ?? [] });
    });
  });
}

function columnsOf(fields: readonly pg.FieldDef[]): Column[] {
  const names = fields.map(({ name }) => name);
  const wrong = names.find((name, at) => name === '__proto__' || names.indexOf(name) !== at);
  if (wrong !== undefined) {
    throw new PermanentError({
      code: 'sql_columns',
      message: `The result has ${wrong === '__proto__' ? 'a column' : 'two columns'} called ${JSON.stringify(wrong)}. Give each a name of its own with "as".`,
    });
  }
  return fields.map(({ name, dataTypeID }) => ({ name, typeId: dataTypeID }));
}

const sizeOf = (row: RawRow): number => row.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);

const tooMany = ({ maxRows }: RowLimits): PermanentError =>
  new PermanentError({
    code: 'sql_too_many_rows',
    message: `The statement gives more than ${maxRows} rows. Add a limit to it, raise maxRows, or set overflow to "cut".`,
    detail: { maxRows },
  });

const tooLarge = ({ maxBytes }: RowLimits): PermanentError =>
  new PermanentError({
    code: 'sql_result_too_large',
    message: `The rows of the statement have more than ${maxBytes} bytes. Select fewer columns or rows, raise maxBytes, or set overflow to "cut".`,
    detail: { maxBytes },
  });
