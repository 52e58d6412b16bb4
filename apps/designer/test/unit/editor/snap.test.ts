// Which mistake would this catch? A node that jumps further than its reach, one that never comes to rest, and a line that is drawn where
// nothing stands in line.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, snap } from '../../../src/editor/index.ts';

const REACH = 6;
const GRID = 2;
const whole = (min: number, max: number) => fc.integer({ min, max });
const box: fc.Arbitrary<Box> = fc.record({
  x: whole(-60, 60),
  y: whole(-60, 60),
  width: whole(1, 30).map((half) => half * 2),
  height: whole(1, 30).map((half) => half * 2),
});
const lines = (axis: 'x' | 'y', { x, y, width, height }: Box) =>
  axis === 'x' ? [x, x + width / 2, x + width] : [y, y + height / 2, y + height];

describe('what is dragged', () => {
  it('D18: comes into line with an edge or the middle of what is near, with a line along both', () => {
    const others = [{ x: 100, y: 0, width: 200, height: 60 }];
    expect(snap({ x: 97, y: 200, width: 200, height: 60 }, others, REACH, GRID)).toEqual({
      at: { x: 100, y: 200 },
      guides: [100, 200, 300].map((at) => ({ axis: 'x', at, from: 0, to: 260 })),
    });
    expect(snap({ x: 305, y: 3, width: 40, height: 40 }, others, REACH, GRID).at).toEqual({ x: 300, y: 0 });
    expect(snap({ x: 351, y: 7, width: 40, height: 40 }, others, REACH, GRID).at).toEqual({ x: 352, y: 10 });
  });

  it('D18: jumps no further than its reach, rests where it came to stand, and draws lines only where something stands', () => {
    fc.assert(
      fc.property(box, fc.array(box, { maxLength: 6 }), (moved, others) => {
        const { at, guides } = snap(moved, others, REACH, GRID);
        expect(Math.abs(at.x - moved.x)).toBeLessThanOrEqual(REACH + GRID / 2);
        expect(Math.abs(at.y - moved.y)).toBeLessThanOrEqual(REACH + GRID / 2);
        const rest = { ...moved, ...at };
        expect(snap(rest, others, REACH, GRID).at).toEqual(at);
        for (const { axis, at: line } of guides) {
          expect(lines(axis, rest)).toContain(line);
          expect(others.flatMap((other) => lines(axis, other))).toContain(line);
        }
      }),
    );
  });

  it('D18: stands on the grid where nothing is near', () => {
    fc.assert(
      fc.property(box, (moved) => {
        const { at, guides } = snap(moved, [], REACH, 10);
        expect([at.x % 10, at.y % 10].map(Math.abs)).toEqual([0, 0]);
        expect(guides).toEqual([]);
      }),
    );
  });
});
