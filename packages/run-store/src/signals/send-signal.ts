import { StoreError } from '../errors.ts';
import type { HotStore } from '../hot-store.ts';
import { findSignal, insertSignal } from '../sql/signals.ts';
import {
  bodyHashOf,
  MOST_PAYLOAD_BYTES,
  MOST_SIGNALS_KEPT,
  type SentSignal,
  SIGNAL_KEPT_MS,
  type SignalToSend,
  waitKeyOf,
} from './signal-shapes.ts';

/**
 * Sends a signal: keeps it, and looks for the node run that has waited longest for it. Sent again under its id it is the same
 * signal. One that nobody waits for is kept for seven days.
 *
 * @throws {StoreError} `signal_conflict`, `signals_full`, `signal_too_large`
 */
export async function sendSignal(store: HotStore, signal: SignalToSend): Promise<SentSignal> {
  const { workspaceId, id, name, key } = signal;
  const payload = JSON.stringify(signal.payload);
  const bytes = Buffer.byteLength(payload);
  if (bytes > MOST_PAYLOAD_BYTES)
    throw new StoreError('signal_too_large', { name, bytes, limitBytes: MOST_PAYLOAD_BYTES });
  const waitKey = waitKeyOf(workspaceId, name, key);
  const bodyHash = bodyHashOf(signal);
  const isNew = await insertSignal(
    store.pool,
    { ...signal, payload, waitKey, bodyHash },
    SIGNAL_KEPT_MS,
    MOST_SIGNALS_KEPT,
  );
  if (!isNew) {
    const earlier = await findSignal(store.pool, workspaceId, id);
    if (!earlier)
      throw new StoreError('signals_full', { name, limit: MOST_SIGNALS_KEPT, retryAfterMs: 60_000 });
    if (earlier.bodyHash !== bodyHash) throw new StoreError('signal_conflict', { id });
  }
  // The signal is kept; whether it is taken now or a little later makes no difference to its sender.
  await store.signals.look(waitKey).catch(() => store.signals.lookSoon([waitKey]));
  const { runId, path } = (await findSignal(store.pool, workspaceId, id)) ?? {};
  return { result: isNew ? 'sent' : 'duplicate', id, ...(runId && path && { takenBy: { runId, path } }) };
}
