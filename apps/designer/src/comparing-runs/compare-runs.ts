import { childPath, itemPath, parsePath } from '@pawl/dag-core';
import { isMembers } from '../editor/index.ts';
import type { NodeRunHistory, RunHistory } from '../run/history.ts';
import { failureOf, outcomeOf, type Reading, type RunValues } from '../run/run-values.ts';
import { LongValue, type Value } from '../run/values.ts';
import { type Aligned, alignRuns, asInLeft, type VersionChanges, versionChanges } from './align-runs.ts';
import { likenessOf } from './likeness.ts';

// Rules kept here: C2 what a node run was given, C3 how two of them may differ, C4 where two runs part.

/**
 * How a node run of the right run differs: it is `missing` there, it is `extra`, it was given another `input`, it stands in another
 * `status`, it took another `route`, it gave another `output`.
 */
type Difference = 'missing' | 'extra' | 'input' | 'status' | 'route' | 'output';

/** A node run in two runs, compared. */
export interface NodeRunPair extends Aligned {
  /** By the ids of the left version. */
  readonly nodeId: string;
  readonly kind: string;
  readonly differs: readonly Difference[];
  /** It differs by itself: not because of what it was given, or because of how it was reached. */
  readonly isDivergence: boolean;
}

export interface RunComparison extends VersionChanges {
  /** In the order of {@link alignRuns}. */
  readonly pairs: readonly NodeRunPair[];
  readonly byPath: ReadonlyMap<string, NodeRunPair>;
  /** Where the runs part: the first that differs by itself. */
  readonly first: NodeRunPair | undefined;
  /** The runs were given different inputs. */
  readonly isInputOther: boolean;
  /** The runs gave different outputs. */
  readonly isOutputOther: boolean;
}

/** Compares two runs of one flow, whichever versions they are of. */
export function compareRuns(left: RunValues, right: RunValues): RunComparison {
  const changes = versionChanges(left.history, right.history);
  const { renames } = changes;
  const aligned = alignRuns(left.history, right.history, renames);
  const known = new Map(aligned.map((each) => [each.path, differencesOf(each, left, right, renames)]));
  const pairs = aligned.map((each): NodeRunPair => {
    const { nodeId: id, kind } = (each.left ?? each.right)!;
    const nodeId = each.left ? id : (renames.get(id) ?? id);
    const differs = known.get(each.path)!;
    return {
      ...each,
      nodeId,
      kind,
      differs,
      isDivergence: isOwn(each, differs, known, left, right, renames),
    };
  });
  return {
    ...changes,
    pairs,
    byPath: new Map(pairs.map((pair) => [pair.path, pair])),
    first: pairs.find(({ isDivergence }) => isDivergence),
    isInputOther: likenessOf(left.input) !== likenessOf(right.input),
    isOutputOther: likenessOf(left.output) !== likenessOf(right.output),
  };
}

function differencesOf(
  { left, right }: Aligned,
  leftValues: RunValues,
  rightValues: RunValues,
  renames: ReadonlyMap<string, string>,
): Difference[] {
  if (!right) return ['missing'];
  if (!left) return ['extra'];
  const differs: Difference[] = [];
  const given = givenTo(left.path, leftValues, new Map()) === givenTo(right.path, rightValues, renames);
  if (!given) differs.push('input');
  const [was, is] = [left.moments.at(-1)!.status, right.moments.at(-1)!.status];
  if (was !== is) return [...differs, 'status'];
  if (routeOf(left).join('\n') !== routeOf(right).join('\n')) differs.push('route');
  if (resultOf(left, leftValues) !== resultOf(right, rightValues)) differs.push('output');
  return differs;
}

/** What a node run read and how it was reached, as one text. */
function givenTo(path: string, values: RunValues, renames: ReadonlyMap<string, string>): string {
  const read = values
    .readingsOf(path)
    .map(({ name, value }) => `${nameInLeft(name, renames)}=${likenessOf(value)}`);
  return [...read.sort(), '', ...waysTo(path, values.history, renames)].join('\n');
}

/** What is read of a renamed node keeps the name that the left run has for it. */
function nameInLeft(name: string, renames: ReadonlyMap<string, string>): string {
  const [root, node = '', ...rest] = name.split('.');
  return root === 'nodes' ? [root, renames.get(node) ?? node, ...rest].join('.') : name;
}

/** The edges by which a node run was reached. */
function waysTo(
  path: string,
  { graph, nodeRuns }: RunHistory,
  renames: ReadonlyMap<string, string>,
): string[] {
  const target = parsePath(graph, path);
  const dead = nodeRuns.get(path)?.moments.at(-1)?.deadEdges ?? [];
  if (!target || target.itemIndex !== undefined) return [];
  return target.node.inbound
    .filter(({ name }) => !dead.includes(name))
    .map(({ from, port }) => `${renames.get(from.id) ?? from.id}:${port}`)
    .sort();
}

/** The ports that were taken. */
export function routeOf(nodeRun: NodeRunHistory): readonly string[] {
  const outcome = outcomeOf(nodeRun);
  if (outcome?.type === 'outcome.succeeded') return [...(outcome.data.ports ?? [''])].sort();
  if (outcome?.type !== 'outcome.failed') return [];
  return outcome.data.next === 'continue' ? ['error'] : outcome.data.next === 'fallback' ? [''] : [];
}

/** What came of a node run; of a failure its code, since its words hold times and names; of an answer not when it was given. */
function resultOf(nodeRun: NodeRunHistory, values: RunValues): string {
  const output = values.outputOf(nodeRun.path);
  const said =
    nodeRun.kind === 'approval' && isMembers(output) && !(output instanceof LongValue)
      ? { ...output, at: null }
      : output;
  return `${likenessOf(said as Value | undefined)} ${failureOf(nodeRun)?.code ?? ''}`;
}

/** C4: what differs by itself, and does not only follow from something before, beside or around it. */
function isOwn(
  { path, left, right }: Aligned,
  differs: readonly Difference[],
  known: ReadonlyMap<string, readonly Difference[]>,
  leftValues: RunValues,
  rightValues: RunValues,
  renames: ReadonlyMap<string, string>,
): boolean {
  if (differs.length === 0) return false;
  if (left && right) return !differs.includes('input') && left.kind !== 'item' && left.kind !== 'turn';
  const [side, values] = left ? [left, leftValues] : [right!, rightValues];
  const around = path.includes('/') ? known.get(path.slice(0, path.lastIndexOf('/'))) : undefined;
  if (around?.some((each) => each === 'missing' || each === 'extra' || each === 'input')) return false;
  const names = left ? new Map<string, string>() : renames;
  return sourcesOf(side.path, values.history).every((source) => {
    const before = known.get(asInLeft(source, names));
    return before === undefined || before.every((each) => each === 'input');
  });
}

/** Paths of what makes a node run come about: what leads to it, the turn before it, the model that asked for it. */
function sourcesOf(path: string, { graph }: RunHistory): string[] {
  const target = parsePath(graph, path);
  if (!target) return [];
  const { node, parent, itemIndex, call } = target;
  if (itemIndex !== undefined)
    return node.config.kind === 'map' || itemIndex === 0 ? [] : [itemPath(node, parent, itemIndex - 1)];
  if (call !== undefined) return [childPath(parent, node.scope.container!.body!.roots[0]!.id)];
  return node.inbound.map(({ from }) => childPath(parent, from.id));
}

/** What a node run was given in both runs, by the names of the left run. */
export function readingsOfPair(
  { left, right }: Aligned,
  leftValues: RunValues,
  rightValues: RunValues,
  { renames }: VersionChanges,
): { readonly left: readonly Reading[]; readonly right: readonly Reading[] } {
  return {
    left: left ? leftValues.readingsOf(left.path) : [],
    right: right
      ? rightValues
          .readingsOf(right.path)
          .map(({ name, value }) => ({ name: nameInLeft(name, renames), value }))
      : [],
  };
}
