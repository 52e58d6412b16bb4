import { createHash, randomBytes } from 'node:crypto';

/** The secret of a session: 256 bits of chance, so that a fast hash is enough to keep. */
export const newSessionToken = (): string => randomBytes(32).toString('base64url');

/** What is stored of it. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex');
