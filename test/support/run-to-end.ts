import type { Client } from '@pawl/api';
import type { RecordedEvent } from '@pawl/dag-core';
import type { Pawl } from './pawl.ts';

/** Follows a run over its event stream until it has ended. */
export async function endOf(pawl: Pick<Pawl, 'client'>, runId: string) {
  const events: RecordedEvent[] = [];
  for await (const signal of pawl.client.runEvents(runId))
    if (signal.kind === 'event') events.push(signal.event);
  const run: Awaited<ReturnType<Client['getRun']>> = await pawl.client.getRun({ params: { runId } });
  return { run, events };
}
