import type { z } from 'zod';
import type { Bytes, Reply, RouteSpec } from '../routes/route.ts';

type AllOptional<T> = Record<never, never> extends T ? true : false;
/** `{ key: T }`, optional when every member of T is. */
type Slot<K extends string, T> = AllOptional<T> extends true ? { [P in K]?: T } : { [P in K]: T };

type ParamsSlot<R> = R extends { params: infer S extends z.ZodType } ? Slot<'params', z.output<S>> : unknown;
type QuerySlot<R> = R extends { query: infer S extends z.ZodType } ? Slot<'query', z.output<S>> : unknown;
type HeadersSlot<R> = R extends { headers: infer S extends z.ZodType }
  ? Slot<'headers', z.output<S>>
  : unknown;
/** What can be sent as bytes; a stream is sent as it comes, and cannot be sent again by itself. */
export type BytesBody = Blob | Uint8Array | string | ReadableStream<Uint8Array>;

type BodySlot<R> = R extends { body: Bytes } ? { body: BytesBody } : JsonBodySlot<R>;
type JsonBodySlot<R> = R extends { body: infer S extends z.ZodType }
  ? R extends { bodyOptional: true }
    ? { body?: z.output<S> }
    : { body: z.output<S> }
  : unknown;

/** What a call of a route takes: params, query, headers and body as its schemas say, and a signal to abort. */
export type CallArgs<R extends RouteSpec> = ParamsSlot<R> &
  QuerySlot<R> &
  HeadersSlot<R> &
  BodySlot<R> & { signal?: AbortSignal };

type ReplyValue<T> = T extends Reply<infer S> ? (S extends z.ZodType ? z.output<S> : Response) : never;

/** What a call of a route gives: the JSON of any declared reply, or the `Response` itself where it is not JSON. */
export type CallResult<R extends RouteSpec> = ReplyValue<R['replies'][keyof R['replies']]>;

/** A method of the client; the argument may be left out when nothing in it is needed. */
export type ClientMethod<R extends RouteSpec> =
  AllOptional<CallArgs<R>> extends true
    ? (args?: CallArgs<R>) => Promise<CallResult<R>>
    : (args: CallArgs<R>) => Promise<CallResult<R>>;
