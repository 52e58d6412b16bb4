// Which mistake would this catch? A limit that lets more through than it says, one that holds up what fits, one that never lets a
// large call through, or a state that grows (L3–L6).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  askLimit,
  type CallLimit,
  isLimitTarget,
  type LimitUse,
  limitCovers,
  serveLine,
  settleCall,
} from '../../src/index.ts';

const NOTHING: LimitUse = { slots: [], underWay: 0 };
const optional = (most: number) => fc.option(fc.integer({ min: 1, max: most }), { nil: undefined });
const limits = fc.record({
  concurrency: optional(4),
  requests: optional(6),
  tokens: optional(100),
  windowMs: fc.integer({ min: 1, max: 2_000 }),
}) as fc.Arbitrary<CallLimit>;
/** Calls come after a pause, take tokens, and are under way for a while. */
const calls = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 0, max: 400 }),
    tokens: fc.integer({ min: 0, max: 120 }),
    lastsMs: fc.integer({ min: 0, max: 300 }),
    used: fc.integer({ min: 0, max: 120 }),
  }),
  { maxLength: 80 },
);

interface Granted {
  readonly at: number;
  readonly tokens: number;
  readonly endsAt: number;
}

describe('a limit of calls', () => {
  it('L3: grants in no window more than it says, and no more at once', () => {
    fc.assert(
      fc.property(limits, calls, (limit, asks) => {
        let use = NOTHING;
        let now = 1_000_000;
        const granted: Granted[] = [];
        const ended = new Set<Granted>();
        for (const ask of asks) {
          now += ask.afterMs;
          for (const call of granted) {
            if (ended.has(call) || call.endsAt > now) continue;
            ended.add(call);
            use = settleCall(
              limit,
              use,
              { grantedAtMs: call.at, granted: call, requests: 1, tokens: call.tokens },
              now,
            );
          }
          const answer = askLimit(limit, use, ask, now);
          if (!answer.isGranted) continue;
          use = answer.use;
          granted.push({ at: now, tokens: ask.tokens, endsAt: now + ask.lastsMs });
          const inWindow = granted.filter(({ at }) => at > now - limit.windowMs);
          expect(inWindow.length).toBeLessThanOrEqual(limit.requests ?? Number.POSITIVE_INFINITY);
          const most = limit.tokens ?? Number.POSITIVE_INFINITY;
          const counted = inWindow.reduce((sum, { tokens }) => sum + Math.min(tokens, most), 0);
          expect(counted).toBeLessThanOrEqual(most);
          expect(granted.filter((call) => !ended.has(call)).length).toBeLessThanOrEqual(
            limit.concurrency ?? Number.POSITIVE_INFINITY,
          );
          expect(use.slots.length).toBeLessThanOrEqual(22);
        }
      }),
    );
  });

  it('L4: who comes when it was told to is granted, and would not have been a moment before, slots aside', () => {
    fc.assert(
      fc.property(limits, calls, ({ concurrency: _, ...limit }, asks) => {
        let use = NOTHING;
        let now = 1_000_000;
        for (const ask of asks) {
          now += ask.afterMs;
          const answer = askLimit(limit, use, ask, now);
          if (answer.isGranted) use = answer.use;
          else {
            expect(answer.until).toBeGreaterThan(now);
            expect(answer.until! - now).toBeLessThanOrEqual(limit.windowMs);
            expect(askLimit(limit, use, ask, answer.until! - 1).isGranted).toBe(false);
            expect(askLimit(limit, use, ask, answer.until!).isGranted).toBe(true);
          }
        }
      }),
    );
  });

  it('L5: a call larger than the whole limit is granted once nothing else counts', () => {
    const limit = { tokens: 10, windowMs: 1_000 };
    const first = askLimit(limit, NOTHING, { tokens: 1_000_000 }, 5);
    expect(first.isGranted).toBe(true);
    const { use } = first as Extract<typeof first, { isGranted: true }>;
    expect(askLimit(limit, use, { tokens: 1 }, 6)).toEqual({ isGranted: false, until: 1_005 });
  });

  it('L4: what a call really took stands in the place of what was granted for it', () => {
    const limit = { tokens: 100, windowMs: 1_000 };
    const { use } = serveLine(limit, NOTHING, [{ tokens: 90 }], 0);
    expect(askLimit(limit, use, { tokens: 50 }, 10).isGranted).toBe(false);
    const settled = settleCall(
      limit,
      use,
      { grantedAtMs: 0, granted: { tokens: 90 }, requests: 1, tokens: 20 },
      20,
    );
    expect(settled).toMatchObject({ underWay: 0, slots: [{ requests: 1, tokens: 20 }] });
    expect(askLimit(limit, settled, { tokens: 50 }, 30).isGranted).toBe(true);
    // One that repaired its answer made two calls.
    const twice = settleCall(
      limit,
      use,
      { grantedAtMs: 0, granted: { tokens: 90 }, requests: 2, tokens: 40 },
      20,
    );
    expect(twice.slots).toMatchObject([{ requests: 2, tokens: 40 }]);
  });

  it('L4: a line is served from its head; one at a time comes when one ends', () => {
    const limit = { concurrency: 2, windowMs: 1_000 };
    const asks = [{ tokens: 1 }, { tokens: 1 }, { tokens: 1 }];
    const served = serveLine(limit, NOTHING, asks, 0);
    expect(served).toMatchObject({ granted: 2, use: { underWay: 2 } });
    expect(served.until).toBeUndefined();
    const ended = settleCall(
      limit,
      served.use,
      { grantedAtMs: 0, granted: asks[0]!, requests: 1, tokens: 1 },
      9,
    );
    expect(serveLine(limit, ended, asks.slice(2), 9).granted).toBe(1);
  });

  it('C68: nobody is granted while a limit is paused, and everybody after', () => {
    const paused = { ...NOTHING, pausedUntilMs: 500 };
    expect(askLimit({ windowMs: 1 }, paused, { tokens: 1 }, 499)).toEqual({ isGranted: false, until: 500 });
    expect(askLimit({ windowMs: 1 }, paused, { tokens: 1 }, 500).isGranted).toBe(true);
  });

  it('L4: a clock that is set back holds nobody up for longer than a window', () => {
    const limit = { requests: 1, windowMs: 1_000 };
    const { use } = serveLine(limit, NOTHING, [{ tokens: 0 }], 9_000_000);
    expect(askLimit(limit, use, { tokens: 0 }, 5_000)).toEqual({ isGranted: false, until: 6_000 });
  });
});

describe('what a limit is about (L6)', () => {
  it.each([
    ['openai:*', 'openai:gpt-5', true],
    ['openai:gpt-5', 'openai:gpt-5', true],
    ['openai:gpt-5', 'openai:gpt-5-mini', false],
    ['openai:*', 'openai2:gpt-5', false],
    ['crm.find@*', 'crm.find@2', true],
    ['crm.find@2', 'crm.find@3', false],
    ['crm.find@*', 'crm.findall@2', false],
  ])('%s and %s', (target, called, covers) => {
    expect(isLimitTarget(target)).toBe(true);
    expect(limitCovers(target, called)).toBe(covers);
  });

  it.each(['', '*', 'openai', 'openai:', 'crm.find@', ':x', 'a b:c', 'a:*b', `a:${'x'.repeat(200)}`])(
    '%j names nothing',
    (text) => {
      expect(isLimitTarget(text)).toBe(false);
    },
  );
});
