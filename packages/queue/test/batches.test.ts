// Which mistake would this catch? Rings that wait for a timer, get lost between two batches, or grow without bound while
// the queue is away.

import { describe, expect, it } from 'vitest';
import { Batches, bellsPerJob, type Gathered } from '../src/batches.ts';
import { bell, bells, gate } from './support/heard.ts';

interface Sent {
  readonly paths: string[];
  readonly priority: number;
  readonly gathered: Gathered;
}

function recorder(answer: (sends: number) => Promise<void> = async () => {}) {
  const sent: Sent[] = [];
  const batches = new Batches((batch, priority, gathered) => {
    sent.push({ paths: batch.map(({ path }) => path), priority, gathered });
    return answer(sent.length);
  });
  return { sent, batches };
}

describe('Batches', () => {
  it('sends the rings of one tick together, as idle', async () => {
    const { sent, batches } = recorder();
    await Promise.all([batches.add([bell('a')], 0), batches.add([bell('b'), bell('c')], 0)]);
    expect(sent).toEqual([{ paths: ['a', 'b', 'c'], priority: 0, gathered: 'idle' }]);
  });

  it('lets what comes during a send join the next one, equal doorbells once', async () => {
    const first = gate();
    const { sent, batches } = recorder((sends) => (sends === 1 ? first.opened : Promise.resolve()));
    const rungFirst = batches.add([bell('a')], 0);
    await Promise.resolve();
    await Promise.resolve();
    const rungLater = [batches.add([bell('b')], 0), batches.add([bell('c'), bell('b')], 0)];
    first.open();
    await Promise.all([rungFirst, ...rungLater]);
    expect(sent).toEqual([
      { paths: ['a'], priority: 0, gathered: 'idle' },
      { paths: ['b', 'c'], priority: 0, gathered: 'under-load' },
    ]);
  });

  it('keeps priorities apart', async () => {
    const { sent, batches } = recorder();
    await Promise.all([batches.add([bell('a')], 0), batches.add([bell('b')], 3)]);
    expect(sent.map(({ paths, priority }) => ({ paths, priority }))).toEqual([
      { paths: ['a'], priority: 0 },
      { paths: ['b'], priority: 3 },
    ]);
  });

  it('sends a huge ring in pieces and resolves after the last', async () => {
    const { sent, batches } = recorder();
    await batches.add(bells(10_000), 0);
    expect(sent.map(({ paths }) => paths.length)).toEqual([4_096, 4_096, 1_808]);
  });

  it('fails everything that waits together with the send that failed, and works on after that', async () => {
    const away = gate();
    const { sent, batches } = recorder(async (sends) => {
      if (sends > 1) return;
      await away.opened;
      throw new Error('away');
    });
    const rungFirst = batches.add([bell('a')], 0);
    await Promise.resolve();
    await Promise.resolve();
    const rungLater = batches.add([bell('b')], 0);
    const both = Promise.allSettled([rungFirst, rungLater]);
    away.open();
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await batches.add([bell('c')], 0);
    expect(sent.map(({ paths }) => paths)).toEqual([['a'], ['c']]);
  });

  it('is idle only when nothing is under way', async () => {
    const first = gate();
    const { sent, batches } = recorder((sends) => (sends === 1 ? first.opened : Promise.resolve()));
    void batches.add([bell('a')], 0);
    const idle = batches.idle();
    void batches.add([bell('b')], 1);
    first.open();
    await idle;
    expect(sent).toHaveLength(2);
  });
});

describe('bellsPerJob', () => {
  it.each([
    { count: 1, consumers: 1, gathered: 'idle', size: 1 },
    { count: 10, consumers: 4, gathered: 'idle', size: 3 },
    { count: 3, consumers: 8, gathered: 'idle', size: 1 },
    { count: 10, consumers: 4, gathered: 'under-load', size: 8 },
    { count: 200, consumers: 4, gathered: 'under-load', size: 50 },
    { count: 1_000, consumers: 4, gathered: 'under-load', size: 64 },
    { count: 1_000, consumers: 0, gathered: 'idle', size: 64 },
  ] as const)('$count doorbells for $consumers consumers, $gathered: $size', (row) => {
    expect(bellsPerJob(row.count, row.consumers, row.gathered)).toBe(row.size);
  });
});
