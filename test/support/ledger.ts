import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One request that reached the ledger: what the outside world saw of an effect. */
interface LedgerRow {
  /** Its place among all requests, from 0. */
  readonly at: number;
  /** What was asked for: the path of the address without its slash, for instance `charge`. */
  readonly op: string;
  /** The Idempotency-Key header; names run and path. */
  readonly key: string;
  readonly attempt: number;
  /** A GET: it changes nothing. */
  readonly isReading: boolean;
  readonly body: { readonly what?: unknown };
  /** The trace context it came with. */
  readonly traceparent: string | undefined;
  readonly authorization: string | undefined;
  readonly bodyHash: string;
  /** True when the effect happened because of this request (false for a key that was honoured, a refusal, an early cut). */
  isApplied: boolean;
  /** What became of the request: a status, `cut`, or undefined while it is held. */
  answered: number | 'cut' | undefined;
  /** Resolves when the caller has hung up or was answered. */
  readonly closed: Promise<void>;
}

/** What the ledger does with one request. */
interface LedgerStep {
  /** Resolves when the request may be applied and answered. */
  readonly hold?: Promise<unknown>;
  /** The effect happens as soon as the request is read, before it is held. */
  readonly appliesFirst?: true;
  /** The connection is cut without an answer: before the effect happened or after it did. */
  readonly cut?: 'before' | 'after';
  /** Answered instead; nothing is applied. */
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly message?: string;
}

/** Which requests are meant; absent members mean any. `key` may be the beginning of a key, for instance a run id. */
interface LedgerMatch {
  readonly op?: string;
  readonly key?: string;
}

/** An outside service of a test's own that writes down everything it is asked to do. */
export interface Ledger {
  readonly url: string;
  readonly rows: readonly LedgerRow[];
  /** Steps for the next requests that match, in order; the last is used once like the others, then requests are answered well. */
  script(match: LedgerMatch, ...steps: LedgerStep[]): void;
  /** Steps chosen per request; undefined: answered well. Goes before scripts. */
  decideBy(choose: ((row: LedgerRow) => LedgerStep | undefined) | undefined): void;
  /** Whether it says what it knows when it is asked for the effect of a key. */
  answersLookups(does: boolean): void;
  of(match: LedgerMatch): LedgerRow[];
  /** Resolves with the n-th matching request (from 1) once it has been read and, with `appliesFirst`, applied. */
  arrived(n: number, match?: LedgerMatch): Promise<LedgerRow>;
  /** How often the effect of each key happened. */
  effects(match?: LedgerMatch): Map<string, number>;
  close(): Promise<void>;
}

/** @param options.honoursKeys for which operations a second request with a key is given the first one's answer and changes nothing; default `put` */
export async function startLedger({
  honoursKeys = ['put'],
}: {
  honoursKeys?: readonly string[];
} = {}): Promise<Ledger> {
  const rows: LedgerRow[] = [];
  const scripts: { match: LedgerMatch; steps: LedgerStep[] }[] = [];
  const waiting = new Set<{ n: number; match: LedgerMatch; resolve: (row: LedgerRow) => void }>();
  const results = new Map<string, unknown>();
  const sockets = new Set<Socket>();
  let isSilent = false;
  let choose: ((row: LedgerRow) => LedgerStep | undefined) | undefined;

  const of = (match: LedgerMatch) => rows.filter((row) => fits(row, match));
  const apply = (row: LedgerRow): unknown => {
    const earlier = results.get(row.key);
    if (honoursKeys.includes(row.op) && earlier !== undefined) return earlier;
    row.isApplied = !row.isReading;
    // A nonce per effect: an answer that was accepted twice would show downstream.
    const result = {
      op: row.op,
      nonce: rows.indexOf(row),
      what: row.body.what ?? null,
    };
    results.set(row.key, result);
    return result;
  };
  const stepFor = (row: LedgerRow): LedgerStep => {
    const chosen = choose?.(row);
    if (chosen) return chosen;
    return scripts.find(({ match, steps }) => steps.length > 0 && fits(row, match))?.steps.shift() ?? {};
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    const row: LedgerRow = {
      at: rows.length,
      op: request.url!.slice(1).split('?')[0]!,
      key: String(request.headers['idempotency-key'] ?? ''),
      attempt: Number(request.headers['x-attempt'] ?? 0),
      isReading: request.method === 'GET',
      body: text === '' ? {} : JSON.parse(text),
      traceparent: request.headers.traceparent as string | undefined,
      authorization: request.headers.authorization,
      bodyHash: createHash('sha256').update(text).digest('hex'),
      isApplied: false,
      answered: undefined,
      closed: new Promise((resolve) => response.once('close', resolve)),
    };
    if (row.op === 'lookup')
      return reply(response, 200, {
        ...(isSilent && { isDown: true }),
        found: results.get(String((row.body as { key?: unknown }).key)) ?? null,
      });
    rows.push(row);
    const step = stepFor(row);
    let result = step.appliesFirst ? apply(row) : undefined;
    for (const waiter of waiting) {
      if (of(waiter.match).length < waiter.n || !fits(row, waiter.match)) continue;
      waiting.delete(waiter);
      waiter.resolve(row);
    }
    await step.hold;
    if (step.cut) {
      if (step.cut === 'after') result ??= apply(row);
      row.answered = 'cut';
      request.socket.destroy();
      return;
    }
    if (step.status !== undefined) {
      row.answered = step.status;
      return reply(
        response,
        step.status,
        { error: step.message ?? `told to answer ${step.status}` },
        step.headers,
      );
    }
    result ??= apply(row);
    row.answered = 200;
    reply(response, 200, result);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rows,
    script: (match, ...steps) => void scripts.push({ match, steps }),
    decideBy: (chooser) => {
      choose = chooser;
    },
    answersLookups: (does) => {
      isSilent = !does;
    },
    of,
    arrived(n, match = {}) {
      const found = of(match)[n - 1];
      return found ? Promise.resolve(found) : new Promise((resolve) => waiting.add({ n, match, resolve }));
    },
    effects(match = {}) {
      const counts = new Map<string, number>();
      for (const row of of(match)) if (row.isApplied) counts.set(row.key, (counts.get(row.key) ?? 0) + 1);
      return counts;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const fits = (row: LedgerRow, { op, key }: LedgerMatch): boolean =>
  (op === undefined || row.op === op) && (key === undefined || row.key.startsWith(key));

function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** A promise that a test resolves by hand. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
