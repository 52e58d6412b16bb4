import { parsePath } from '@pawl/dag-core';
import type { RunHistory } from './history.ts';

/**
 * A node run by the title of its node, behind what is around it: `each/1 / Score`; an item or turn by its path.
 *
 * @param from path of the node run from which it is seen: what is around both is not said
 */
export function nameOf({ graph, nodeRuns }: RunHistory, path: string, from = ''): string {
  const seen = from !== '' && path.startsWith(`${from}/`) ? path.slice(from.length + 1) : path;
  if (parsePath(graph, path)?.itemIndex !== undefined) return seen;
  const id = nodeRuns.get(path)?.nodeId ?? path;
  const title = graph.nodes.get(id)?.config.title ?? id;
  return seen.includes('/') ? `${seen.slice(0, seen.lastIndexOf('/'))} / ${title}` : title;
}
