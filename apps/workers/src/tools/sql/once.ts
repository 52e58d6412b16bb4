// Rules kept here (V2, V4, and how an idempotent tool keeps its word without help of the schema it writes to):
// Q1 In the database that is written to stands a table, pawl_effect, with one row for each effect that was committed there: its
//    key, a hash of what was asked for, and what came out.
// Q2 The row is written in the same transaction as the effect. So an effect happened if and only if its row is there.
// Q3 An effect whose row is there is not done again: what came out the first time is the answer. Of two attempts at once, the
//    second waits for the first.
// Q4 The same key with other arguments is refused: it would be another effect.
import { type Json, PermanentError } from '@pawl/tool-sdk';
import type pg from 'pg';
import { inTransaction, type TransactionParts } from './transaction.ts';

/** For whoever may not let the tool make it. */
const LEDGER_TABLE = `create table if not exists pawl_effect (
  key text primary key,
  request_hash text not null,
  result json,
  at timestamptz not null default now()
)`;

const UNDEFINED_TABLE = '42P01';

/** One effect: what names it, and what was asked for. */
export interface KeyedEffect {
  readonly key: string;
  readonly requestHash: string;
}

/**
 * Does work once for each key, in one transaction with the note of it (Q1–Q4). The table is made when it is not there.
 *
 * @returns what `work` gave, now or the first time
 * @throws {PermanentError} `sql_key_reused`, `sql_ledger_missing`; what `work` throws, and nothing was done then
 */
export async function once(
  parts: Omit<TransactionParts, 'mode'>,
  effect: KeyedEffect,
  work: (client: pg.PoolClient) => Promise<Json>,
): Promise<Json> {
  const attempt = (): Promise<Json> =>
    inTransaction({ ...parts, mode: 'read write' }, async (client) => {
      if (await noteBeginning(client, effect)) {
        const result = await work(client);
        await client.query('update pawl_effect set result = $2 where key = $1', [
          effect.key,
          JSON.stringify(result),
        ]);
        return result;
      }
      return await firstResult(client, effect);
    });
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof LedgerMissing)) throw error;
    await makeLedger(parts);
    return attempt();
  }
}

class LedgerMissing extends PermanentError {
  constructor() {
    super({ code: 'sql_ledger_missing', message: 'The table pawl_effect is not there.' });
  }
}

/** False when the effect happened before. Waits for another attempt that is doing it. */
async function noteBeginning(client: pg.PoolClient, { key, requestHash }: KeyedEffect): Promise<boolean> {
  try {
    const { rowCount } = await client.query(
      'insert into pawl_effect (key, request_hash) values ($1, $2) on conflict (key) do nothing',
      [key, requestHash],
    );
    return rowCount === 1;
  } catch (error) {
    throw (error as { code?: unknown }).code === UNDEFINED_TABLE ? new LedgerMissing() : error;
  }
}

async function firstResult(client: pg.PoolClient, { key, requestHash }: KeyedEffect): Promise<Json> {
  const { rows } = await client.query<{ request_hash: string; result: Json; at: Date }>(
    'select request_hash, result, at from pawl_effect where key = $1',
    [key],
  );
  const [first] = rows;
  if (first?.request_hash === requestHash) return first.result;
  throw new PermanentError({
    code: 'sql_key_reused',
    message: `The effect ${key} was done at ${first?.at.toISOString()} with other arguments. What it wrote stands; nothing was written now.`,
    detail: { key },
  });
}

/** Two workers may find the table missing at once; `if not exists` alone would let one of them fail. */
async function makeLedger({ ctx, pool, connection }: Omit<TransactionParts, 'mode'>): Promise<void> {
  try {
    await inTransaction({ ctx, pool, connection, mode: 'read write' }, async (client) => {
      await client.query("select pg_advisory_xact_lock(hashtext('pawl_effect'))");
      await client.query(LEDGER_TABLE);
    });
  } catch (cause) {
    if (!(cause instanceof PermanentError)) throw cause;
    throw new PermanentError({
      code: 'sql_ledger_missing',
      message: `${cause.message} The tool needs a table to note what it has done. Make it once, with select, insert and update for this role: ${LEDGER_TABLE.replaceAll(/\s+/g, ' ')};`,
      cause,
    });
  }
}
