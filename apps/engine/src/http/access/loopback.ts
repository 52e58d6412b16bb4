import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** True for 127.0.0.0/8, ::1 and their IPv4-mapped forms. */
export function isLoopback(address: string | undefined): boolean {
  if (!address) return false;
  const plain = address.replace(/^::ffff:/i, '');
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}

/**
 * True when a request without a key may be trusted because a program of this machine sent it: the socket is local, no proxy
 * stands between, the host is named as this machine (else a foreign web page could reach it by rebinding a name), and no
 * page of another origin made the browser send it.
 */
export function isFromThisMachine({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  if (!isLoopback(socket.remoteAddress)) return false;
  if (headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined) return false;
  if (headers['sec-fetch-site'] === 'cross-site') return false;
  return (
    isLocalHost(headers.host) && (headers.origin === undefined || isLocalOrigin(headers.origin, headers.host))
  );
}

function isLocalHost(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(host);
}

/** A page served from this very address; pages of other local ports are other programs' pages. */
function isLocalOrigin(origin: string, host: string | undefined): boolean {
  return origin.replace(/^https?:\/\//, '').toLowerCase() === host?.toLowerCase();
}
