import type { Node } from '@xyflow/react';

/** So many nodes are given other places in one frame: each is drawn with all its edges. */
const AT_ONCE = 60;

/** What is shown, and what is to be shown; the same list once it is. */
export interface Shown<Each extends Node = Node> {
  readonly nodes: readonly Each[];
  readonly goal: readonly Each[];
}

/** What is shown once it is to be `goal`: all of it, but where many nodes only move, those move later, by and by. */
export const showNow = <Each extends Node>(nodes: readonly Each[], goal: readonly Each[]): Shown<Each> =>
  closer(nodes, goal, laggards(nodes, goal).size > AT_ONCE ? 0 : AT_ONCE);

/** What is shown one frame later. */
export const showNext = <Each extends Node>({ nodes, goal }: Shown<Each>): Shown<Each> =>
  closer(nodes, goal, AT_ONCE);

function closer<Each extends Node>(
  nodes: readonly Each[],
  goal: readonly Each[],
  count: number,
): Shown<Each> {
  const waiting = laggards(nodes, goal);
  for (const id of [...waiting.keys()].slice(0, count)) waiting.delete(id);
  if (waiting.size === 0) return { nodes: goal, goal };
  return { nodes: goal.map((each) => waiting.get(each.id) ?? each), goal };
}

/** Nodes that are shown elsewhere than where they are to be, and are the same in all else. */
function laggards<Each extends Node>(nodes: readonly Each[], goal: readonly Each[]): Map<string, Each> {
  const ends = new Map(goal.map((each) => [each.id, each]));
  return new Map(nodes.flatMap((each) => (isElsewhere(each, ends.get(each.id)) ? [[each.id, each]] : [])));
}

const isElsewhere = (one: Node, other: Node | undefined): boolean =>
  other !== undefined &&
  other !== one &&
  other.data === one.data &&
  other.selected === one.selected &&
  other.ariaLabel === one.ariaLabel &&
  other.parentId === one.parentId &&
  other.width === one.width &&
  other.height === one.height;
