import { parsePath } from '@pawl/dag-core';
import type { RunHistory } from './history.ts';

/**
 * A node run by the title of its node, behind what is around it: `each/1 / Score`. Items, turns, parts of an agent and what is done about
 * a node run (`Charge / undo`) have no titles: their names are those in the path.
 *
 * @param from path of the node run from which it is seen: what is around both is not said
 */
export function nameOf(history: RunHistory, path: string, from = ''): string {
  const { graph, nodeRuns } = history;
  const seen = from !== '' && path.startsWith(`${from}/`) ? path.slice(from.length + 1) : path;
  const target = parsePath(graph, path);
  const last = path.slice(path.lastIndexOf('/') + 1);
  if (target?.isUndo || target?.isProbe || target?.isPoll)
    return `${nameOf(history, path.slice(0, -last.length - 1), from)} / ${last}`;
  if (target?.itemIndex !== undefined || target?.node.scope.container?.calls) return seen;
  const id = nodeRuns.get(path)?.nodeId ?? path;
  const title = graph.nodes.get(id)?.config.title ?? id;
  return seen.includes('/') ? `${seen.slice(0, seen.lastIndexOf('/'))} / ${title}` : title;
}
