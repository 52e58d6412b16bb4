// Would catch: a herd of renewals after an outage, each with the looks that follow it.
import { describe, expect, it } from 'vitest';
import { Lease } from '../../../src/runtime/lease.ts';

describe('lease', () => {
  it('one renewal serves everybody who waits for one', async () => {
    const answers: ((isHeld: boolean) => void)[] = [];
    let looks = 0;
    const lease = new Lease({
      leaseMs: 60_000,
      marginMs: 60_000,
      renew: () => new Promise((resolve) => answers.push(resolve)),
      onRenewed: async () => {
        looks += 1;
      },
      onLost: () => {},
      onError: () => {},
    });
    const waiting = [lease.hasMargin(), lease.hasMargin(), lease.hasMargin()];
    expect(answers).toHaveLength(1);
    answers[0]!(false);
    expect(await Promise.all(waiting)).toEqual([false, false, false]);
    expect(looks).toBe(0);
  });
});
