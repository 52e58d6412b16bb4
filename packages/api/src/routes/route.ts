import type { Role } from '@pawl/dag-core';
import type { z } from 'zod';
import type { ProblemCode } from '../problems.ts';

/** One possible answer of a route. Without a schema it is not JSON (a stream, a text, bytes). */
export interface Reply<S extends z.ZodType | undefined = z.ZodType | undefined> {
  readonly description: string;
  readonly schema: S;
  readonly mediaTypes: readonly string[];
}

/**
 * One operation of the API: everything that the server validates with, the client is typed by and OpenAPI is made from.
 * `path` uses `:name` for parameters. `auth` is the least role that may (said here only; the server checks it in one place), or `open` for
 * everybody, or `signature` for whoever can sign the body. Codes every route can answer are not in `errors`.
 */
export interface RouteSpec {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly tag:
    | 'access'
    | 'flows'
    | 'runs'
    | 'node runs'
    | 'inbox'
    | 'limits'
    | 'signals'
    | 'callbacks'
    | 'events'
    | 'artifacts'
    | 'effects'
    | 'schedules'
    | 'webhooks'
    | 'tools'
    | 'service';
  readonly auth: Role | 'open' | 'signature';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Request headers that carry meaning, in lower case. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType | Bytes;
  /** The body may be absent altogether. */
  readonly bodyOptional?: true;
  readonly replies: { readonly [status: number]: Reply };
  readonly errors: readonly ProblemCode[];
}

/** A body of any media type that is taken as a stream of bytes. */
export interface Bytes {
  readonly bytes: true;
  readonly description: string;
}
export const bytesOf = (description: string): Bytes => ({ bytes: true, description });
export const isBytes = (body: RouteSpec['body']): body is Bytes => body !== undefined && 'bytes' in body;

/** The least role that may use a route; undefined: it asks for none. */
export const roleOf = ({ auth }: Pick<RouteSpec, 'auth'>): Role | undefined =>
  auth === 'open' || auth === 'signature' ? undefined : auth;

/** Codes that any route may answer; those that need a role also `ROLE_ERRORS`, those with a body `BODY_ERRORS`. */
const COMMON_ERRORS = [
  'query_invalid',
  'internal_error',
  'store_unavailable',
  'shutting_down',
] as const satisfies ProblemCode[];
const ROLE_ERRORS = [
  'api_key_missing',
  'api_key_invalid',
  'session_ended',
  'host_not_allowed',
  'origin_not_allowed',
  'role_insufficient',
] as const satisfies ProblemCode[];
const BODY_ERRORS = [
  'body_malformed',
  'body_invalid',
  'body_too_large',
  'media_type_unsupported',
  'unsafe_integer',
  'number_out_of_range',
  'nesting_too_deep',
  'reserved_key',
] as const satisfies ProblemCode[];
const BYTES_ERRORS = ['body_too_large', 'media_type_unsupported'] as const satisfies ProblemCode[];

/** Every code a route can answer, each once. */
export function errorsOf(route: RouteSpec): ProblemCode[] {
  return [
    ...new Set<ProblemCode>([
      ...route.errors,
      ...(route.headers ? (['header_invalid'] as const) : []),
      ...(isBytes(route.body) ? BYTES_ERRORS : route.body ? BODY_ERRORS : []),
      ...(roleOf(route) ? ROLE_ERRORS : []),
      ...COMMON_ERRORS,
    ]),
  ];
}

/** Keeps the exact type of a route, so that server and client are typed by it. */
export const route = <const R extends RouteSpec>(spec: R): R => spec;

/** A JSON answer. */
export const json = <S extends z.ZodType>(schema: S, description: string): Reply<S> => ({
  description,
  schema,
  mediaTypes: ['application/json'],
});

/** An answer that is not JSON. */
export const raw = (mediaType: string, description: string): Reply<undefined> => ({
  description,
  schema: undefined,
  mediaTypes: [mediaType],
});
