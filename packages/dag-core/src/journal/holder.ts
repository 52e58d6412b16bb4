import type { RecordedEvent } from './events.ts';

// Rules kept here: J10: whether an attempt may still send its effect, as far as the journal can tell.

/**
 * Who may still be about to send the effect of an attempt.
 *
 * @param events of its node run, in order
 * @returns the worker, unless the journal says that the attempt has ended; what became of a worker the journal cannot tell
 */
export function holderOf(events: Iterable<RecordedEvent>, attempt: number): string | undefined {
  let holder: string | undefined;
  for (const event of events) {
    if (event.attempt !== attempt) continue;
    switch (event.type) {
      case 'intent.recorded':
        holder = event.data.workerId;
        break;
      case 'attempt.lost':
        holder = event.data.ended ? undefined : event.data.workerId;
        break;
      case 'nodeRun.waiting':
      case 'outcome.late':
        if (!event.data.stillRuns) holder = undefined;
        break;
      case 'outcome.succeeded':
      case 'outcome.failed':
        if (event.data.settledBy === undefined) holder = undefined;
    }
  }
  return holder;
}
