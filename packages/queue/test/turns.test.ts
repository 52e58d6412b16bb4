// Which mistake would this catch? A workspace with a long line in front of one with a short one, or one that rings little but always and
// thereby keeps the other from its turn.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainStamp, Turns } from '../src/turns.ts';

/** A queue that answers the least stamp first, and of equal ones the first that came. */
class Line {
  readonly turns = new Turns();
  readonly waiting: { stamp: number; place: number; workspace: string; count: number }[] = [];
  #place = 0;

  ring(workspace: string, jobs: number, count = 64, urgency = 5): void {
    for (let i = 0; i < jobs; i++) {
      this.turns.isAt(this.#first()?.stamp);
      const stamp = this.turns.stamp(workspace, count, urgency);
      this.waiting.push({ stamp, place: this.#place++, workspace, count });
    }
  }

  #first() {
    return this.waiting.toSorted((a, b) => a.stamp - b.stamp || a.place - b.place)[0];
  }

  answer() {
    const first = this.#first();
    if (first) this.waiting.splice(this.waiting.indexOf(first), 1);
    return first;
  }

  answered(count: number): string {
    return Array.from({ length: count }, () => this.answer()?.workspace ?? '-').join('');
  }
}

describe('turns', () => {
  it('a workspace that rings once is behind one job of each other one, however long their lines are', () => {
    const line = new Line();
    line.ring('a', 500);
    line.ring('b', 500);
    line.answered(100);
    line.ring('c', 1, 1);
    expect(line.answered(4)).toContain('c');
  });

  it('two long lines are answered in turn, also when one came later', () => {
    const line = new Line();
    line.ring('a', 100);
    line.answered(20);
    line.ring('b', 100);
    const answered = line.answered(40);
    expect([...answered].filter((workspace) => workspace === 'a').length).toBeGreaterThanOrEqual(18);
    expect([...answered].filter((workspace) => workspace === 'b').length).toBeGreaterThanOrEqual(18);
  });

  it('whoever rings little but always does not keep a long line from its turns', () => {
    const line = new Line();
    line.ring('a', 200);
    const answered: string[] = [];
    for (let i = 0; i < 100; i++) {
      line.ring('b', 1);
      answered.push(line.answer()!.workspace);
    }
    expect(answered.filter((workspace) => workspace === 'a').length).toBeGreaterThanOrEqual(45);
  });

  it('T17: urgent runs pass those of their own workspace, others let everybody pass', () => {
    const line = new Line();
    line.ring('a', 3, 64, 7);
    line.ring('a', 20);
    line.ring('a', 1, 64, 1);
    line.ring('b', 2);
    const answered = Array.from({ length: 26 }, () => line.answer()!);
    expect(answered.findIndex(({ place }) => place === 23)).toBeLessThanOrEqual(2);
    expect(answered.slice(-3).map(({ place }) => place)).toEqual([0, 1, 2]);
    expect([1, 5, 6, 9].map(plainStamp)).toEqual([0, 0, 1_600_001, 1_960_001]);
  });

  it('stamps are what the queue takes, whatever is rung for however long', () => {
    const rings = fc.array(
      fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 9 })),
    );
    fc.assert(
      fc.property(
        rings,
        fc.option(fc.integer({ min: 1, max: 2_097_152 }), { nil: undefined }),
        (all, first) => {
          const turns = new Turns();
          turns.isAt(first);
          for (const [workspace, count, urgency] of all) {
            const stamp = turns.stamp(workspace, count, urgency);
            expect(Number.isInteger(stamp) && stamp >= 1 && stamp <= 2_097_152).toBe(true);
          }
        },
      ),
    );
  });
});
