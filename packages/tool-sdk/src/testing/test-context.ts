import { createHash } from 'node:crypto';
import { accepted } from '../accepted.ts';
import type { ArtifactInput, ArtifactRef, ToolContext } from '../context.ts';
import { PermanentError, SecretMissingError } from '../errors.ts';
import { createToolFetch, isSafeMethod } from '../tool-fetch.ts';

/** A request that a tool made, as the service would see it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  /** The `Idempotency-Key` header, if any. */
  readonly key: string | undefined;
  /** False for GET, HEAD and OPTIONS. */
  readonly writes: boolean;
  /** `global`: made with the `fetch` of the process instead of `ctx.fetch`. */
  readonly through: 'ctx' | 'global';
}

/** What the service answers; throw an error with a `code` such as ECONNRESET to break the connection. */
export type Responder = (request: SeenRequest, signal: AbortSignal) => Response | Promise<Response>;

export interface TestContextOptions {
  readonly idempotencyKey?: string;
  readonly attempt?: number;
  readonly signal?: AbortSignal;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Default: status 200 with an empty JSON object. */
  readonly respond?: Responder;
  /** What earlier nodes left for this one. */
  readonly artifacts?: readonly KeptArtifact[];
  /** Epoch milliseconds of the recorded clock. Default 2026-01-01T00:00:00Z. */
  readonly now?: number;
}

/** An artifact and its bytes. */
export interface KeptArtifact {
  readonly ref: ArtifactRef;
  readonly data: Uint8Array;
}

/** Everything a tool did through its context. */
export interface Seen {
  readonly requests: SeenRequest[];
  readonly artifacts: KeptArtifact[];
  readonly logs: { readonly level: string; readonly fields: unknown; readonly message: string | undefined }[];
  readonly progress: { readonly fraction: number; readonly note: string | undefined }[];
  keyReads: number;
  heartbeats: number;
}

/** A context that keeps what was done through it and gives the same clock and randomness every time. */
export function createTestContext(options: TestContextOptions = {}): { ctx: ToolContext; seen: Seen } {
  const seen: Seen = { requests: [], artifacts: [], logs: [], progress: [], keyReads: 0, heartbeats: 0 };
  const key = options.idempotencyKey ?? 'test-key-1';
  const signal = options.signal ?? new AbortController().signal;
  const now = options.now ?? Date.UTC(2026, 0, 1);
  const random = countingRandom();
  const log =
    (level: string) =>
    (fields: Record<string, unknown>, message?: string): void => {
      seen.logs.push({ level, fields, message });
    };
  const send = spyFetch('ctx', seen, options.respond, signal);
  const ctx: ToolContext = {
    get idempotencyKey() {
      seen.keyReads++;
      return key;
    },
    attempt: options.attempt ?? 1,
    signal,
    deadline: new Date(now + 60_000),
    now: () => now,
    random,
    uuid: () => uuidFrom(random),
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    async secret(name) {
      const value = options.secrets?.[name];
      if (value === undefined) throw new SecretMissingError(name);
      return value;
    },
    artifacts: {
      put: async (artifact) => keepArtifact(seen, artifact),
      get: async (ref) => keptArtifact([...seen.artifacts, ...(options.artifacts ?? [])], ref.artifactId),
      async *read(ref) {
        yield keptArtifact([...seen.artifacts, ...(options.artifacts ?? [])], ref.artifactId);
      },
    },
    callbackUrl: async () => 'https://pawl.test/v1/callbacks/token',
    accepted,
    progress: (fraction, note) => {
      seen.progress.push({ fraction, note });
    },
    fetch: createToolFetch({ idempotencyKey: key, signal, fetch: send }).fetch,
    heartbeat: () => {
      seen.heartbeats++;
      signal.throwIfAborted();
    },
  };
  return { ctx, seen };
}

/** A `fetch` that answers from `respond` and notes every request. */
export function spyFetch(
  through: SeenRequest['through'],
  seen: Seen,
  respond: Responder | undefined,
  attemptSignal: AbortSignal,
): (url: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const request = new Request(url, init);
    const signal = init?.signal ?? attemptSignal;
    const noted: SeenRequest = {
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: await request.text(),
      key: request.headers.get('idempotency-key') ?? undefined,
      writes: !isSafeMethod(request.method),
      through,
    };
    seen.requests.push(noted);
    const answer = Promise.resolve((respond ?? emptyAnswer)(noted, signal));
    return await Promise.race([answer, rejectOnAbort(signal)]);
  };
}

const emptyAnswer: Responder = () => Response.json({});

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

function keptArtifact(artifacts: Seen['artifacts'], artifactId: string): Uint8Array {
  const kept = artifacts.find((artifact) => artifact.ref.artifactId === artifactId);
  if (kept === undefined)
    throw new PermanentError({
      code: 'artifact_not_found',
      message: `There is no artifact ${artifactId} in this test.`,
    });
  return kept.data;
}

async function keepArtifact(seen: Seen, artifact: ArtifactInput): Promise<ArtifactRef> {
  const data = await bytesOf(artifact.data);
  const hash = createHash('sha256').update(data).digest('hex');
  const { name, mediaType } = artifact;
  const versions = new Set(
    seen.artifacts.filter((kept) => kept.ref.name === name).map((kept) => kept.ref.hash),
  );
  const version = versions.has(hash) ? versions.size : versions.size + 1;
  const ref = {
    artifactId: `artifact-${hash.slice(0, 12)}`,
    name,
    version,
    mediaType,
    bytes: data.byteLength,
    hash,
  };
  seen.artifacts.push({ ref, data });
  return ref;
}

async function bytesOf(data: ArtifactInput['data']): Promise<Uint8Array> {
  if (typeof data === 'string') return Buffer.from(data, 'utf8');
  if (data instanceof Uint8Array) return data;
  const parts: Uint8Array[] = [];
  for await (const part of data) parts.push(part);
  return Buffer.concat(parts);
}

/** mulberry32 from a fixed seed. */
function countingRandom(): () => number {
  let state = 42;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function uuidFrom(random: () => number): string {
  const bytes = Uint8Array.from({ length: 16 }, () => Math.floor(random() * 256));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
