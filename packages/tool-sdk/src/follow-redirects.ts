// Rules kept here, for every request that goes through `ctx.fetch`:
// R1 A redirect is a request of its own: it is checked, counted and sent like the first one.
// R2 303 makes everything but HEAD a GET, 301 and 302 make a POST a GET; 307 and 308 repeat method and body.
// R3 To another origin go only headers that say what is wanted and what is sent; never credentials, cookies or headers of
//    the author's own. The same host by https instead of http is no other origin.
// R4 A body is never carried to another origin, nor a request to anything but http and https, nor to an address with a
//    name and a password in it.
import { PermanentError } from './errors.ts';

type Send = (url: string, init: RequestInit) => Promise<Response>;

/** As `fetch` has it. */
const MAX_REDIRECTS = 20;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** R3. */
const TRAVELLING = [
  'accept',
  'accept-language',
  'content-language',
  'content-type',
  'idempotency-key',
  'user-agent',
];
/** They belong to a body, or a write, that is not sent on. */
const OF_A_WRITE = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
  'idempotency-key',
];

/**
 * Sends a request and follows where it is led (R1–R4). `send` must not follow redirects itself.
 *
 * @param options `max`: redirects that are followed, default 20
 * @returns the last answer; one that redirects nowhere readable is returned as it is
 * @throws {PermanentError} `too_many_redirects`, `redirect_refused`
 */
export async function followRedirects(
  send: Send,
  url: string | URL,
  init: RequestInit = {},
  options: { readonly max?: number } = {},
): Promise<Response> {
  const max = options.max ?? MAX_REDIRECTS;
  let at = new URL(url);
  let next: RequestInit = { ...init, headers: new Headers(init.headers), redirect: 'manual' };
  for (let turn = 0; ; turn++) {
    const response = await send(at.href, next);
    const target = targetOf(response, at);
    if (target === undefined) return response;
    await response.body?.cancel().catch(() => undefined);
    if (turn === max) throw tooMany(at, max);
    next = nextRequest(next, response.status, at, target);
    at = target;
  }
}

function targetOf(response: Response, from: URL): URL | undefined {
  const location = REDIRECTS.includes(response.status) ? response.headers.get('location') : null;
  if (location === null || !URL.canParse(location, from.href)) return undefined;
  const target = new URL(location, from);
  if (target.hash === '') target.hash = from.hash;
  return target;
}

function nextRequest(init: RequestInit, status: number, from: URL, to: URL): RequestInit {
  if (!/^https?:$/.test(to.protocol)) throw refused(from, to, 'only http and https are followed');
  if (to.username !== '' || to.password !== '') throw refused(from, to, 'it has a name and a password in it');
  const method = (init.method ?? 'GET').toUpperCase();
  const becomesGet =
    (status === 303 && method !== 'HEAD') || ((status === 301 || status === 302) && method === 'POST');
  const { body, ...rest } = init;
  const hasBody = body !== undefined && body !== null && !becomesGet;
  const isElsewhere = !isSameOrigin(from, to);
  if (hasBody && isElsewhere)
    throw refused(from, to, 'the body of a request is not carried to another origin');
  if (hasBody && body instanceof ReadableStream) throw refused(from, to, 'a stream cannot be sent twice');
  const headers = new Headers(init.headers);
  if (becomesGet) for (const name of OF_A_WRITE) headers.delete(name);
  if (isElsewhere)
    for (const name of [...headers.keys()]) if (!TRAVELLING.includes(name)) headers.delete(name);
  return { ...rest, headers, method: becomesGet ? 'GET' : method, ...(hasBody && { body }) };
}

const isSameOrigin = (from: URL, to: URL): boolean =>
  from.origin === to.origin ||
  (from.hostname === to.hostname &&
    from.protocol === 'http:' &&
    to.protocol === 'https:' &&
    isDefaultPort(from, to));
const isDefaultPort = (from: URL, to: URL): boolean => from.port === '' && to.port === '';

/** Without query, which may hold secrets. */
const shown = (url: URL): string => `${url.origin === 'null' ? url.protocol : url.origin}${url.pathname}`;

const refused = (from: URL, to: URL, why: string): PermanentError =>
  new PermanentError({
    code: 'redirect_refused',
    message: `${shown(from)} redirects to ${shown(to)}, which is not followed: ${why}. Call that address itself if it is meant.`,
  });

const tooMany = (at: URL, max: number): PermanentError =>
  new PermanentError({
    code: 'too_many_redirects',
    message: `${shown(at)} redirects once more, after ${max} redirects.`,
  });
