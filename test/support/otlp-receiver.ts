import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

// What a collector takes (OTLP/HTTP with JSON, https://opentelemetry.io/docs/specs/otlp/): nothing loose, nothing doubled.

const traceId = z.string().regex(/^(?!0{32})[0-9a-f]{32}$/);
const spanId = z.string().regex(/^(?!0{16})[0-9a-f]{16}$/);
const nanos = z.string().regex(/^[1-9]\d{15,19}$/);
const scalar = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.union([z.int(), z.string().regex(/^-?\d+$/)]) }),
  z.strictObject({ doubleValue: z.number() }),
]);
const value = z.union([scalar, z.strictObject({ arrayValue: z.strictObject({ values: z.array(scalar) }) })]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));
const flags = z.int().optional();
const span = z.strictObject({
  traceId,
  spanId,
  traceState: z.string().optional(),
  parentSpanId: spanId.optional(),
  flags,
  name: z.string().min(1).max(200),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  droppedAttributesCount: z.literal(0),
  events: z.array(z.never()),
  droppedEventsCount: z.literal(0),
  links: z.array(
    z.strictObject({
      traceId,
      spanId,
      traceState: z.string().optional(),
      attributes,
      droppedAttributesCount: z.literal(0),
      flags,
    }),
  ),
  droppedLinksCount: z.literal(0),
  status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }),
});
const request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.looseObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.looseObject({ name: z.string().min(1) }),
          spans: z.array(span),
          schemaUrl: z.string().optional(),
        }),
      ),
      schemaUrl: z.string().optional(),
    }),
  ),
});

/** A span as it was received, its attributes and those of its process as plain values. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly traceState?: string | undefined;
  readonly name: string;
  /** 1 internal · 2 server · 3 client */
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly links: readonly {
    traceId: string;
    spanId: string;
    attributes: Readonly<Record<string, unknown>>;
  }[];
  /** 0 unset · 1 ok · 2 error */
  readonly status: { readonly code: number; readonly message?: string | undefined };
}

/** What a receiver does with requests: takes them, refuses them, or never answers. */
type Mood = 'takes' | 'refuses' | 'hangs';

export interface OtlpReceiver {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Everything that came, as text. */
  readonly bodies: readonly string[];
  /** What was wrong with what came; a test ends with looking at it. */
  readonly faults: readonly string[];
  /** How many requests came, whatever became of them. */
  readonly requests: () => number;
  mood: Mood;
  of(match: (span: ReceivedSpan) => boolean): ReceivedSpan[];
  close(): Promise<void>;
}

/** Starts a receiver of spans that demands what the protocol does, and that no span comes twice. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const faults: string[] = [];
  const seen = new Set<string>();
  let requests = 0;

  function take(text: string): void {
    bodies.push(text);
    const parsed = request.safeParse(JSON.parse(text));
    if (!parsed.success) {
      faults.push(z.prettifyError(parsed.error));
      return;
    }
    for (const { resource, scopeSpans } of parsed.data.resourceSpans)
      for (const { spans: received } of scopeSpans)
        for (const one of received) add(one, plain(resource.attributes));
  }

  function add(one: z.output<typeof span>, resource: Record<string, unknown>): void {
    const id = `${one.traceId} ${one.spanId}`;
    if (seen.has(id)) faults.push(`span ${one.name} (${id}) came twice`);
    seen.add(id);
    const startMs = Number(BigInt(one.startTimeUnixNano) / 1_000n) / 1_000;
    const endMs = Number(BigInt(one.endTimeUnixNano) / 1_000n) / 1_000;
    if (endMs < startMs) faults.push(`span ${one.name} ends before it begins`);
    spans.push({
      ...one,
      startMs,
      endMs,
      attributes: plain(one.attributes),
      links: one.links.map((link) => ({ ...link, attributes: plain(link.attributes) })),
      resource,
    });
  }

  const server = createServer(async (incoming, response) => {
    requests += 1;
    if (receiver.mood === 'hangs') return;
    const text = await textOf(incoming);
    if (receiver.mood === 'refuses') {
      response.writeHead(400).end();
      return;
    }
    if (incoming.url !== '/v1/traces' || incoming.headers['content-type'] !== 'application/json')
      faults.push(`${incoming.method} ${incoming.url} with ${incoming.headers['content-type']}`);
    try {
      take(text);
    } catch (error) {
      faults.push(String(error));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    faults,
    requests: () => requests,
    mood: 'takes',
    of: (match) => spans.filter(match),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** Variables of a process that sends its spans there, soon. */
export const tracingEnv = (receiver: Pick<OtlpReceiver, 'url'>): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_BSP_SCHEDULE_DELAY: '50',
});

function plain(list: z.output<typeof attributes>): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue(one: z.output<typeof value>): unknown {
  if ('arrayValue' in one) return one.arrayValue.values.map(plainValue);
  const [only] = Object.values(one);
  return 'intValue' in one ? Number(only) : only;
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
