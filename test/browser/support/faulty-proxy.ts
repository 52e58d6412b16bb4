import { once } from 'node:events';
import {
  request as ask,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** One frame of an event stream, as it came: `text` without the empty line that ends it. */
export interface StreamFrame {
  readonly text: string;
  /** `journal`, `delta`, `run`, …; empty for comments. */
  readonly event: string;
  readonly id: string | undefined;
}

/** What becomes of a frame: nothing, itself, itself twice, others that were kept before. */
export type Mischief = (frame: StreamFrame) => readonly StreamFrame[];

/** Stands between browser and engine: faithful, until a test says otherwise. */
export interface FaultyProxy {
  readonly url: string;
  /** Decides over every frame of every event stream; undefined: faithful. */
  mischief: Mischief | undefined;
  /** Answers 502 to everything, as a gateway does whose engine is gone. */
  isAway: boolean;
  /** Frames of event streams are kept back until this is false again. */
  set isHolding(value: boolean);
  /** Breaks every event stream in the middle, and says how many. */
  cut(): number;
  /** Event streams that are open. */
  readonly openStreams: number;
  /** Requests so far, by method and path without query. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Starts a proxy before an engine, on a free port of the loopback. */
export async function startFaultyProxy(engineUrl: string): Promise<FaultyProxy> {
  const engine = new URL(engineUrl);
  const asked: string[] = [];
  const streams = new Set<ServerResponse>();
  const held: (() => void)[] = [];
  let isHolding = false;
  let mischief: Mischief | undefined;
  let isAway = false;

  const server = createServer((request, response) => {
    const [path] = request.url!.split('?');
    asked.push(`${request.method} ${path}`);
    if (isAway) {
      request.resume();
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>');
      return;
    }
    const { method, url, headers } = request;
    const onward = ask(
      { host: engine.hostname, port: engine.port, method, path: url, headers: onwardHeaders(headers) },
      (answer) => pass(answer, response),
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });

  function pass(answer: IncomingMessage, response: ServerResponse): void {
    response.writeHead(answer.statusCode!, answer.headers);
    const isStream = answer.headers['content-type']?.startsWith('text/event-stream');
    if (!isStream) {
      answer.pipe(response);
      return;
    }
    response.flushHeaders();
    streams.add(response);
    response.on('close', () => streams.delete(response));
    const inOrder = (act: () => void) => (isHolding || held.length > 0 ? held.push(act) : act());
    void readFrames(answer, (frame) => {
      for (const each of mischief?.(frame) ?? [frame])
        inOrder(() => !response.destroyed && response.write(`${each.text}\n\n`));
    }).then(
      () => inOrder(() => response.end()),
      () => response.destroy(),
    );
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    get openStreams() {
      return streams.size;
    },
    get mischief() {
      return mischief;
    },
    set mischief(value) {
      mischief = value;
    },
    get isAway() {
      return isAway;
    },
    set isAway(value) {
      isAway = value;
    },
    set isHolding(value: boolean) {
      isHolding = value;
      while (!isHolding && held.length > 0) held.shift()!();
    },
    cut() {
      const open = [...streams];
      for (const stream of open) stream.destroy();
      return open.length;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The browser's names of its page stay: the engine looks at them. What concerns one connection does not go on. */
const onwardHeaders = ({ connection: _, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders => headers;

/** Reads frames from bytes that are cut anywhere. */
async function readFrames(body: IncomingMessage, hear: (frame: StreamFrame) => void): Promise<void> {
  let begun = '';
  for await (const chunk of body.setEncoding('utf8')) {
    const frames = (begun + chunk).split('\n\n');
    begun = frames.pop()!;
    for (const text of frames) hear(frameOf(text));
  }
}

function frameOf(text: string): StreamFrame {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];
  return { text, event: field('event') ?? '', id: field('id') };
}
