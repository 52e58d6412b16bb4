import { canonicalJson } from '@pawl/dag-core';
import type { KeptSignal, Page, SentSignal, SignalFilter, SignalToSend } from '@pawl/run-store';
import { refusal } from './refusal.ts';

const AT = '2026-01-02T03:04:05.000Z';

/** Signals of all workspaces in memory, which nobody takes. */
export class MemorySignals {
  readonly sent: SignalToSend[] = [];
  /** Most that are kept. */
  limit = Number.POSITIVE_INFINITY;

  send(signal: SignalToSend): SentSignal {
    const { id, workspaceId } = signal;
    const earlier = this.sent.find((each) => each.id === id && each.workspaceId === workspaceId);
    const bodyOf = ({ name, key, payload, toRun }: SignalToSend) =>
      canonicalJson([name, key, payload, toRun ?? null]);
    if (earlier && bodyOf(earlier) !== bodyOf(signal))
      throw refusal('signal_conflict', `The id ${id} was used for another signal. Use a new one.`);
    if (earlier) return { result: 'duplicate', id };
    if (this.sent.length >= this.limit)
      throw refusal('signals_full', 'Too many are kept. Try again.', {
        limit: this.limit,
        retryAfterMs: 60_000,
      });
    this.sent.push(signal);
    return { result: 'sent', id };
  }

  list(workspaceId: string, { name }: SignalFilter): Page<KeptSignal> {
    const items = this.sent
      .filter((each) => each.workspaceId === workspaceId && (name === undefined || each.name === name))
      .map(({ id, name: of, key, by }) => ({ id, name: of, key, by, sentAt: AT, expiresAt: AT }));
    return { items };
  }
}
