import { holderOf, type Intent, type RecordedEvent } from '@pawl/dag-core';
import { resolveEventData } from '../artifacts/large-values.ts';
import type { HotPool } from '../hot-pool.ts';
import { findDoubt } from '../sql/find-doubt.ts';
import { findNewestEvents } from '../sql/find-newest-events.ts';
import { loadEvents } from '../sql/load-events.ts';
import { type MayStillSend, whoMayStillSend } from './may-still-send.ts';

/** An effect in doubt, for whoever asks its tool. */
export interface DoubtInWork {
  readonly intent: Intent;
  /** Since when, in milliseconds. */
  readonly ageMs: number;
  /** Who may still send it; absent: nobody. */
  readonly mayStillSend?: MayStillSend;
}

/** What is in doubt about a node run, and who may still send it; undefined when nothing is (any more). */
export async function doubtInWork(
  pool: HotPool,
  runId: string,
  path: string,
): Promise<DoubtInWork | undefined> {
  const doubt = await findDoubt(pool, runId, path);
  if (!doubt) return undefined;
  const { intentSeq, askedSeq, ageMs } = doubt;
  const [[intent, asked], [late]] = await Promise.all([
    loadEvents(pool, [
      { runId, seq: intentSeq },
      { runId, seq: askedSeq },
    ]),
    findNewestEvents(pool, [{ runId, path, type: 'outcome.late', after: intentSeq }]),
  ]);
  if (intent?.type !== 'intent.recorded' || !asked) return undefined;
  const events: RecordedEvent[] = [intent, asked, ...(late ? [late] : [])];
  const holder = holderOf(events, asked.attempt);
  const found = holder === undefined ? undefined : (await whoMayStillSend(pool, [holder])).get(holder);
  const { v: _v, clock: _clock, workerId: _worker, ...recorded } = await resolveEventData(pool, intent.data);
  return { intent: recorded, ageMs, ...(found && { mayStillSend: found }) };
}
