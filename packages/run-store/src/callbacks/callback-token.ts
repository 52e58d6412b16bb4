import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '../ids.ts';

/** The attempt that a callback is about. */
export interface CallbackAbout {
  readonly runId: string;
  readonly path: string;
  readonly attempt: number;
}

/**
 * What an address of a callback ends with: run, attempt and path, signed. There is no row per token; what it may still decide is
 * read from its node run, and that a second one decides nothing from the journal.
 */
export function callbackToken(key: Buffer, { runId, path, attempt }: CallbackAbout): string {
  const about = Buffer.from(`${runId}.${attempt}.${path}`).toString('base64url');
  return `${about}.${signatureOf(key, about).toString('base64url')}`;
}

/** What a token is about; undefined when nobody here has made it. */
export function readCallbackToken(key: Buffer, token: string): CallbackAbout | undefined {
  const [about = '', signed = ''] = token.split('.');
  const given = Buffer.from(signed, 'base64url');
  const right = signatureOf(key, about);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  const [runId = '', attempt = '', ...path] = Buffer.from(about, 'base64url').toString('utf8').split('.');
  return isId(runId) ? { runId, attempt: Number(attempt), path: path.join('.') } : undefined;
}

const signatureOf = (key: Buffer, about: string): Buffer => createHmac('sha256', key).update(about).digest();
