/** Between the paths of a way. No path holds it: the parts of a path are not empty. */
const JOINT = '//';

/**
 * A way names a node run in a run or in the runs of its sub-flows: `each/1/enrich//score` is the node run `score` in the run that
 * `each/1/enrich` started. Nodes that are drawn inside an open sub-flow have ids of the same form: `enrich//score`.
 */
export const joinWay = (run: string, path: string): string => (run === '' ? path : `${run}${JOINT}${path}`);

/** Which run a way ends in, by the way of the node run that started it (empty: the outermost run), and the path there. */
export function endOfWay(way: string): { readonly run: string; readonly path: string } {
  const cut = way.lastIndexOf(JOINT);
  return cut < 0 ? { run: '', path: way } : { run: way.slice(0, cut), path: way.slice(cut + JOINT.length) };
}

/** The paths of a way, the outermost first. */
export const pathsOf = (way: string): readonly string[] => (way === '' ? [] : way.split(JOINT));
