// Would catch: something sent under a lease that is about to end or has ended; a herd of renewals after an outage.
import { describe, expect, it } from 'vitest';
import { Lease } from '../../../src/runtime/lease.ts';

function aState(leftMs: number) {
  const answers: (() => void)[] = [];
  return {
    answers,
    isLost: false,
    leftMs,
    renew: () => new Promise<void>((resolve) => answers.push(resolve)),
  };
}

describe('lease', () => {
  it('lets what has margin pass without asking', async () => {
    const state = aState(2_001);
    expect(await new Lease(state, 2_000).hasMargin()).toBe(true);
    expect(state.answers).toHaveLength(0);
  });

  it('one renewal serves everybody who waits for one', async () => {
    const state = aState(2_000);
    const lease = new Lease(state, 2_000);
    const waiting = [lease.hasMargin(), lease.hasMargin(), lease.hasMargin()];
    expect(state.answers).toHaveLength(1);
    state.isLost = true;
    state.answers[0]!();
    expect(await Promise.all(waiting)).toEqual([false, false, false]);
  });

  it('a renewal that failed is asked for again', async () => {
    const state = aState(0);
    const waiting = new Lease(state, 2_000).hasMargin();
    state.answers.shift()!();
    await expect.poll(() => state.answers.length).toBe(1);
    state.leftMs = 15_000;
    state.answers.shift()!();
    expect(await waiting).toBe(true);
  });

  it('a worker that ends sends nothing more', async () => {
    const lease = new Lease(aState(15_000), 2_000);
    lease.end();
    expect(await lease.hasMargin()).toBe(false);
  });
});
