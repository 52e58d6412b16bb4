import type { Json, RecordedEvent } from '@pawl/dag-core';
import type { Pin } from '../editor/index.ts';

/** Longest JSON text that is pinned, in characters: it is saved with every edit. */
const PIN_LIMIT = 256 * 1_024;

export const isTooLargeToPin = (output: Json): boolean => JSON.stringify(output).length > PIN_LIMIT;

/** The output of a node run as one to pin, with the ports it left by. `events`: the node run's, in order. */
export function pinOf(
  output: Json,
  events: readonly { readonly type: string; readonly data: unknown }[],
): Pin {
  const ended = events.findLast(({ type }) => type === 'outcome.succeeded') as Succeeded | undefined;
  const ports = ended?.data.ports;
  return { output, ...(ports && { ports }) };
}

type Succeeded = Extract<RecordedEvent, { type: 'outcome.succeeded' }>;
