import { prepareQueue } from '@pawl/queue';
import { createPostgresBackend, Queue, type QueueOptions, Worker, type WorkerOptions } from 'bullmq';
import type { Closers } from '../closers.ts';
import type { Backend } from '../result.ts';

/** Callers that each wait until their job is added. */
const ADDERS = 20;
const SCHEMA = 'raw_queue';
const NAME = 'raw';

/**
 * Jobs per second through BullMQ alone, added one by one and processed by an empty handler, both in this process; from the
 * first add until the last job is done. Done twice; the first time warms up.
 */
export async function bullmqJobsPerSecond(
  { backend, url }: { backend: Backend; url: string },
  ms: number,
  closers: Closers,
): Promise<number> {
  if (backend === 'postgres') await prepareQueue({ backend, url, schema: SCHEMA });
  const connection = backend === 'redis' ? { url } : { connectionString: url, schema: SCHEMA, max: ADDERS };
  const factory = backend === 'postgres' ? [createPostgresBackend as never] : [];
  const queue = new Queue(
    NAME,
    { connection, prefix: `pawl-bench-raw-${process.pid}` } as unknown as QueueOptions,
    ...factory,
  );
  closers.add(() => queue.close());
  let done = 0;
  let onDone = (): unknown => undefined;
  const worker = new Worker(
    NAME,
    async () => {
      done += 1;
      onDone();
    },
    {
      connection: backend === 'redis' ? { url, maxRetriesPerRequest: null } : connection,
      prefix: `pawl-bench-raw-${process.pid}`,
      concurrency: 50,
    } as unknown as WorkerOptions,
    ...factory,
  );
  closers.add(() => worker.close());
  worker.on('error', () => {});
  await worker.waitUntilReady();

  /** Adds for so long, then waits for the last job; jobs per second. */
  const addAndProcess = async (forMs: number): Promise<number> => {
    const begun = performance.now();
    let added = 0;
    done = 0;
    await Promise.all(
      Array.from({ length: ADDERS }, async () => {
        while (performance.now() - begun < forMs) {
          await queue.add('job', { n: added }, { removeOnComplete: true });
          added += 1;
        }
      }),
    );
    await new Promise<void>((resolve) => {
      onDone = () => done >= added && resolve();
      onDone();
    });
    onDone = () => undefined;
    return added / ((performance.now() - begun) / 1_000);
  };
  await addAndProcess(ms);
  const perSecond = await addAndProcess(ms);
  await worker.close();
  await queue.obliterate({ force: true });
  return perSecond;
}
