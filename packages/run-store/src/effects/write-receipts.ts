import { createHash } from 'node:crypto';
import { EFFECT_EVENTS, type EffectRecord, foldEffects, type Json, type RecordedEvent } from '@pawl/dag-core';
import type { Pool } from 'pg';
import { type IntentPlace, loadEffectEvents, loadStarters } from './load-effects.ts';

// What is known of effects is written down without payloads before retention drops their journals, so that the effect log still
// answers. The journal of a month is read once, whatever the number of its runs: its places in the order of node runs through a
// cursor, the events page by page. So memory is bounded by the effects of one node run.

export interface ReceiptOptions {
  /** Places read by one fetch. Default 500: their outputs lie in memory. */
  readonly batch?: number;
  /** Ends the work between two batches; what was written stays, and is written over by the next call. */
  readonly signal?: AbortSignal;
}

/**
 * Writes the receipts of every effect in a partition of the journal. Doing it again changes nothing.
 *
 * @returns how many receipts there are
 */
export async function writeReceipts(
  pool: Pool,
  partition: string,
  { batch = 500, signal }: ReceiptOptions = {},
): Promise<number> {
  let written = 0;
  for await (const events of effectsIn(pool, partition, batch)) {
    if (signal?.aborted) break;
    const receipts = await receiptsOf(pool, events);
    await insert(pool, receipts);
    written += receipts.length;
  }
  return written;
}

/** Events that tell of effects, by run, whole node runs at a time. */
async function* effectsIn(
  pool: Pool,
  partition: string,
  batch: number,
): AsyncGenerator<Map<string, RecordedEvent[]>> {
  let held: IntentPlace[] = [];
  for await (const places of placesIn(pool, partition, batch)) {
    const { runId, path } = places.at(-1)!;
    const cut = places.findLastIndex((place) => place.runId !== runId || place.path !== path) + 1;
    const whole = [...held, ...places.slice(0, cut)];
    const isSame = held.length > 0 && cut === 0;
    held = isSame ? [...held, ...places] : places.slice(cut);
    if (!isSame && whole.length > 0) yield loadEffectEvents(pool, whole);
  }
  if (held.length > 0) yield loadEffectEvents(pool, held);
}

/** Places of events of node runs that sent something, in the order of runs, paths and numbers. */
async function* placesIn(pool: Pool, partition: string, batch: number): AsyncGenerator<IntentPlace[]> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
    // The pool of an engine is set up for many small statements.
    for (const setting of [
      'statement_timeout = 0',
      'idle_in_transaction_session_timeout = 0',
      'enable_seqscan = on',
      'enable_hashjoin = on',
    ])
      await client.query(`set local ${setting}`);
    const words = EFFECT_EVENTS.map((type) => `'${type}'`).join(', ');
    await client.query(
      `declare places no scroll cursor for
       select j.run_id as "runId", j.seq, j.path from ${partition} j
       where j.type in (${words})
         and (j.run_id, j.path) in (select i.run_id, i.path from ${partition} i where i.type = 'intent.recorded')
       order by j.run_id, j.path, j.seq`,
    );
    for (;;) {
      const { rows } = await client.query<IntentPlace>(`fetch ${batch} from places`);
      if (rows.length > 0) yield rows;
      if (rows.length < batch) return;
    }
  } finally {
    await client.query('rollback').catch((error: Error) => {
      broken = error;
    });
    client.release(broken);
  }
}

/** An effect as it is kept; instants that the journal has are taken from there. */
type Receipt = Record<string, unknown>;

async function receiptsOf(pool: Pool, byRun: ReadonlyMap<string, RecordedEvent[]>): Promise<Receipt[]> {
  const starters = await loadStarters(pool, [...byRun.keys()]);
  return [...byRun].flatMap(([runId, events]) => {
    const outcomes = new Map(events.map((event) => [event.seq, event]));
    return foldEffects(events).map((record) => receiptOf(runId, record, outcomes, starters.get(runId)));
  });
}

function receiptOf(
  runId: string,
  record: EffectRecord,
  outcomes: ReadonlyMap<number, RecordedEvent>,
  startedBy: string | undefined,
): Receipt {
  const outcome = record.outcomeSeq === undefined ? undefined : outcomes.get(record.outcomeSeq);
  return {
    run_id: runId,
    seq: record.seq,
    path: record.path,
    attempt: record.attempt,
    call: record.call,
    effect: record.effect,
    target: record.target,
    key: record.key,
    request_hash: record.requestHash,
    worker_id: record.workerId,
    status: record.status,
    ended_ms: record.endedAt,
    late_ms: record.lateAt,
    is_doubt: record.isDoubt,
    failure_code: record.failure?.code,
    failure_class: record.failure?.class,
    output_hash: outcome && outputHash(outcome),
    effect_id: record.effectId,
    cost_nano_usd: record.costNanoUsd,
    tokens: record.tokens,
    started_by: startedBy,
    settled_by: record.settledBy,
    settled_as: record.settledAs,
  };
}

/** SHA-256 (hex) of the JSON text of what an effect gave. */
function outputHash({ data }: RecordedEvent): string | undefined {
  const { output, outputRef } = data as { output?: Json; outputRef?: { hash: string } };
  if (outputRef) return outputRef.hash;
  return output === undefined ? undefined : createHash('sha256').update(JSON.stringify(output)).digest('hex');
}

/** Columns of a receipt that come from its journal, and their types. */
const COLUMNS = `run_id uuid, seq int, path text, attempt int, call int, effect text, target text, key text, request_hash text,
  worker_id text, status text, ended_ms float8, late_ms float8, is_doubt boolean, failure_code text, failure_class text,
  output_hash text, effect_id text, cost_nano_usd bigint, tokens bigint, started_by text, settled_by text, settled_as text`;

async function insert(pool: Pool, receipts: readonly Receipt[]): Promise<void> {
  if (receipts.length === 0) return;
  await pool.query(
    `insert into effect_receipt (run_id, seq, workspace_id, flow_name, version_id, path, attempt, call, effect, target, key,
       request_hash, worker_id, at, status, ended_at, late_at, is_doubt, failure_code, failure_class, output_hash, effect_id,
       cost_nano_usd, tokens, started_by, settled_by, settled_as)
     select e.run_id, e.seq, r.workspace_id, r.flow_name, r.version_id, e.path, e.attempt, e.call, e.effect, e.target, e.key,
       e.request_hash, e.worker_id, j.at, e.status, to_timestamp(e.ended_ms / 1000), to_timestamp(e.late_ms / 1000), e.is_doubt,
       e.failure_code, e.failure_class, e.output_hash, e.effect_id, e.cost_nano_usd, e.tokens, e.started_by, e.settled_by,
       e.settled_as
     from json_to_recordset($1) as e(${COLUMNS})
     join run r on r.id = e.run_id
     join journal j on j.run_id = e.run_id and j.seq = e.seq
     on conflict (run_id, seq) do update set
       status = excluded.status, ended_at = excluded.ended_at, late_at = excluded.late_at`,
    [JSON.stringify(receipts, withoutNul)],
  );
}

/** PostgreSQL keeps no NUL in a text. */
const withoutNul = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\u0000', '') : value;
