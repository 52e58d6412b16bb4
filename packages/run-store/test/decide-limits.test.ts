// Which mistake would this catch? A limit that grants too much, somebody who stands in line for ever, two node runs that wait for each
// other's permits, a permit that is never given back (L3–L8).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideLimits } from '../src/limits/decide-limits.ts';
import type { LimitOperation, LockedLimit, Permit, PermitAsk, Standing } from '../src/limits/limit-shapes.ts';

const WORKSPACES = ['w1', 'w2', 'w3'];
const nodeRunOf = (call: number) => ({ runId: `r${call}`, path: 'a' });
const askOf = (call: number, keys: readonly string[], workerId = 'x'): PermitAsk => ({
  ...{ type: 'ask', keys, attempt: 1, workerId, tokens: 10 },
  ...nodeRunOf(call),
});

/** Limits, permits and lines as a database would hold them, with a clock of its own. */
class World {
  nowMs = 1_000_000;
  limits: LockedLimit[];
  permits: Permit[] = [];
  lines: Standing[] = [];
  /** Node runs that were rung for, and since when each stands. */
  rung: number[] = [];

  constructor(limits: Record<string, LockedLimit['limit']>) {
    this.limits = Object.entries(limits).map(([key, limit]) => ({
      ...{ key, limit, use: { slots: [], underWay: 0 } },
      ...{ lastWorkspaceId: undefined, wakeAtMs: undefined },
    }));
  }

  apply(...operations: LimitOperation[]) {
    const keys = new Set(operations.flatMap((operation) => operation.keys));
    const limits = this.limits
      .filter(({ key }) => keys.has(key))
      .map((limit) => ({
        ...limit,
        use: { ...limit.use, underWay: this.permits.filter(({ key }) => key === limit.key).length },
      }));
    const changes = decideLimits(operations, {
      limits,
      permits: this.permits.filter((permit) =>
        operations.some((operation) => 'runId' in operation && operation.runId === permit.runId),
      ),
      lines: this.lines.filter(({ key }) => keys.has(key)),
      nowMs: this.nowMs,
    });
    for (const changed of changes.limits)
      this.limits = this.limits.map((one) => (one.key === changed.key ? changed : one));
    const isSame = (a: Permit) => (b: Permit) => a.runId === b.runId && a.key === b.key;
    for (const permit of [...changes.taken, ...changes.given])
      this.permits = this.permits.filter((one) => !isSame(permit)(one));
    this.permits.push(...changes.given);
    this.lines = this.lines.filter((standing) => !changes.left.includes(standing));
    this.rung.push(...changes.rung.map(({ runId }) => Number(runId.slice(1))));
    return changes.answers;
  }

  /** Asks; stands in the line of the limit that refuses, as a worker does. */
  ask(call: number, keys: readonly string[], workspaceId = WORKSPACES[call % 3]!): boolean {
    const [answer] = this.apply(askOf(call, keys));
    if (answer!.isGranted) return true;
    const place = { key: answer!.refusedBy, workspaceId, tokens: 10, isReady: true };
    this.lines.push({ ...nodeRunOf(call), ...place });
    this.apply({ type: 'look', keys: [answer!.refusedBy] });
    return false;
  }

  end(call: number, keys: readonly string[]): void {
    this.apply({ type: 'end', ...nodeRunOf(call), keys, workerId: 'x' });
  }
}

describe('what limits grant', () => {
  it('L3, L8: whatever comes together, no limit is passed, everybody gets on, and nothing is kept in the end', () => {
    const step = fc.record({ keys: fc.subarray(['a', 'b', 'c'], { minLength: 1 }), waitMs: fc.nat(50) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), ({ length, ...steps }) => {
        const asks = Array.from({ length }, (_, i) => steps[i]!);
        const world = new World({
          a: { concurrency: 1, windowMs: 1 },
          b: { concurrency: 2, requests: 3, windowMs: 100 },
          c: { tokens: 25, windowMs: 70 },
        });
        const going: number[] = [];
        const grants: { at: number; keys: readonly string[] }[] = [];
        const go = (call: number) => {
          if (!world.ask(call, asks[call]!.keys)) return;
          going.push(call);
          grants.push({ at: world.nowMs, keys: asks[call]!.keys });
        };
        const holds = () => {
          const held = (key: string) => world.permits.filter((permit) => permit.key === key).length;
          expect(held('a')).toBeLessThanOrEqual(1);
          expect(held('b')).toBeLessThanOrEqual(2);
        };
        asks.forEach(({ waitMs }, call) => {
          world.nowMs += waitMs;
          go(call);
          holds();
        });
        let rounds = 0;
        while (grants.length < asks.length) {
          expect(++rounds).toBeLessThan(1_000);
          for (const call of going.splice(0)) world.end(call, asks[call]!.keys);
          world.nowMs += 30;
          world.apply({ type: 'look', keys: ['a', 'b', 'c'] });
          for (const call of world.rung.splice(0)) go(call);
          holds();
        }
        for (const call of going) world.end(call, asks[call]!.keys);
        expect([world.permits, world.lines]).toEqual([[], []]);
        const inWindow = (key: string, ms: number, at: number) =>
          grants.filter((grant) => grant.keys.includes(key) && grant.at <= at && grant.at > at - ms).length;
        for (const { at } of grants) expect(inWindow('b', 100, at)).toBeLessThanOrEqual(3);
        for (const { at } of grants) expect(inWindow('c', 70, at)).toBeLessThanOrEqual(2);
      }),
      { numRuns: 200 },
    );
  });

  it('L7: who asks later does not pass who stands in line, and workspaces take turns', () => {
    const world = new World({ a: { concurrency: 1, windowMs: 1 } });
    expect(world.ask(0, ['a'])).toBe(true);
    for (const call of [1, 2, 3]) world.ask(call, ['a'], 'w1');
    world.ask(4, ['a'], 'w2');
    const order: number[] = [];
    for (let call = 0; order.length < 4; ) {
      world.end(call, ['a']);
      call = world.rung.shift()!;
      order.push(call);
      expect(world.ask(9, ['a'], 'w3')).toBe(false);
      world.lines.pop();
      expect(world.ask(call, ['a'])).toBe(true);
    }
    expect(order).toEqual([1, 4, 2, 3]);
  });

  it('L8: a permit kept for who stood in line is for nobody else, and is given back when it is not used', () => {
    const world = new World({ a: { concurrency: 1, windowMs: 1 } });
    world.ask(0, ['a']);
    world.ask(1, ['a']);
    world.end(0, ['a']);
    expect(world.permits).toMatchObject([{ runId: 'r1', workerId: null }]);
    expect(world.apply(askOf(2, ['a']))).toEqual([{ isGranted: false, refusedBy: 'a' }]);
    world.apply({
      type: 'end',
      ...nodeRunOf(1),
      keys: ['a'],
      workerId: null,
      used: { requests: 0, tokens: 0 },
    });
    expect(world.apply(askOf(2, ['a']))).toEqual([{ isGranted: true }]);
  });

  it('V3: a call ends once, and not by another worker', () => {
    const world = new World({ a: { concurrency: 1, windowMs: 1 } });
    world.ask(0, ['a']);
    world.apply({ type: 'end', ...nodeRunOf(0), keys: ['a'], workerId: 'somebody else' });
    expect(world.permits).toHaveLength(1);
    world.end(0, ['a']);
    world.end(0, ['a']);
    expect(world.limits[0]!.use.underWay).toBe(0);
  });

  it('L1: who is not ready any more leaves the line and is not rung for', () => {
    const world = new World({ a: { concurrency: 1, windowMs: 1 } });
    world.ask(0, ['a']);
    world.ask(1, ['a']);
    world.ask(2, ['a']);
    world.lines = world.lines.map((standing) => ({ ...standing, isReady: standing.runId !== 'r1' }));
    world.end(0, ['a']);
    expect([world.rung, world.lines]).toEqual([[2], []]);
  });

  it('L9: a pause says when the line is to be looked at', () => {
    const world = new World({ a: { windowMs: 1 } });
    world.limits = world.limits.map((limit) => ({
      ...limit,
      use: { ...limit.use, pausedUntilMs: 1_000_500 },
    }));
    expect(world.ask(0, ['a'])).toBe(false);
    expect(world.limits[0]!.wakeAtMs).toBe(1_000_500);
    world.nowMs = 1_000_500;
    world.apply({ type: 'look', keys: ['a'] });
    expect(world.rung).toEqual([0]);
  });
});
