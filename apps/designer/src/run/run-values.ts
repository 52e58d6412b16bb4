import {
  childPath,
  compileTemplate,
  type ExpressionScope,
  type Failure,
  type Json,
  type MapNode,
  type NodeView,
  parsePath,
} from '@pawl/dag-core';
import type { NodeRunHistory, RunHistory } from './history.ts';
import { nameOf, type PlaceRead, pathRead, placesRead } from './readings.ts';
import { LongValue, partOf, type Value, valueIn } from './values.ts';

// Rules kept here: C2 what a node run was given; what was sent stands for it where no expression of the flow says what is read.

/** One thing that a node run read, by the name that the flow has for it. */
export interface Reading {
  readonly name: string;
  /** Undefined where there was nothing. */
  readonly value: Value | undefined;
}

/** What the node runs of a run gave and what they were given, as far as its journal has come. */
export class RunValues {
  readonly history: RunHistory;
  readonly #items: ReadonlyMap<string, readonly Json[]>;

  private constructor(history: RunHistory, items: ReadonlyMap<string, readonly Json[]>) {
    this.history = history;
    this.#items = items;
  }

  /** The lists that maps ran over are not recorded: they are computed again, by the same rules, with the same result. */
  static async of(history: RunHistory): Promise<RunValues> {
    const items = new Map<string, readonly Json[]>();
    const values = new RunValues(history, items);
    for (const nodeRun of history.nodeRuns.values()) {
      if (nodeRun.kind !== 'map') continue;
      const list = await values.#listOf(nodeRun);
      if (list) items.set(nodeRun.path, list);
    }
    return values;
  }

  /** What the run was given. */
  get input(): Value | undefined {
    const admitted = this.history.events[0];
    return admitted && valueIn(admitted, 'input');
  }

  /** What the run gave in the end. */
  get output(): Value | undefined {
    const end = this.history.events.findLast(({ type }) => type === 'run.statusChanged');
    return end && valueIn(end, 'output');
  }

  /** What a node run gave: its result, or what was taken instead of it. */
  outputOf(path: string): Value | undefined {
    const outcome = outcomeOf(this.history.nodeRuns.get(path));
    return outcome && valueIn(outcome, outcome.type === 'outcome.succeeded' ? 'output' : 'fallback');
  }

  /** What a node run was given. */
  readingsOf(path: string): readonly Reading[] {
    const { graph } = this.history;
    const target = parsePath(graph, path);
    const kind = this.history.nodeRuns.get(path)?.kind;
    if (!target || kind === 'undo' || kind === 'probe' || kind === 'poll' || kind === 'turn') return [];
    if (target.itemIndex !== undefined) return [{ name: 'item', value: this.#itemOf(path) }];
    if (target.node.scope.container?.calls) return [{ name: 'request', value: this.requestOf(path) }];
    return placesRead(graph, target.node).map((place) => ({
      name: nameOf(place),
      value: this.#valueAt(path, place),
    }));
  }

  /** What the first attempt of a node run sent. */
  requestOf(path: string): Value | undefined {
    const intent = this.history.nodeRuns.get(path)?.events.find(({ type }) => type === 'intent.recorded');
    return intent && valueIn(intent, 'request');
  }

  #valueAt(path: string, { root, node, names }: PlaceRead): Value | undefined {
    const scopePath = parsePath(this.history.graph, path)!.parent;
    switch (root) {
      case 'input':
        return partOf(this.input, names);
      case 'index':
        return scopePath === '' ? undefined : parsePath(this.history.graph, scopePath)!.itemIndex!;
      case 'item':
        return partOf(this.#itemOf(scopePath), names);
      case 'nodes': {
        const [member, ...within] = names;
        const read = pathRead(this.history.graph, path, node!);
        if (member === 'output') return partOf(this.outputOf(read), within);
        const { status, failure } = this.#viewOf(read);
        return member === 'failure' ? partOf(failure, within) : status;
      }
    }
  }

  #itemOf(scopePath: string): Value | undefined {
    const target = scopePath === '' ? undefined : parsePath(this.history.graph, scopePath);
    if (!target) return undefined;
    const { node, parent, itemIndex: index } = target;
    if (node.config.kind === 'loop')
      return index === 0 ? undefined : this.outputOf(childPath(parent, index! - 1));
    const list = this.#items.get(parent);
    if (list) return list[index!];
    const expanded = this.history.nodeRuns.get(parent)?.events.find(({ type }) => type === 'map.expanded');
    // What cannot be computed here is told apart by the list it is from.
    return expanded?.type === 'map.expanded'
      ? new LongValue(expanded.seq, 'output', {
          hash: `${expanded.data.itemsHash}/${index}`,
          bytes: 0,
          preview: '',
        })
      : undefined;
  }

  async #listOf({ path, nodeId, events }: NodeRunHistory): Promise<readonly Json[] | undefined> {
    const expanded = events.find(({ type }) => type === 'map.expanded');
    const node = this.history.graph.nodes.get(nodeId);
    if (expanded?.type !== 'map.expanded' || !node) return undefined;
    const scope = this.#scopeOf(path);
    if (!scope) return undefined;
    const nothing = () => {
      throw new TypeError('not recorded');
    };
    const over = compileTemplate((node.config as MapNode).over);
    if (over.references.some(({ root }) => root === 'run')) return undefined;
    try {
      const list = await over.evaluate(scope, {
        now: () => expanded.data.clock ?? nothing(),
        random: nothing,
      });
      return Array.isArray(list) ? list : undefined;
    } catch {
      return undefined;
    }
  }

  /** What the expressions of a node run see; undefined where a part of it is not here as a whole. */
  #scopeOf(path: string): ExpressionScope | undefined {
    const { graph, events } = this.history;
    const { node, parent } = parsePath(graph, path)!;
    const read = placesRead(graph, node).flatMap((place) => place.node ?? []);
    const views = read.map((each) => [each.id, this.#viewOf(pathRead(graph, path, each))] as const);
    const item = this.#itemOf(parent);
    const parts = [this.input, item, ...views.map(([, view]) => view.output)];
    if (parts.some((part) => part instanceof LongValue)) return undefined;
    return {
      input: this.input as Json,
      nodes: Object.fromEntries(views) as Record<string, NodeView>,
      run: { id: '', startedAt: new Date(events[0]!.at).toISOString() },
      ...(item !== undefined && { item: item as Json }),
      ...(parent !== '' && { index: parsePath(graph, parent)!.itemIndex! }),
    };
  }

  #viewOf(path: string) {
    const status = this.history.nodeRunAt(path, this.history.lastSeq)?.status;
    const failure = failureOf(this.history.nodeRuns.get(path)) as unknown as Json | undefined;
    const output = this.outputOf(path);
    return {
      ...(status && { status }),
      ...(failure && { failure }),
      ...(output !== undefined && { output }),
    };
  }
}

/** The event that says how a node run ended, as far as it has. */
export const outcomeOf = (nodeRun: NodeRunHistory | undefined) =>
  nodeRun?.events.findLast((event) => event.type === 'outcome.succeeded' || event.type === 'outcome.failed');

/** Why its last try failed. */
export function failureOf(nodeRun: NodeRunHistory | undefined): Failure | undefined {
  const outcome = outcomeOf(nodeRun);
  return outcome?.type === 'outcome.failed' ? outcome.data.failure : undefined;
}
