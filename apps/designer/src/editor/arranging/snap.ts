import type { Box, Point } from '../document/layout.ts';

// Rules kept here: D18 what is dragged comes to stand in line with what is near, by edges and centres, else on the grid.

/** A line along which boxes stand: at `at` on its axis, drawn between `from` and `to` on the other one. */
export interface Guide {
  readonly axis: 'x' | 'y';
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

export interface Snapped {
  readonly at: Point;
  readonly guides: readonly Guide[];
}

/**
 * Where a box that is dragged comes to stand.
 *
 * @param others boxes that stay where they are
 * @param reach  how far it jumps at most to stand in line, in pixels of the canvas
 * @param grid   width of the grid on which it stands where nothing is near
 */
export function snap(box: Box, others: readonly Box[], reach: number, grid: number): Snapped {
  const [x, y] = (['x', 'y'] as const).map((axis) => restOn(axis, box, others, reach, grid)) as [Rest, Rest];
  const moved = { ...box, x: x.at, y: y.at };
  return {
    at: { x: x.at, y: y.at },
    guides: [
      ...(x.isInLine ? guidesOn('x', moved, others) : []),
      ...(y.isInLine ? guidesOn('y', moved, others) : []),
    ],
  };
}

interface Rest {
  readonly at: number;
  readonly isInLine: boolean;
}

/** In line with what is near; else on the grid, or in line with what is near there. */
function restOn(axis: Guide['axis'], box: Box, others: readonly Box[], reach: number, grid: number): Rest {
  const jump = jumpOn(axis, box, others, reach);
  if (jump !== undefined) return { at: box[axis] + jump, isInLine: true };
  const at = onGrid(box[axis], grid);
  const further = jumpOn(axis, { ...box, [axis]: at }, others, reach);
  return { at: at + (further ?? 0), isInLine: further !== undefined };
}

const onGrid = (value: number, grid: number): number => Math.round(value / grid) * grid + 0;

/** The lines of a box on an axis: its beginning, its middle, its end. */
function linesOf(axis: Guide['axis'], box: Box): readonly [number, number, number] {
  const [from, length] = axis === 'x' ? [box.x, box.width] : [box.y, box.height];
  return [from, from + length / 2, from + length];
}

/** The shortest way to a line of another box; undefined when none is near. */
function jumpOn(axis: Guide['axis'], box: Box, others: readonly Box[], reach: number): number | undefined {
  let best: number | undefined;
  const own = linesOf(axis, box);
  for (const other of others)
    for (const line of linesOf(axis, other))
      for (const at of own)
        if (Math.abs(line - at) <= reach && (best === undefined || Math.abs(line - at) < Math.abs(best)))
          best = line - at;
  return best;
}

/** Half a pixel is no difference: middles of odd boxes lie between two. */
const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 0.5;

function guidesOn(axis: Guide['axis'], box: Box, others: readonly Box[]): Guide[] {
  const across = axis === 'x' ? 'y' : 'x';
  return linesOf(axis, box).flatMap((at): Guide[] => {
    const inLine = others.filter((other) => linesOf(axis, other).some((line) => isSame(line, at)));
    if (inLine.length === 0) return [];
    const ends = [box, ...inLine].map((each) => linesOf(across, each));
    return [
      {
        axis,
        at,
        from: Math.min(...ends.map(([from]) => from)),
        to: Math.max(...ends.map(([, , to]) => to)),
      },
    ];
  });
}
