import { isBytes, type RouteSpec } from '../routes/route.ts';
import { ApiError, EngineUnreachableError, isProblem, UnexpectedReplyError } from './errors.ts';

export interface ClientOptions {
  /** Where the engine is, for instance `http://127.0.0.1:7420`; a path prefix is kept. */
  readonly baseUrl: string;
  /** `pawl_…`; absent only on the same machine under `npm start`. */
  readonly apiKey?: string;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** The parts of a call after typing, as they go on the wire. */
export interface RawCall {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** The address of a call; parameters are escaped, lists repeated, absent values left out. */
function urlOf(baseUrl: string, route: RouteSpec, call: RawCall): string {
  const path = route.path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) =>
    encodeURIComponent(String(call.params?.[name])),
  );
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(call.query ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) search.append(key, String(one));
  const query = search.size > 0 ? `?${search}` : '';
  return `${baseUrl.replace(/\/+$/, '')}${path}${query}`;
}

/**
 * Sends one call.
 * @throws {EngineUnreachableError} when no answer came; the error of `signal` when it was aborted
 */
export async function send(options: ClientOptions, route: RouteSpec, call: RawCall, accept: string) {
  const headers: Record<string, string> = { accept };
  if (options.apiKey) headers.authorization = `Bearer ${options.apiKey}`;
  if (call.body !== undefined && !isBytes(route.body)) headers['content-type'] = 'application/json';
  for (const [key, value] of Object.entries(call.headers ?? {}))
    if (value !== undefined) headers[key] = value;
  try {
    return await (options.fetch ?? globalThis.fetch)(urlOf(options.baseUrl, route, call), {
      method: route.method,
      headers,
      ...bodyOf(route, call.body),
      ...(call.signal ? { signal: call.signal } : {}),
    });
  } catch (error) {
    if (call.signal?.aborted) throw error;
    throw new EngineUnreachableError(options.baseUrl, error);
  }
}

function bodyOf(route: RouteSpec, body: unknown): RequestInit {
  if (body === undefined) return {};
  if (!isBytes(route.body)) return { body: JSON.stringify(body) };
  // `duplex` is demanded for streams, by browsers and Node alike, and not yet known to the types.
  return { body: body as RequestInit['body'], ...(body instanceof ReadableStream && { duplex: 'half' }) };
}

/**
 * Turns an answer that the route does not declare into the error to throw.
 * @throws {ApiError | UnexpectedReplyError}
 */
export async function refuse(response: Response): Promise<never> {
  const mediaType = response.headers.get('content-type') ?? '';
  const value: unknown = mediaType.includes('json')
    ? await response.json().catch(() => undefined)
    : undefined;
  if (isProblem(value)) throw new ApiError(value, retryAfterMs(response));
  throw new UnexpectedReplyError(response.url, response.status, mediaType);
}

function retryAfterMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined;
}
