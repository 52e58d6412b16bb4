import { createHash } from 'node:crypto';
import { type Json, type JsonObject, parseJson } from '@pawl/dag-core';
import type { Hook, StartRequest } from '@pawl/run-store';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkSignature, one } from './check-signature.ts';
import type { EngineStore } from './engine-store.ts';
import { problems } from './http-problem.ts';
import { problemFor } from './problem-reply.ts';
import type { ParseBody } from './read-body.ts';
import { notFoundBy } from './read-parts.ts';

// A delivery has no API key. Its way: the address names a webhook (else 404, before the body is read); the body is taken as
// bytes; their signature is checked; only then are they read as JSON.

/** Finds the webhook that a delivery is for. @throws {HttpProblem} `webhook_not_found`, also when it is switched off */
export function createFindHook(store: Pick<EngineStore, 'findHook'>) {
  return async (request: FastifyRequest): Promise<Hook> => {
    const { webhookId } = request.params as { webhookId: string };
    const hook = await store.findHook(webhookId);
    if (!hook) throw notFoundBy('webhookId', webhookId);
    return hook;
  };
}

/**
 * Reads the body of a delivery: signature first. Integers that would be rounded are refused unless the flow wants them as
 * strings, as in a start.
 */
export function parseDelivery(store: Pick<EngineStore, 'documentToRun'>, request: FastifyRequest): ParseBody {
  const hook = request.hook!;
  return async (text) => {
    checkSignature(hook, request.headers, request.bytes ?? Buffer.from(text));
    const strict = parseJson(text, { bigIntegers: 'refuse' });
    if (!strict.issues?.every(({ code }) => code === 'unsafe_integer')) return strict;
    const { workspaceId, flow } = hook;
    const { bigIntegers } = await store.documentToRun({ workspaceId, flow });
    return bigIntegers === 'strings' ? parseJson(text, { bigIntegers: 'strings' }) : strict;
  };
}

/** Longest delivery id that is kept as it is. */
const MOST_CHARACTERS = 150;

/**
 * The start that a delivery asks for. Two with one delivery id are one; without the header the signature names the delivery,
 * so that the same bytes sent again are the same delivery.
 */
export function startOfDelivery(request: FastifyRequest, body: Json): StartRequest {
  const hook = request.hook!;
  const { headers } = request;
  const query = request.query as Record<string, string | string[]>;
  if (Object.hasOwn(query, '__proto__')) throw problems.queryInvalid([RESERVED]);
  const id = one(headers, hook.deliveryHeader)?.trim() || one(headers, hook.signatureHeader)!;
  const shown = id.length <= MOST_CHARACTERS && /^[\x20-\x7e]+$/.test(id) ? id : `sha256:${hashOf(id)}`;
  return {
    workspaceId: hook.workspaceId,
    flow: hook.flow,
    input:
      hook.inputFrom === 'body' ? body : { body, headers: headersOf(hook, headers), query: { ...query } },
    tags: { webhook: hook.name, delivery: shown },
    trigger: 'webhook',
    dedupeKey: `webhook ${hook.id} ${shown}`,
    // Headers may differ from one try of a sender to the next.
    dedupeHash: hashOf(request.bytes ?? '', JSON.stringify(query)),
    ...(request.trace && { trace: request.trace }),
  };
}

const RESERVED = { pointer: '/__proto__', code: 'reserved_key', message: 'The name __proto__ is reserved' };

function headersOf(hook: Hook, headers: FastifyRequest['headers']): JsonObject {
  const kept = hook.headers.flatMap((name) => {
    const value = one(headers, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(kept);
}

const hashOf = (...parts: (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** At least this long apart, per webhook and engine: anybody can send deliveries that are refused. */
const NOTE_EVERY_MS = 10_000;
/** Webhooks whose last note is remembered. */
const MOST_NOTED = 1_000;

/** Keeps for the owner of a webhook why a delivery was refused; the sender is told too, but is somebody else. */
export function noteRefusals(
  app: FastifyInstance,
  store: Pick<EngineStore, 'noteRefusal'>,
  bodyLimitBytes: number,
): void {
  const noted = new Map<string, number>();
  app.addHook('onError', async (request, _reply, error) => {
    const { hook } = request;
    if (!hook) return;
    const { code, status, message } = problemFor(error, request, bodyLimitBytes);
    const now = performance.now();
    if (status >= 500 || now - (noted.get(hook.id) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS) return;
    if (noted.size >= MOST_NOTED) noted.delete(noted.keys().next().value!);
    noted.delete(hook.id);
    noted.set(hook.id, now);
    store.noteRefusal(hook.id, { code, message }).catch((cause: unknown) => {
      request.log.warn({ err: cause, webhook: hook.id }, 'a refusal could not be noted');
    });
  });
}

/** Puts what the way of a delivery leaves on its request. */
export function decorateForHooks(app: FastifyInstance): void {
  app.decorateRequest('hook', null);
  app.decorateRequest('bytes', null);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The webhook that a delivery is for. */
    hook: Hook | null;
    /** The body as it was sent, where its signature is to be checked. */
    bytes: Buffer | null;
  }
  interface FastifyContextConfig {
    keepsBytes?: boolean;
  }
}
