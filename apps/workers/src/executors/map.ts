import { createHash } from 'node:crypto';
import { childPath, type Json, MAX_MAP_ITEMS, type NodeView } from '@pawl/dag-core';
import type { Done, PureExecutor, Step } from '../runtime/step.ts';
import { evaluated, failed } from './evaluated.ts';

/** K: first lays out its items, and, when they have all ended, collects their outputs in input order (E7). */
export const map: PureExecutor = (step) =>
  step.handle.itemCount === undefined ? layOut(step) : collect(step, step.handle.itemCount);

function layOut(step: Step): Done | Promise<Done> {
  let items: Json[] | Promise<Json[]>;
  try {
    items = step.context.items(step.handle.path);
  } catch (error) {
    return failed(error);
  }
  return items instanceof Promise ? items.then(expanded).catch(failed) : expanded(items);
}

function expanded(items: Json[]): Done {
  if (items.length === 0) return { type: 'succeeded', output: [] };
  if (items.length > MAX_MAP_ITEMS) return failed(new TooManyItemsError(items.length));
  return {
    type: 'expanded',
    count: items.length,
    itemsHash: createHash('sha256').update(JSON.stringify(items)).digest('hex'),
  };
}

/** Thrown when a list is longer than a map may run over (semantics §8). */
class TooManyItemsError extends Error {
  readonly code = 'map_over_too_long';
  constructor(count: number) {
    super(
      `A map runs over at most ${MAX_MAP_ITEMS} items; its "over" gave ${count}. Split the list over several runs.`,
    );
  }
}

function collect(step: Step, count: number): Done | Promise<Done> {
  const { config } = step.node;
  const isSkipping = config.kind === 'map' && config.onItemError === 'skip';
  const views = Array.from({ length: count }, (_, i) => step.context.view(childPath(step.handle.path, i)));
  const shape = (known: NodeView[]): Done => {
    const output: Json[] = [];
    let failures = 0;
    for (const view of known) {
      if (view.status === 'succeeded') output.push(view.output ?? null);
      else {
        failures += 1;
        if (!isSkipping) output.push({ failure: (view.failure as Json) ?? true });
      }
    }
    return {
      type: 'succeeded',
      output,
      ...(failures > 0 && { degraded: `${failures} of ${count} items failed` }),
    };
  };
  return views.some((view) => view instanceof Promise)
    ? Promise.all(views).then(shape)
    : shape(views as NodeView[]);
}

/** The end of one item of a map, or one turn of a loop: its output template, else its leaves that ran (a single leaf's output alone). */
export const item: PureExecutor = (step) => {
  const { itemOutput } = step.compiled;
  if (itemOutput) return evaluated(step, itemOutput, {}, (output) => ({ type: 'succeeded', output }));
  const leaves = step.node.body!.leaves;
  const views = leaves.map((leaf) => step.context.view(childPath(step.handle.path, leaf.id)));
  const shape = (known: NodeView[]): Done => {
    if (leaves.length === 1) return { type: 'succeeded', output: known[0]!.output ?? null };
    return {
      type: 'succeeded',
      output: leafOutputs(
        leaves.map((leaf) => leaf.id),
        known,
      ),
    };
  };
  return views.some((view) => view instanceof Promise)
    ? Promise.all(views).then(shape)
    : shape(views as NodeView[]);
};

/** Outputs of the leaves that ran, by node id. */
export const leafOutputs = (ids: readonly string[], views: readonly NodeView[]): Json =>
  Object.fromEntries(
    ids.flatMap((id, i) => (views[i]!.status === 'succeeded' ? [[id, views[i]!.output ?? null]] : [])),
  );
