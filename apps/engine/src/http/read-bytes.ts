import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problems } from './http-problem.ts';

/** Bounds of a body that is taken as bytes. */
export interface BytesLimits {
  /** Greatest size. */
  readonly uploadBytes: number;
  /** Longest time without a byte. */
  readonly uploadIdleMs: number;
}

/** Bodies of this scope reach the routes as streams, whatever their media type; nothing is read before somebody asks. */
export function takeBodiesAsBytes(scope: FastifyInstance, limits: BytesLimits): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (request, payload: IncomingMessage, done) => {
    const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = request.headers;
    if (encoding !== undefined) done(problems.bytesNotPlain(`compressed (${encoding})`));
    else if (type?.toLowerCase().startsWith('multipart/')) done(problems.bytesNotPlain('a form'));
    else if (Number(length) > limits.uploadBytes) done(problems.bodyTooLarge(limits.uploadBytes));
    else done(null, receive(payload, limits));
  });
}

/**
 * The bytes of a request as they come.
 *
 * @throws {HttpProblem} `body_too_large`; `upload_interrupted` when the connection breaks or nothing comes for too long
 */
async function* receive(
  payload: IncomingMessage,
  { uploadBytes, uploadIdleMs }: BytesLimits,
): AsyncGenerator<Uint8Array> {
  // The connection outlives a refusal: the answer goes over it.
  const chunks = payload.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  let bytes = 0;
  for (;;) {
    const next = await within(uploadIdleMs, chunks.next()).catch((cause: unknown) => {
      throw problems.uploadInterrupted(bytes, cause);
    });
    if (next.done) return;
    bytes += next.value.length;
    if (bytes > uploadBytes) {
      await chunks.return?.();
      throw problems.bodyTooLarge(uploadBytes);
    }
    yield next.value;
  }
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`nothing came for ${ms} ms`)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Cuts connections whose body does not end within `bodyMs`, as the server of Node would do for every request. Uploads are left out: they may
 * take as long as something comes.
 */
export function limitBodyTime(app: FastifyInstance, bodyMs: number): void {
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    // A request that was injected, by a test, has no connection to be cut.
    if (raw.complete || routeOptions.config.takesBytes || !(raw.socket instanceof Socket)) return;
    const timer = setTimeout(() => {
      if (raw.complete || raw.readableEnded) return;
      raw.socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
      raw.socket.destroySoon();
    }, bodyMs).unref();
    raw.once('close', () => clearTimeout(timer));
  });
}

/** How long the rest of a refused body is taken in, in milliseconds. */
const DISCARD_MS = 30_000;

/**
 * Takes in and drops what is left of a refused body, for a bounded time: a sender that is cut off in the middle sees a broken connection and
 * not its answer (RFC 9112 §9.6).
 */
export function discardRest({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection');
  raw.resume();
  const timer = setTimeout(() => raw.complete || raw.destroy(), DISCARD_MS).unref();
  raw.once('close', () => clearTimeout(timer));
}
