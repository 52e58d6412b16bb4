import type { FastifyRequest } from 'fastify';

// Browsers send a cookie whichever page asks. Which page it was they say themselves, and no page can make them say otherwise:
// Sec-Fetch-Site over TLS and on this machine, Origin everywhere (with whatever is not a plain reading).

type Asked = Pick<FastifyRequest, 'headers' | 'host' | 'method'>;

/** Whether the browser says that a page of another origin asks. */
export function isForeignPage({ headers, host }: Asked): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return headers.origin !== undefined && hostOf(headers.origin) !== host.toLowerCase();
}

/**
 * Whether a request that a cookie proves comes from a page of this very origin. An address that somebody typed or opened has no page and
 * may only read.
 */
export function isOwnPage(asked: Asked): boolean {
  if (isForeignPage(asked)) return false;
  const { headers, method } = asked;
  const isOfPage = headers['sec-fetch-site'] === 'same-origin' || headers.origin !== undefined;
  return isOfPage || method === 'GET' || method === 'HEAD';
}

const hostOf = (origin: string): string => origin.replace(/^https?:\/\//, '').toLowerCase();
