import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '@pawl/dag-core';

/** What a service says about a call that it took. */
export type CallbackBody =
  | { readonly result: Json }
  | { readonly failure: { readonly message: string; readonly code?: string; readonly retryable?: boolean } };

/** SHA-256 (hex) of an attempt and what was said about it: the same said again changes nothing (T22). */
export const wordHash = (attempt: number, body: CallbackBody): string =>
  createHash('sha256')
    .update(canonicalJson([attempt, body as unknown as Json]))
    .digest('hex');
