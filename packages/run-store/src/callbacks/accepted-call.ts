import type { Intent, Json } from '@pawl/dag-core';
import { resolveEventData } from '../artifacts/large-values.ts';
import type { HotPool } from '../hot-pool.ts';
import { findPolledCall } from '../sql/find-polled-call.ts';
import { loadEvents } from '../sql/load-events.ts';

/** A call that its service took, for whoever asks how it stands. */
export interface AcceptedInWork {
  readonly intent: Intent;
  readonly attempt: number;
  /** When that was recorded, epoch milliseconds. */
  readonly acceptedAt: number;
  /** What the service gave to ask with. */
  readonly reference?: Json;
}

/** The call of a node run whose tool is asked how it stands (T23); undefined when nobody waits for it any more. */
export async function acceptedInWork(
  pool: HotPool,
  runId: string,
  path: string,
): Promise<AcceptedInWork | undefined> {
  const call = await findPolledCall(pool, runId, path);
  if (!call) return undefined;
  const events = await loadEvents(pool, [
    { runId, seq: call.intentSeq },
    { runId, seq: call.acceptedSeq },
  ]);
  const intent = events.find(({ seq }) => seq === call.intentSeq);
  const accepted = events.find(({ seq }) => seq === call.acceptedSeq);
  if (intent?.type !== 'intent.recorded' || accepted?.type !== 'nodeRun.waiting') return undefined;
  const { v: _v, clock: _clock, workerId: _worker, ...recorded } = await resolveEventData(pool, intent.data);
  const { attempt, at, data } = accepted;
  const reference = data.poll?.reference;
  return { intent: recorded, attempt, acceptedAt: at, ...(reference !== undefined && { reference }) };
}
