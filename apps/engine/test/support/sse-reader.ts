import { get, type IncomingMessage } from 'node:http';

/** A raw reader of an event stream over a socket, so that tests see frames and comments exactly as they were sent. */
export interface SseReader {
  readonly headers: IncomingMessage['headers'];
  readonly status: number;
  /** The next frame (text up to the empty line); undefined when the server ended the stream. */
  next(): Promise<string | undefined>;
  /** Frames until one matches, that one included. */
  until(pattern: RegExp): Promise<string[]>;
  /** Cuts the connection. */
  cut(): void;
}

/** Opens a stream. `headers` may hold Last-Event-ID. */
export async function readStream(url: string, headers: Record<string, string> = {}): Promise<SseReader> {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false }, resolve).on(
      'error',
      reject,
    );
  });
  const frames = cutFrames(reply);
  const next = async () => {
    const { value, done } = await frames.next();
    return done ? undefined : value;
  };
  return {
    headers: reply.headers,
    status: reply.statusCode!,
    next,
    cut: () => reply.destroy(),
    until: async (pattern) => {
      const seen: string[] = [];
      for (let frame = await next(); frame !== undefined; frame = await next()) {
        seen.push(frame);
        if (pattern.test(frame)) return seen;
      }
      throw new Error(`The stream ended without ${pattern}; it held ${JSON.stringify(seen)}`);
    },
  };
}

async function* cutFrames(reply: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  reply.setEncoding('utf8');
  for await (const part of reply) {
    const pieces = (rest + part).split('\n\n');
    rest = pieces.pop()!;
    yield* pieces;
  }
}

/** Sequence numbers of the journal frames. */
export const seqsOf = (frames: readonly string[]): number[] =>
  frames.flatMap((frame) => /^id: (\d+)$/m.exec(frame)?.slice(1).map(Number) ?? []);
