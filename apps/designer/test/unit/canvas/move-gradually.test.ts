// Would catch: a canvas that never comes to show what the document says, or that shows an edit late because others move.
import { describe, expect, it } from 'vitest';
import { type Shown, showNext, showNow } from '../../../src/canvas/move-gradually.ts';

const MANY = 150;
const data = {};
const nodeAt = (id: number, x: number) => ({ id: `n${id}`, position: { x, y: 0 }, data, width: 200 });
type Drawn = ReturnType<typeof nodeAt>;
const all = (count: number, x: number): Drawn[] => Array.from({ length: count }, (_, id) => nodeAt(id, x));
const movedIn = ({ nodes }: Shown<Drawn>) => nodes.filter(({ position }) => position.x === 9).length;

describe('nodes that move', () => {
  it('move at once when they are few', () => {
    const goal = all(60, 9);
    expect(showNow(all(60, 0), goal).nodes).toBe(goal);
  });

  it('move frame by frame when they are many, and end as the very list that was wanted', () => {
    const goal = all(MANY, 9);
    let shown = showNow(all(MANY, 0), goal);
    const counts = [movedIn(shown)];
    while (shown.nodes !== shown.goal) {
      shown = showNext(shown);
      counts.push(movedIn(shown));
      expect(shown.nodes.map(({ id }) => id)).toEqual(goal.map(({ id }) => id));
    }
    expect(counts).toEqual([0, 60, 120, 150]);
    expect(shown.nodes).toBe(goal);
  });

  it('hold up nothing else: what is new, gone, or shows something else is so at once', () => {
    const before = all(MANY, 0);
    const renamed = { ...nodeAt(0, 9), data: { title: 'Other' } };
    const goal = [renamed, ...all(MANY, 9).slice(2), nodeAt(MANY, 9)];
    const { nodes } = showNow(before, goal);
    expect(nodes.map(({ id }) => id)).toEqual(goal.map(({ id }) => id));
    expect([nodes[0], nodes.at(-1)]).toEqual([renamed, nodeAt(MANY, 9)]);
    expect(nodes[1]).toBe(before[2]);
  });

  it('go to the latest place when they are moved again on the way', () => {
    const halfway = showNext(showNow(all(MANY, 0), all(MANY, 5)));
    const goal = all(MANY, 9);
    let shown = showNow(halfway.nodes, goal);
    while (shown.nodes !== shown.goal) shown = showNext(shown);
    expect(shown.nodes).toBe(goal);
  });
});
