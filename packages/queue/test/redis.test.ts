// Which mistake would this catch? Doorbells that work only as long as Redis does: a client that never comes back, a ring
// that hangs while Redis is away, a crash on an error nobody listens to.

import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { findRedis, startRedis, type TestServer } from '../../../test/support/process.ts';
import { type QueueConfig, QueueUnavailableError } from '../src/index.ts';
import { conformance, freshPool, Opened } from './conformance.ts';
import { outage } from './outage.ts';
import { bell, Heard } from './support/heard.ts';

const redisUrl = inject('redisUrl');

describe.skipIf(redisUrl === undefined)('Redis', () => {
  conformance((pool) => ({ backend: 'redis', url: redisUrl ?? '', pool }));

  // REDIS_URL may name a server elsewhere: these tests stop and start one and need the program. CI must have it.
  describe.skipIf(!findRedis() && !process.env.CI)('a server of its own', () => {
    const opened = new Opened();
    let server: TestServer;
    const configOf = (pool: string): QueueConfig => ({ backend: 'redis', url: server.url, pool });
    beforeAll(async () => {
      server = await startRedis();
    });
    afterEach(() => opened.closeAll());
    afterAll(() => server?.dispose());

    outage({ server: () => server, configOf, opened });

    it('goes on after FLUSHALL, also with a handler that was running', async () => {
      const config = configOf(freshPool());
      const heard = new Heard();
      const admin = new Redis(server.url);
      opened.onClose(async () => admin.disconnect());
      await opened.consumer(config, {
        onBells: async (batch) => {
          if (batch[0]?.path === 'flush') await admin.flushall();
          await heard.onBells(batch);
        },
      });
      const queue = await opened.queue(config);
      await queue.ring([bell('flush')]);
      await heard.all(['flush']);
      await queue.ring([bell('after')]);
      await heard.all(['after']);
      expect(await queue.depth()).toMatchObject({ waiting: 0, delayed: 0 });
    });

    it('refuses a ring that gets no answer in time, and rings again when the server answers', async () => {
      const config = { ...configOf(freshPool()), ringTimeoutMs: 200 };
      const heard = new Heard();
      await opened.consumer(config, heard);
      const queue = await opened.queue(config);
      process.kill(server.pid(), 'SIGSTOP');
      try {
        await expect(queue.ring([bell('silent')])).rejects.toBeInstanceOf(QueueUnavailableError);
      } finally {
        process.kill(server.pid(), 'SIGCONT'); // a stopped server would not end with the test
      }
      await expect.poll(() => queue.ring([bell('again')]).then(() => 'rung', String)).toBe('rung');
      await heard.all(['again']);
    });

    it('opens while Redis is away, and works once it is there', async () => {
      const config = { ...configOf(freshPool()), ringTimeoutMs: 200 };
      await server.stop();
      const heard = new Heard();
      await opened.consumer(config, heard);
      const queue = await opened.queue(config);
      await expect(queue.ring([bell('early')])).rejects.toBeInstanceOf(QueueUnavailableError);
      await server.restart();
      await expect
        .poll(() => queue.ring([bell('there')]).then(() => 'rung', String), { timeout: 20_000 })
        .toBe('rung');
      await heard.all(['there']);
    });
  });
});
