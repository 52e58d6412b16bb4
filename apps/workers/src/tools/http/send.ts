import {
  failureOfHttp,
  followRedirects,
  HttpError,
  NotAppliedError,
  type ToolContext,
  ToolInputError,
} from '@pawl/tool-sdk';
import { type BodyArgs, buildRequest, type HttpRequest, type RequestArgs } from './request.ts';

/** What a tool makes of the arguments of one call. */
export interface Sending {
  readonly method: string;
  readonly args: RequestArgs & Partial<BodyArgs>;
  /** The header that carries the key, where it is not `Idempotency-Key`. */
  readonly keyHeader?: string;
  /** Statuses by which the service says that it did nothing. */
  readonly notAppliedStatus?: readonly number[];
}

/** An answer with an accepted status, its body unread. `url`: where it came from in the end. */
export interface Answer {
  readonly response: Response;
  readonly url: URL;
}

/**
 * Sends one request and follows redirects.
 *
 * @throws {HttpError} for a status that is neither a success nor accepted
 * @throws {NotAppliedError} for a status of `notAppliedStatus`
 * @throws {ToolInputError}, redirect errors, errors of the network as they are
 */
export async function sendRequest(ctx: ToolContext, sending: Sending): Promise<Answer> {
  const { method, args, keyHeader } = sending;
  const request = await buildRequest(ctx, args);
  // A key of the author's own goes first: it is the same for all attempts, too.
  if (keyHeader !== undefined && !request.headers.has(keyHeader))
    request.headers.set(keyHeader, ctx.idempotencyKey);
  let { url } = request;
  const sendOne = (at: string, init: RequestInit): Promise<Response> => {
    url = new URL(at);
    return ctx.fetch(at, init).catch((error: unknown) => {
      throw blockedPort(error, url) ?? error;
    });
  };
  const response = await followRedirects(sendOne, url, initOf(method, request), { max: args.maxRedirects });
  if (!response.ok && !args.acceptStatus.includes(response.status))
    throw await statusError(response, sending);
  return { response, url };
}

const initOf = (method: string, { headers, body }: HttpRequest): RequestInit => ({
  method,
  headers,
  ...(body !== undefined && { body: body as RequestInit['body'] }),
});

async function statusError(response: Response, { notAppliedStatus = [] }: Sending): Promise<Error> {
  const error = await HttpError.from(response);
  if (!notAppliedStatus.includes(error.status)) return error;
  const {
    code,
    message,
    detail,
    retryAfterMs,
    class: kind,
  } = failureOfHttp(error.status, error.headers, error.bodyText);
  return new NotAppliedError({
    code,
    message,
    retry: kind === 'transient' ? 'later' : 'never',
    ...(detail !== undefined && { detail }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** Browsers' list of ports that nobody serves HTTP on: refused by the client, nothing was sent. */
function blockedPort(error: unknown, url: URL): ToolInputError | undefined {
  const { cause } = (error ?? {}) as { cause?: { message?: unknown } };
  if (cause?.message !== 'bad port') return undefined;
  return new ToolInputError({
    message: `Port ${url.port} is one that HTTP clients do not connect to (it belongs to another protocol).`,
    issues: [{ pointer: '/url', message: `has the port ${url.port}` }],
  });
}
