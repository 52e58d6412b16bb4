import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';

/** What becomes of the next commit that passes by. */
export type CommitFate =
  /** It reaches the server, its answer is dropped and the connection cut. */
  | 'drop answer'
  /** It never reaches the server; the connection is cut. */
  | 'drop request'
  /** The client is cut off at once; the server gets it when the test says so. */
  | 'hold';

/** A TCP proxy before PostgreSQL that loses commits, their answers, or everything. */
export class PostgresProxy {
  readonly url: string;
  readonly #server;
  readonly #target: { readonly host: string; readonly port: number };
  readonly #pairs = new Set<{ readonly client: Socket; readonly server: Socket }>();
  #fate: { readonly fate: CommitFate; readonly done: () => void } | undefined;
  #isAway = false;
  #held: (() => void) | undefined;

  private constructor(server: ReturnType<typeof createServer>, url: string, target: URL) {
    this.#server = server;
    this.url = url;
    this.#target = { host: target.hostname, port: Number(target.port) };
    server.on('connection', (client) => this.#serve(client));
  }

  static async start(databaseUrl: string): Promise<PostgresProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    const target = new URL(databaseUrl);
    const address = server.address();
    url.hostname = '127.0.0.1';
    url.port = String(typeof address === 'object' && address ? address.port : 0);
    return new PostgresProxy(server, url.href, target);
  }

  /** Resolves when the fate has struck a commit. */
  nextCommit(fate: CommitFate): Promise<void> {
    return new Promise((done) => {
      this.#fate = { fate, done };
    });
  }

  /** Lets the held commit go to the server. */
  releaseCommit(): void {
    this.#held?.();
    this.#held = undefined;
  }

  /** Cuts every connection and refuses new ones. */
  goAway(): void {
    this.#isAway = true;
    for (const pair of this.#pairs) cut(pair);
  }

  comeBack(): void {
    this.#isAway = false;
  }

  async close(): Promise<void> {
    this.goAway();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(client: Socket): void {
    client.on('error', () => {});
    if (this.#isAway) {
      client.destroy();
      return;
    }
    const server = dial(this.#target);
    server.on('error', () => {});
    const pair = { client, server };
    this.#pairs.add(pair);
    let isStruck = false;
    client.on('data', (chunk: Buffer) => {
      const strike = isStruck || !isCommit(chunk) ? undefined : this.#fate;
      if (!strike) {
        server.write(chunk);
        return;
      }
      isStruck = true;
      this.#fate = undefined;
      if (strike.fate === 'drop request') {
        cut(pair);
        strike.done();
      } else if (strike.fate === 'hold') {
        // What came before the commit in this packet goes on, so that the transaction holds its locks.
        const at = chunk.lastIndexOf(COMMIT);
        server.write(chunk.subarray(0, at));
        this.#held = () => server.end(chunk.subarray(at));
        client.destroy();
        strike.done();
      } else {
        server.removeAllListeners('data');
        let seen = '';
        server.on('data', (answer: Buffer) => {
          seen += answer.toString('latin1');
          if (!seen.includes('COMMIT\0')) return;
          cut(pair);
          strike.done();
        });
        server.write(chunk);
      }
    });
    server.on('data', (chunk: Buffer) => client.write(chunk));
    client.on('close', () => {
      this.#pairs.delete(pair);
      if (!isStruck) server.destroy();
    });
    server.on('close', () => client.destroy());
  }
}

/** A simple query message that says `commit`. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1');
const isCommit = (chunk: Buffer): boolean => chunk.includes(COMMIT);

function cut({ client, server }: { readonly client: Socket; readonly server: Socket }): void {
  client.destroy();
  server.destroy();
}
