import type { Doorbell } from './doorbells.ts';

/** The version this release writes and reads. A change of shape needs a new number (case C53). */
export const messageVersion = 1;

/** What lies in a queue job. Pairs instead of objects: a batch of 64 is a third smaller. */
export interface Message {
  readonly v: number;
  readonly b: readonly (readonly [runId: string, path: string])[];
}

/** A message as read: the doorbells, or why there are none. */
export type ReadMessage =
  | { readonly kind: 'bells'; readonly bells: Doorbell[] }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'unreadable' };

/** Packs doorbells for one queue job. */
export function writeMessage(bells: readonly Doorbell[]): Message {
  return { v: messageVersion, b: bells.map((bell) => [bell.runId, bell.path]) };
}

/** Unpacks what a queue job carries; never throws, because anything can lie in a shared queue. */
export function readMessage(data: unknown): ReadMessage {
  if (typeof data !== 'object' || data === null) return { kind: 'unreadable' };
  const { v, b } = data as { v?: unknown; b?: unknown };
  if (!Number.isInteger(v)) return { kind: 'unreadable' };
  if (v !== messageVersion) return { kind: 'newer', version: v as number };
  if (!Array.isArray(b) || !b.every(isPair)) return { kind: 'unreadable' };
  return { kind: 'bells', bells: b.map(([runId, path]) => ({ runId, path })) };
}

function isPair(value: unknown): value is [string, string] {
  return (
    Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'string'
  );
}
