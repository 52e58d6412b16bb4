import type { Failure, Json } from '@pawl/dag-core';
import { resolveEventData } from '../artifacts/large-values.ts';
import type { Orm } from '../entities/orm.ts';
import { isId } from '../ids.ts';
import { findRun } from '../queries/find-run.ts';
import type { EffectDetail, EffectRef } from './effect-shapes.ts';
import { effectSummary } from './effect-summary.ts';
import { getReceipt } from './find-receipts.ts';
import { loadEffects } from './load-effects.ts';

/** One effect with its arguments and what it gave; undefined when the workspace has none such (V14). */
export async function getEffect(
  orm: Orm,
  { runId: given, ...ref }: EffectRef,
): Promise<EffectDetail | undefined> {
  if (!isId(given) || !(ref.seq > 0 && ref.seq < 2 ** 31)) return undefined;
  const runId = given.toLowerCase();
  const run = await findRun(orm.fork(), { ...ref, runId });
  if (!run) return getReceipt(orm.pool, { ...ref, runId });
  const { rows } = await orm.pool.query<{ path: string }>(
    `select path from journal where run_id = $1 and seq = $2 and type = 'intent.recorded'`,
    [runId, ref.seq],
  );
  if (!rows[0]) return undefined;
  const place = { runId, seq: ref.seq, path: rows[0].path };
  const record = (await loadEffects(orm.pool, [place])).get(`${runId}/${ref.seq}`);
  if (!record) return getReceipt(orm.pool, { ...ref, runId });
  const [asked, gave, late] = await Promise.all(
    [record.seq, record.outcomeSeq, record.lateSeq].map((seq) => dataAt(orm, runId, seq)),
  );
  const lateAnswer = late && {
    ...(late.output !== undefined && { output: late.output }),
    ...(late.failure && { failure: late.failure }),
  };
  return {
    ...effectSummary(record, { flow: run.flowName, version: run.versionId }),
    ...(asked?.request !== undefined && { request: asked.request }),
    ...(gave?.output !== undefined && { output: gave.output }),
    ...(lateAnswer && { late: lateAnswer }),
  };
}

interface EffectData {
  readonly request?: Json;
  readonly output?: Json;
  readonly failure?: Failure;
}

async function dataAt(
  { pool }: Orm,
  runId: string,
  seq: number | undefined,
): Promise<EffectData | undefined> {
  if (seq === undefined) return undefined;
  const { rows } = await pool.query<{ data: string }>(
    'select data::text as data from journal where run_id = $1 and seq = $2',
    [runId, seq],
  );
  return rows[0] && resolveEventData(pool, JSON.parse(rows[0].data) as EffectData);
}
