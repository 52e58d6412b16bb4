import { diffFlows } from '../editor/index.ts';
import type { NodeRunHistory, RunHistory } from '../run/history.ts';

// Rules kept here: C1 node runs of two runs belong together when they have the same place: node, item, turn and call.

/** A node run of two runs, or of one of them. */
export interface Aligned {
  /** Its path in the left run; of one that only the right run has, the path it would have there. */
  readonly path: string;
  readonly left?: NodeRunHistory;
  readonly right?: NodeRunHistory;
}

/** How the nodes of two versions belong together. */
export interface VersionChanges {
  /** Ids of the nodes of the right version that were renamed, with the ids that the left version has for them. */
  readonly renames: ReadonlyMap<string, string>;
  /** Nodes that say something else in the right version, by their ids in the left. */
  readonly changed: ReadonlySet<string>;
}

/** What lies between the versions of two runs, as the editor tells it (D13). */
export function versionChanges(left: RunHistory, right: RunHistory): VersionChanges {
  const { nodes } = diffFlows(left.graph.document, right.graph.document);
  const both = nodes.filter((node) => node.change === 'changed');
  return {
    renames: new Map(both.flatMap(({ id, was }) => (was === undefined ? [] : [[id, was] as const]))),
    changed: new Set(both.flatMap(({ id, was, pointers }) => (pointers.length > 0 ? [was ?? id] : []))),
  };
}

/** A path of the right run in the words of the left. What a model or a worker named, below a turn, is no node. */
export function asInLeft(path: string, renames: ReadonlyMap<string, string>): string {
  if (renames.size === 0) return path;
  const parts = path.split('/');
  return parts
    .map((part, at) => (parts[at - 1]?.startsWith('turn-') ? part : (renames.get(part) ?? part)))
    .join('/');
}

/**
 * The node runs of two runs in the order in which they ended in the left run, so that what is inside a container comes before it and
 * what caused something before what followed. Those of the right run alone stand behind what ended before them there.
 */
export function alignRuns(
  left: RunHistory,
  right: RunHistory,
  renames: ReadonlyMap<string, string>,
): Aligned[] {
  const others = new Map(byEnd(right).map((nodeRun) => [asInLeft(nodeRun.path, renames), nodeRun]));
  const behind = new Map<string, Aligned[]>();
  let last = '';
  for (const [path, nodeRun] of others) {
    if (left.nodeRuns.has(path)) last = path;
    else behind.set(last, [...(behind.get(last) ?? []), { path, right: nodeRun }]);
  }
  return [
    ...(behind.get('') ?? []),
    ...byEnd(left).flatMap((nodeRun): Aligned[] => {
      const other = others.get(nodeRun.path);
      const { path } = nodeRun;
      return [{ path, left: nodeRun, ...(other && { right: other }) }, ...(behind.get(path) ?? [])];
    }),
  ];
}

const ENDS: readonly string[] = ['succeeded', 'failed', 'skipped', 'cancelled'];

/** Those that have not ended come last. */
function byEnd({ nodeRuns }: RunHistory): NodeRunHistory[] {
  const endOf = ({ moments }: NodeRunHistory) =>
    moments.find(({ status }) => ENDS.includes(status))?.seq ?? Number.MAX_SAFE_INTEGER;
  return [...nodeRuns.values()].sort((one, other) => endOf(one) - endOf(other));
}
