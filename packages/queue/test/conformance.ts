// Which mistake would this catch? A doorbell that never rings: lost between the batches, with a dead or closing consumer,
// or behind a message nobody can read. Both backends must pass the same suite.

import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConsumeOptions,
  consume,
  type DoorbellConsumer,
  type DoorbellQueue,
  NewerMessageError,
  openQueue,
  prepareQueue,
  QueueClosedError,
  type QueueConfig,
  QueueConfigError,
  UnreadableMessageError,
} from '../src/index.ts';
import { openProducer } from '../src/open-connection.ts';
import { bell, bells, gate, Heard } from './support/heard.ts';
import { startHoldingConsumer } from './support/held-process.ts';

/** Opens queues and consumers of one test and closes them in `afterEach`. */
export class Opened {
  readonly troubles: Error[] = [];
  readonly #closers: (() => Promise<void>)[] = [];

  async queue(config: QueueConfig): Promise<DoorbellQueue> {
    const queue = await openQueue({ ...config, onTrouble: (trouble) => this.troubles.push(trouble) });
    this.#closers.push(() => queue.close());
    return queue;
  }

  async consumer(
    config: QueueConfig,
    options: Partial<ConsumeOptions> & Pick<ConsumeOptions, 'onBells'>,
    onTrouble: (trouble: Error) => void = (trouble) => this.troubles.push(trouble),
  ): Promise<DoorbellConsumer> {
    const consumer = await consume({ ...config, onTrouble }, { fetchers: 2, ...options });
    this.#closers.push(() => consumer.close({ timeoutMs: 500 }));
    return consumer;
  }

  onClose(closer: () => Promise<void>): void {
    this.#closers.push(closer);
  }

  async closeAll(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
    this.troubles.length = 0;
  }
}

/** A pool nobody else uses. */
export function freshPool(): string {
  return `t${randomBytes(6).toString('hex')}`;
}

/**
 * What every backend must do.
 *
 * @param configOf  the configuration of a pool; called after the servers are up
 */
export function conformance(configOf: (pool: string) => QueueConfig): void {
  const opened = new Opened();
  beforeAll(() => prepareQueue(configOf('default')));
  afterEach(() => opened.closeAll());

  async function putRaw(config: QueueConfig, data: unknown): Promise<void> {
    const producer = openProducer(config, 5_000);
    opened.onClose(() => producer.close());
    await producer.queue.add('ring', data as never, { removeOnComplete: true });
  }

  describe('delivery', () => {
    it('delivers every doorbell of many concurrent rings, in batches of at most 64', async () => {
      const config = configOf(freshPool());
      const heard = new Heard();
      await opened.consumer(config, heard);
      const queue = await opened.queue(config);
      const all = bells(1_000);
      await Promise.all(all.map((one) => queue.ring([one])));
      await heard.all(all.map(({ path }) => path));
      expect(heard.batches.length).toBeLessThan(100);
      expect(Math.max(...heard.batches.map((batch) => batch.length))).toBeLessThanOrEqual(64);
      expect(opened.troubles).toEqual([]);
    });

    it('delivers one doorbell alone when nothing else waits, the run itself included', async () => {
      const config = configOf(freshPool());
      const heard = new Heard();
      await opened.consumer(config, heard);
      const queue = await opened.queue(config);
      await queue.ring([bell('a')]);
      await heard.all(['a']);
      await queue.ring([bell('')]);
      await heard.all(['a', '']);
      expect(heard.batches).toEqual([[bell('a')], [bell('')]]);
    });

    it('delivers rings from before the first consumer', async () => {
      const config = configOf(freshPool());
      const queue = await opened.queue(config);
      await queue.ring(bells(200));
      const heard = new Heard();
      await opened.consumer(config, heard);
      await heard.all(bells(200).map(({ path }) => path));
    });

    it('answers urgent rings first', async () => {
      const config = configOf(freshPool());
      const queue = await opened.queue(config);
      await queue.ring([bell('later')], { priority: 9 });
      await queue.ring([bell('soon')], { priority: 6 });
      await queue.ring([bell('now')]);
      const heard = new Heard();
      await opened.consumer(config, { ...heard, fetchers: 1 });
      await heard.all(['later', 'soon', 'now']);
      expect(heard.paths).toEqual(['now', 'soon', 'later']);
    });

    it('lets workspaces take turns when many wait: a flood does not delay another by more than a bounded number', async () => {
      const config = configOf(freshPool());
      const queue = await opened.queue(config);
      const of = (workspaceId: string, count: number) =>
        Array.from({ length: count }, (_, i) => ({ ...bell(`${workspaceId}${i}`), workspaceId }));
      for (const piece of [1, 2, 3, 4])
        await queue.ring(of(`a${piece}-`, 500).map((one) => ({ ...one, workspaceId: 'a' })));
      await queue.ring(of('b', 1));
      for (const piece of [1, 2])
        await queue.ring(of(`c${piece}-`, 250).map((one) => ({ ...one, workspaceId: 'c' })));
      const heard = new Heard();
      await opened.consumer(config, { ...heard, fetchers: 1 });
      await heard.until(() => heard.paths.length === 2_501);
      // What came before the first look at the queue, and a turn of the others.
      const before = heard.paths.indexOf('b0');
      expect(before).toBeLessThanOrEqual(500 + 2 * 64);
      // From there on the two floods are answered in turn.
      const after = heard.paths.slice(before, before + 640);
      expect(after.filter((path) => path.startsWith('c')).length).toBeGreaterThanOrEqual(250);
    });

    it('keeps pools apart', async () => {
      const [here, there] = [configOf(freshPool()), configOf(freshPool())];
      const heard = new Heard();
      await opened.consumer(here, heard);
      const [queueHere, queueThere] = [await opened.queue(here), await opened.queue(there)];
      await queueThere.ring([bell('theirs')]);
      await queueHere.ring([bell('ours')]);
      await heard.all(['ours']);
      expect(heard.paths).toEqual(['ours']);
      expect(await queueThere.depth()).toEqual({ waiting: 1, active: 0, delayed: 0 });
    });

    it('rings any pool from one queue, each in its own', async () => {
      const [own, other] = [freshPool(), freshPool()];
      const queue = await opened.queue(configOf(own));
      await queue.ring([bell('theirs')], { pool: other, priority: 3 });
      await queue.ring([bell('ours')]);
      expect((await queue.depth()).waiting).toBe(1);
      expect((await queue.depth(other)).waiting).toBe(1);
      const heard = new Heard();
      await opened.consumer(configOf(other), heard);
      await heard.all(['theirs']);
      expect(heard.paths).toEqual(['theirs']);
      expect((await queue.depth()).waiting).toBe(1);
      await expect(queue.ring([bell('a')], { pool: 'a:b' })).rejects.toBeInstanceOf(QueueConfigError);
    });

    it('delivers again when the handler throws, and says so', async () => {
      const config = configOf(freshPool());
      const heard = new Heard();
      const onBells: ConsumeOptions['onBells'] = async (batch) => {
        await heard.onBells(batch);
        if (heard.batches.length < 3) throw new Error('the database is away');
      };
      await opened.consumer(config, { onBells });
      const queue = await opened.queue(config);
      await queue.ring([bell('a'), bell('b')]);
      await heard.until(() => heard.batches.length === 3);
      expect(heard.batches).toEqual(Array(3).fill([bell('a'), bell('b')]));
      expect(opened.troubles.map(({ message }) => message)).toContain('the database is away');
    });
  });

  describe('several consumers', () => {
    it('gives a doorbell to the free one while the other is busy', async () => {
      const config = configOf(freshPool());
      const release = gate();
      const [first, second] = [new Heard(), new Heard()];
      const hold = (heard: Heard) => async (batch: { runId: string; path: string }[]) => {
        await heard.onBells(batch);
        either.wake();
        await release.opened;
      };
      const either = new Heard();
      await opened.consumer(config, { fetchers: 1, onBells: hold(first) });
      await opened.consumer(config, { fetchers: 1, onBells: hold(second) });
      const queue = await opened.queue(config);
      await queue.ring([bell('a')]);
      await either.until(() => first.paths.length + second.paths.length === 1);
      await queue.ring([bell('b')]);
      await either.until(() => first.paths.length === 1 && second.paths.length === 1);
      release.open();
      expect([...first.paths, ...second.paths].sort()).toEqual(['a', 'b']);
    });

    it('splits one ring so that each idle consumer gets a share', async () => {
      const config = configOf(freshPool());
      const release = gate();
      const heard = new Heard();
      const onBells: ConsumeOptions['onBells'] = async (batch) => {
        await heard.onBells(batch);
        await release.opened;
      };
      await opened.consumer(config, { fetchers: 1, onBells });
      await opened.consumer(config, { fetchers: 1, onBells });
      const queue = await opened.queue(config);
      await queue.ring(bells(10));
      await heard.until(() => heard.batches.length === 2);
      release.open();
      expect(heard.batches.map((batch) => batch.length)).toEqual([5, 5]);
    });

    it('delivers what a killed process held to another within the stalled checks', async () => {
      const config = configOf(freshPool());
      const liveness = { lockMs: 1_000, stalledCheckMs: 300 };
      const victim = startHoldingConsumer(config, liveness);
      opened.onClose(() => victim.kill());
      const queue = await opened.queue(config);
      await queue.ring([bell('held')]);
      expect(await victim.holds).toEqual(['held']);
      const heard = new Heard();
      await opened.consumer(config, { ...heard, ...liveness });
      await victim.kill();
      await heard.all(['held']);
      expect(heard.paths).toEqual(['held']);
    });
  });

  describe('closing', () => {
    it('waits for running handlers and fetches nothing more', async () => {
      const config = configOf(freshPool());
      const release = gate();
      const heard = new Heard();
      const finished: string[] = [];
      const consumer = await opened.consumer(config, {
        fetchers: 1,
        onBells: async (batch) => {
          await heard.onBells(batch);
          await release.opened;
          finished.push(...batch.map(({ path }) => path));
        },
      });
      const queue = await opened.queue(config);
      await queue.ring([bell('running')]);
      await heard.all(['running']);
      await queue.ring([bell('next')]);
      const closed = consumer.close();
      release.open();
      await closed;
      expect(finished).toEqual(['running']);
      expect(await queue.depth()).toEqual({ waiting: 1, active: 0, delayed: 0 });
    });

    it('gives back at the end of its patience what still runs', async () => {
      const config = configOf(freshPool());
      const release = gate();
      const stuck = new Heard();
      const consumer = await opened.consumer(config, {
        onBells: async (batch) => {
          await stuck.onBells(batch);
          await release.opened;
        },
      });
      const queue = await opened.queue(config);
      await queue.ring([bell('stuck')]);
      await stuck.all(['stuck']);
      await consumer.close({ timeoutMs: 1 });
      const other = new Heard();
      await opened.consumer(config, other); // its lock of 60 s would outlast this test
      await other.all(['stuck']);
      release.open();
    });

    it('starts no handler after pause', async () => {
      const config = configOf(freshPool());
      const paused = new Heard();
      const consumer = await opened.consumer(config, paused);
      const queue = await opened.queue(config);
      await queue.ring([bell('before')]);
      await paused.all(['before']);
      await consumer.pause();
      await queue.ring([bell('after')]);
      const other = new Heard();
      await opened.consumer(config, other);
      await other.all(['after']);
      expect(paused.paths).toEqual(['before']);
    });

    it('sends what waits before the queue closes, and refuses rings after', async () => {
      const config = configOf(freshPool());
      const queue = await opened.queue(config);
      const rung = queue.ring([bell('last')]);
      await queue.close();
      await rung;
      await expect(queue.ring([bell('late')])).rejects.toBeInstanceOf(QueueClosedError);
      const heard = new Heard();
      await opened.consumer(config, heard);
      await heard.all(['last']);
      expect(heard.paths).toEqual(['last']);
    });
  });

  describe('depth', () => {
    it('counts what waits, runs and was put aside', async () => {
      const config = configOf(freshPool());
      const queue = await opened.queue(config);
      await putRaw(config, { v: 2, shape: 'of a newer release' });
      await queue.ring([bell('a')]);
      await queue.ring([bell('b')], { priority: 5 });
      expect(await queue.depth()).toEqual({ waiting: 3, active: 0, delayed: 0 });
      const release = gate();
      const heard = new Heard();
      await opened.consumer(config, {
        fetchers: 1,
        newerVersionDelayMs: 60_000,
        onBells: async (batch) => {
          await heard.onBells(batch);
          await release.opened;
        },
      });
      await heard.all(['a']);
      expect(await queue.depth()).toEqual({ waiting: 1, active: 1, delayed: 1 });
      release.open();
    });
  });

  describe('messages this release cannot read', () => {
    it('C53: puts a newer message aside without using an attempt, and goes on', async () => {
      const config = configOf(freshPool());
      await putRaw(config, { v: 2, shape: 'of a newer release' });
      const heard = new Heard();
      await opened.consumer(config, { ...heard, newerVersionDelayMs: 60_000 });
      const queue = await opened.queue(config);
      await queue.ring([bell('known')]);
      await heard.all(['known']);
      const producer = openProducer(config, 5_000);
      opened.onClose(() => producer.close());
      const [aside] = await producer.queue.getDelayed();
      expect(aside?.data).toEqual({ v: 2, shape: 'of a newer release' });
      expect(aside?.attemptsMade).toBe(0);
      expect(heard.paths).toEqual(['known']);
      expect(opened.troubles.filter((trouble) => trouble instanceof NewerMessageError)).toHaveLength(1);
    });

    it.each([
      ['no version', { b: [['r', 'p']] }],
      ['pairs of the wrong shape', { v: 1, b: [['r', 7]] }],
      ['no object', 'hello'],
    ])('drops a message with %s', async (_name, data) => {
      const config = configOf(freshPool());
      await putRaw(config, data);
      const heard = new Heard();
      await opened.consumer(config, { ...heard, fetchers: 1 });
      const queue = await opened.queue(config);
      await queue.ring([bell('good')]);
      await heard.all(['good']);
      expect(heard.paths).toEqual(['good']);
      expect(opened.troubles.some((trouble) => trouble instanceof UnreadableMessageError)).toBe(true);
    });
  });

  describe('settings', () => {
    it('refuses a pool, a priority or a number of fetchers out of range', async () => {
      const onBells = async () => {};
      await expect(openQueue({ ...configOf('a:b') })).rejects.toBeInstanceOf(QueueConfigError);
      await expect(consume(configOf('x'), { fetchers: 0, onBells })).rejects.toBeInstanceOf(QueueConfigError);
      const queue = await opened.queue(configOf(freshPool()));
      await expect(queue.ring([bell('a')], { priority: -1 })).rejects.toBeInstanceOf(QueueConfigError);
    });

    it('prepares once when many ask at the same time', async () => {
      await Promise.all(Array.from({ length: 6 }, () => prepareQueue(configOf('default'))));
    });
  });
}
