import { SESSION_COOKIE } from '@pawl/api';
import type { FastifyRequest } from 'fastify';

/** The token in a Cookie header; undefined when there is none that could be one. */
export function sessionTokenOf(header: string | undefined): string | undefined {
  const [, token] = PATTERN.exec(header ?? '') ?? [];
  return token;
}

const PATTERN = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([\\w-]{43})(?:;|$)`);

/**
 * The Set-Cookie that gives a browser its session: no script can read it, no page of another site can send it, and where the page came by
 * TLS it goes by TLS only.
 */
export const sessionCookie = (token: string, lastsMs: number, request: FastifyRequest): string =>
  `${SESSION_COOKIE}=${token}; Max-Age=${Math.floor(lastsMs / 1_000)}${attributes(request)}`;

/** The Set-Cookie that takes it away. */
export const noSessionCookie = (request: FastifyRequest): string =>
  `${SESSION_COOKIE}=; Max-Age=0${attributes(request)}`;

/** The origin is what the browser itself says of the page, so that TLS before a proxy is seen without being told. */
function attributes({ headers, protocol }: FastifyRequest): string {
  const isTls = protocol === 'https' || headers.origin?.startsWith('https://');
  return `; Path=/; HttpOnly; SameSite=Strict${isTls ? '; Secure' : ''}`;
}
