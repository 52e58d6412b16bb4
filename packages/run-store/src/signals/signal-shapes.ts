import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '@pawl/dag-core';

/** A signal to be sent. */
export interface SignalToSend {
  readonly workspaceId: string;
  readonly name: string;
  /** Tells apart who is meant; the empty text when nothing does. */
  readonly key: string;
  readonly payload: Json;
  /** Sent twice under one id, it is one signal. */
  readonly id: string;
  /** The only run that may take it. */
  readonly toRun?: string;
  /** `user:<name>`, `key:<name>`, `local`, or `run` with the run that sent it. */
  readonly by: string;
  readonly fromRun?: string;
}

/** What became of a signal. `duplicate`: this id was sent before. */
export interface SentSignal {
  readonly result: 'sent' | 'duplicate';
  readonly id: string;
  /** Who took it; absent while it is kept. */
  readonly takenBy?: { readonly runId: string; readonly path: string };
}

/** A signal that nobody has taken yet. Instants as ISO 8601 in UTC. */
export interface KeptSignal {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly by: string;
  readonly sentAt: string;
  /** When it is forgotten. */
  readonly expiresAt: string;
  readonly toRun?: string;
}

/** How long a signal is kept for somebody to wait for it, and its id after that. */
export const SIGNAL_KEPT_MS = 7 * 86_400_000;
/** Most signals of one name that are kept at once in a workspace. */
export const MOST_SIGNALS_KEPT = 10_000;
/** Largest payload, as JSON text. */
export const MOST_PAYLOAD_BYTES = 256 * 1024;
/** Longest key, in UTF-16 units. */
export const MOST_KEY_UNITS = 1_000;

/** True for a key that the database can hold: no NUL, no half of a character. */
export const isSignalKey = (key: string): boolean =>
  key.length <= MOST_KEY_UNITS && !key.includes('\u0000') && !/\p{Surrogate}/u.test(key);

/** Under which a signal is found by who waits for it: one text for workspace, name and key. */
export const waitKeyOf = (workspaceId: string, name: string, key: string): string =>
  createHash('sha256')
    .update(canonicalJson([workspaceId, name, key]))
    .digest('hex');

/** What makes two signals of one id the same. */
export const bodyHashOf = ({ name, key, payload, toRun }: SignalToSend): string =>
  createHash('sha256')
    .update(canonicalJson([name, key, payload, toRun ?? null]))
    .digest('hex');
