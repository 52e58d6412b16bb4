import { itemPath, parsePath } from '@pawl/dag-core';
import { runAtWay, type ShownRun, subFlowAt } from './shown-runs.ts';
import { endOfWay, joinWay } from './ways.ts';

/** Where a step into a node run leads: to the first inside, or it has to be opened before that. */
export type StepIn =
  | { readonly select: string }
  | { readonly open: { readonly run: ShownRun; readonly path: string } };

/** A step into what is drawn inside a node run; undefined where that is nothing. */
export function stepIn(root: ShownRun, way: string): StepIn | undefined {
  const { run: runWay, path } = endOfWay(way);
  const run = runAtWay(root, runWay);
  if (run?.place === undefined) return undefined;
  const { history, seq, shown, subs } = run;
  const sub = subs.get(path);
  if (sub?.place === undefined && subFlowAt(history, path, seq)) return { open: { run, path } };
  const [first] = sub?.run?.history.graph.document.nodes ?? [];
  if (first) return { select: joinWay(way, first.id) };
  const target = parsePath(history.graph, path);
  if (!target?.node.body) return undefined;
  const container = target.itemIndex === undefined ? path : target.parent;
  const index = target.itemIndex ?? shown.shownIn(container)?.index;
  const inside =
    index === undefined ? undefined : history.below.get(itemPath(target.node, container, index))?.[0];
  return inside && { select: joinWay(runWay, inside.path) };
}

/** The node run around which another is drawn: its container, with the item that it is of, or that of its sub-flow. */
export function stepOut(root: ShownRun, way: string): string | undefined {
  const { run: runWay, path } = endOfWay(way);
  const run = runAtWay(root, runWay);
  const target = run && parsePath(run.history.graph, path);
  if (!target) return undefined;
  const inside = target.itemIndex === undefined ? target : parsePath(run.history.graph, target.parent);
  if (inside && inside.parent !== '') return joinWay(runWay, inside.parent);
  return runWay === '' ? undefined : runWay;
}
