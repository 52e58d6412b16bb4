import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { chatAnswer, chatEvents } from './fake-openai/chat-answers.ts';
import { responsesAnswer, responsesEvents } from './fake-openai/responses-answers.ts';
import type { FakeAnswer, FakeRequest, TextAnswer } from './fake-openai/script.ts';
import { type Refusal, validateRequest } from './fake-openai/validate-request.ts';
import { writeEvents } from './fake-openai/write-events.ts';

/** A server on loopback that speaks OpenAI's Chat Completions and Responses and is as strict about requests. */
export interface FakeOpenAi {
  /** With `/v1`. */
  readonly baseUrl: string;
  /** Every request that arrived whole, in order, refused ones included. */
  readonly requests: readonly FakeRequest[];
  /** Answers for the next requests, in order; after the last one it is used again and again. */
  script(...answers: FakeAnswer[]): void;
  /** Answers by what is asked; undefined: as scripted. Takes the place of an earlier one. */
  decideBy(decide: ((request: FakeRequest) => FakeAnswer | undefined) | undefined): void;
  /** Resolves when so many requests have arrived. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

/** What a fake server is made of. */
export interface FakeOpenAiOptions {
  /** The only key that is accepted; `null`: any, or none. Default `test-key`. */
  readonly apiKey?: string | null;
}

/** Starts a fake server on a free port of the loopback interface. */
export async function startFakeOpenAi(options: FakeOpenAiOptions = {}): Promise<FakeOpenAi> {
  const apiKey = options.apiKey === undefined ? 'test-key' : options.apiKey;
  const requests: FakeRequest[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let answers: FakeAnswer[] = [{ text: 'Hello from the fake server.' }];
  const sockets = new Set<Socket>();
  let decide: ((request: FakeRequest) => FakeAnswer | undefined) | undefined;

  const next = (): FakeAnswer => (answers.length > 1 ? answers.shift()! : answers[0]!);
  const record = (request: FakeRequest) => {
    requests.push(request);
    for (const waiter of waiting.filter(({ count }) => count <= requests.length)) waiter.resolve();
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Broken before a byte of the request was read.
    if ('cut' in answers[0]! && answers[0].cut === 'before') {
      next();
      socket.destroy();
    }
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    const body = parsedOrUndefined(text);
    const refusal = validateRequest({
      method: request.method,
      url: request.url,
      headers: request.headers,
      body,
      apiKey,
    });
    const endpoint = request.url?.endsWith('/responses') ? 'responses' : 'chat';
    const asked = (body ?? {}) as Record<string, unknown>;
    const arrived: FakeRequest = {
      endpoint,
      body: asked,
      key: request.headers['idempotency-key']?.toString(),
      headers: request.headers,
      ...(refusal === undefined ? {} : { refused: refusal.message }),
    };
    record(arrived);
    if (refusal !== undefined) return refuse(response, refusal);
    await answer(response, decide?.(arrived) ?? next(), endpoint, asked);
  }
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    script(...scripted) {
      answers = [...scripted];
    },
    decideBy(wanted) {
      decide = wanted;
    },
    arrived: (count) =>
      count <= requests.length
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ count, resolve })),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  response: ServerResponse,
  scripted: FakeAnswer,
  endpoint: 'chat' | 'responses',
  asked: Record<string, unknown>,
): Promise<void> {
  if ('cut' in scripted) {
    if (scripted.cut === 'middle')
      await writeHalf(response, endpoint, asked, scripted.text ?? 'cut in the middle');
    response.destroy();
    return;
  }
  if ('status' in scripted) return refuse(response, scripted);
  if (scripted.hold !== undefined) await scripted.hold;
  if (response.destroyed) return;
  if ('rawBody' in scripted) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(scripted.rawBody);
    return;
  }
  if (asked.stream === true) {
    await writeEvents(response, eventsOf(endpoint, scripted, asked), scripted.borders);
    return;
  }
  const whole = endpoint === 'chat' ? chatAnswer(scripted, asked) : responsesAnswer(scripted, asked);
  response
    .writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'req_fake' })
    .end(JSON.stringify(whole));
}

function eventsOf(
  endpoint: 'chat' | 'responses',
  answer: TextAnswer,
  asked: Record<string, unknown>,
): string[] {
  return endpoint === 'chat' ? chatEvents(answer, asked) : responsesEvents(answer, asked);
}

/** Half of what the whole answer would be, then nothing. */
async function writeHalf(
  response: ServerResponse,
  endpoint: 'chat' | 'responses',
  asked: Record<string, unknown>,
  text: string,
): Promise<void> {
  const streamed = asked.stream === true;
  const whole = streamed
    ? eventsOf(endpoint, { text }, asked).join('')
    : JSON.stringify(endpoint === 'chat' ? chatAnswer({ text }, asked) : responsesAnswer({ text }, asked));
  response.writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' });
  await new Promise((resolve) => response.write(whole.slice(0, Math.floor(whole.length / 2)), resolve));
}

function refuse(response: ServerResponse, { status, message, headers, type, param, code }: Refusal): void {
  const error = { message, type: type ?? 'invalid_request_error', param: param ?? null, code: code ?? null };
  response
    .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_fake', ...headers })
    .end(JSON.stringify({ error }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}
