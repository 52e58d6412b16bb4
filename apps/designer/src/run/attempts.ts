import { type EffectRecord, type Failure, foldEffects, type RecordedEvent } from '@pawl/dag-core';

/** How a try of a node run ended, as far as it has. */
export type AttemptEnd =
  | { readonly how: 'succeeded'; readonly at: number }
  | { readonly how: 'failed'; readonly at: number; readonly failure: Failure; readonly retryAt?: number }
  /** `reason` as {@link doubtOf} reads it. */
  | {
      readonly how: 'lost' | 'uncertain';
      readonly at: number;
      readonly reason: string;
      readonly message?: string;
    };

/** One try of a node run: what it sent, and how it ended. */
export interface AttemptRecord {
  readonly attempt: number;
  readonly effects: readonly EffectRecord[];
  readonly end?: AttemptEnd | undefined;
}

/** The tries that events of one node run tell of, the newest first; those of which there is nothing to tell are left out. */
export function attemptsOf(events: readonly RecordedEvent[]): AttemptRecord[] {
  const numbers = new Set(events.map(({ attempt }) => attempt).filter((attempt) => attempt > 0));
  const effects = foldEffects(events);
  return [...numbers]
    .sort((one, other) => other - one)
    .map((attempt) => ({
      attempt,
      effects: effects.filter((effect) => effect.attempt === attempt),
      end: endOf(events.filter((event) => event.attempt === attempt)),
    }))
    .filter((record) => record.effects.length > 0 || (record.end && record.end.how !== 'succeeded'));
}

function endOf(events: readonly RecordedEvent[]): AttemptEnd | undefined {
  let end: AttemptEnd | undefined;
  for (const event of events) {
    const { at } = event;
    switch (event.type) {
      case 'outcome.succeeded':
        end = { how: 'succeeded', at };
        break;
      case 'outcome.failed': {
        const { failure, retryAt } = event.data;
        end = { how: 'failed', at, failure, ...(retryAt !== undefined && { retryAt }) };
        break;
      }
      case 'attempt.lost':
        end = { how: event.data.next === 'uncertain' ? 'uncertain' : 'lost', at, reason: event.data.reason };
        break;
      case 'nodeRun.waiting':
        if (event.data.status === 'uncertain') end = { how: 'uncertain', at, ...doubtOf(event.data) };
    }
  }
  return end;
}

/** Why nobody knows, and what was heard last, where something was. */
function doubtOf({ reason, detail }: { readonly reason: string; readonly detail?: unknown }) {
  const { message } = (detail ?? {}) as { readonly message?: string };
  return { reason, ...(message !== undefined && { message }) };
}
