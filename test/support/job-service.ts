import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '@pawl/dag-core';

/** How a job stands, as the service tells whoever asks. */
export type JobState =
  | { readonly state: 'working' }
  | { readonly state: 'done'; readonly result: Json }
  | { readonly state: 'failed'; readonly error: string; readonly retryable: boolean };

/** A job that the service took, by the key of the call. */
export interface Job {
  readonly id: string;
  readonly key: string;
  readonly what: unknown;
  readonly callback: string;
  state: JobState;
  /** How often it was asked for, and how often its state was asked. */
  orders: number;
  looks: number;
}

/** What becomes of one look instead of the plain answer. */
interface Look {
  /** Resolves when it may be answered: with how the job stands then. */
  readonly hold?: Promise<unknown>;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/** A service that takes jobs, is asked how they stand, and is told by tests when they end. */
export interface JobService {
  readonly url: string;
  /** The jobs of a run. */
  of(runId: string): Job[];
  end(job: Job, state: JobState): void;
  /** What happens to the next looks at any job. */
  script(...looks: Look[]): void;
  /** Resolves with the first job of a run. */
  taken(runId: string): Promise<Job>;
  /** Resolves when a job has been asked about so often. */
  looked(job: Job, times: number): Promise<void>;
  close(): Promise<void>;
}

/** `POST /jobs` with a key takes a job, once per key; `GET /jobs/<id>` says how it stands. */
export async function startJobService(): Promise<JobService> {
  const jobs: Job[] = [];
  const scripted: Look[] = [];
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const watcher of watchers) watcher();
  };
  const when = <T>(found: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const look = () => {
        const value = found();
        if (value === undefined) return;
        watchers.delete(look);
        resolve(value);
      };
      watchers.add(look);
      look();
    });
  const of = (runId: string) => jobs.filter(({ key }) => key.startsWith(runId));

  async function order(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const key = String(request.headers['idempotency-key'] ?? '');
    if (key === '') return reply(response, 400, { error: 'an order needs a key' });
    const { what, callback } = JSON.parse(await textOf(request)) as { what: unknown; callback: string };
    let job = jobs.find((known) => known.key === key);
    if (!job) {
      const id = `j-${jobs.length}`;
      job = { id, key, what, callback, state: { state: 'working' }, orders: 0, looks: 0 };
      jobs.push(job);
    }
    job.orders += 1;
    changed();
    reply(response, 202, { job: job.id });
  }

  async function look(job: Job, response: ServerResponse): Promise<void> {
    job.looks += 1;
    const { hold, status, headers } = scripted.shift() ?? {};
    changed();
    await hold;
    if (status === undefined) reply(response, 200, job.state);
    else reply(response, status, { error: `told to answer ${status}` }, headers);
  }

  const server = createServer((request, response) => {
    const [, resource, id] = (request.url ?? '').split('/');
    const job = jobs.find((known) => known.id === id);
    const handled =
      resource !== 'jobs'
        ? reply(response, 404, { error: 'there are only jobs here' })
        : request.method === 'POST'
          ? order(request, response)
          : job
            ? look(job, response)
            : reply(response, 404, { error: `there is no job ${id}` });
    Promise.resolve(handled).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    of,
    end(job, state) {
      job.state = state;
    },
    script: (...looks) => void scripted.push(...looks),
    taken: (runId) => when(() => of(runId)[0]),
    looked: (job, times) => when(() => (job.looks >= times ? true : undefined)).then(() => {}),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

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
