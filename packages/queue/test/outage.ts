import { expect, it } from 'vitest';
import type { TestServer } from '../../../test/support/process.ts';
import { type QueueConfig, QueueUnavailableError } from '../src/index.ts';
import { freshPool, type Opened } from './conformance.ts';
import { bell, gate, Heard } from './support/heard.ts';
import { startHoldingConsumer } from './support/held-process.ts';

/**
 * What every backend must do when its server goes away and comes back (C49).
 */
export function outage(own: {
  readonly server: () => TestServer;
  readonly configOf: (pool: string) => QueueConfig;
  readonly opened: Opened;
}): void {
  const { configOf, opened } = own;

  it.each(['fast', 'immediate'] as const)(
    'C49: refuses rings during an outage (%s) and goes on after it without a restart',
    async (mode) => {
      const config = configOf(freshPool());
      const liveness = { lockMs: 1_000, stalledCheckMs: 300 };
      const heard = new Heard();
      const release = { running: gate(), busy: gate() };
      await opened.consumer(config, {
        ...liveness,
        fetchers: 1,
        onBells: async (batch) => {
          await heard.onBells(batch);
          const path = batch[0]?.path;
          if (path === 'running' || path === 'busy') await release[path].opened;
        },
      });
      const queue = await opened.queue(config);
      await queue.ring([bell('running')]);
      await heard.all(['running']);

      await own.server().stop({ mode });
      await expect(queue.ring([bell('lost')])).rejects.toBeInstanceOf(QueueUnavailableError);
      await expect(queue.depth()).rejects.toBeInstanceOf(QueueUnavailableError);
      release.running.open(); // its answer meets no server
      await own.server().restart();

      const ringAgain = () => queue.ring([bell('after')]).then(() => 'rung', String);
      await expect.poll(ringAgain, { timeout: 20_000 }).toBe('rung');
      await heard.all(['after']);
      expect(opened.troubles.length).toBeGreaterThan(0);

      // The look-out for dead consumers must have survived the outage too. The consumer is kept busy meanwhile, so that
      // the doorbell goes to the process that is killed.
      await queue.ring([bell('busy')]);
      await heard.all(['busy']);
      const victim = startHoldingConsumer(config, liveness);
      opened.onClose(() => victim.kill());
      await queue.ring([bell('held')]);
      expect(await victim.holds).toEqual(['held']);
      await victim.kill();
      release.busy.open();
      await heard.all(['held']);
    },
  );

  it('closes within its patience while the server is away', async () => {
    const config = configOf(freshPool());
    const heard = new Heard();
    const release = gate();
    const consumer = await opened.consumer(config, {
      onBells: async (batch) => {
        await heard.onBells(batch);
        await release.opened;
      },
    });
    const queue = await opened.queue(config);
    await queue.ring([bell('running')]);
    await heard.all(['running']);
    await own.server().stop({ mode: 'immediate' });
    await consumer.close({ timeoutMs: 100 });
    await queue.close();
    release.open();
    await own.server().restart();
  });

  it('lets a process end that closed its consumer while the server is away', async () => {
    const config = configOf(freshPool());
    const held = startHoldingConsumer(config, { lockMs: 1_000, stalledCheckMs: 300 });
    opened.onClose(() => held.kill());
    const queue = await opened.queue(config);
    await queue.ring([bell('held')]);
    expect(await held.holds).toEqual(['held']);
    await own.server().stop({ mode: 'immediate' });
    expect(await held.closeAndEnd()).toBe(0);
    await own.server().restart();
  });
}
