import type { FlowGraph } from '@pawl/dag-core';
import type { GraphPath } from '../editor/index.ts';
import { causeOf, isFailed } from './cause-of.ts';
import { type Cursor, seqAt, timeOf } from './cursor.ts';
import type { FeedState } from './feed.ts';
import type { RunHistory } from './history.ts';
import { ShownPaths } from './shown-paths.ts';
import { joinWay, pathsOf } from './ways.ts';
import type { Work } from './work.ts';

/** The run of a sub-flow, as the journal of the run above names it. */
export interface SubFlowRef {
  readonly runId: string;
  readonly flow: string;
  readonly versionId: string;
}

/** A run that is looked at, at the moment of the one cursor: that of the page, or that of a sub-flow in it. */
export interface ShownRun {
  readonly runId: string;
  readonly history: RunHistory;
  /** The last of its events at that moment; 0: it had none, or they are not here yet. */
  readonly seq: number;
  /** What workers hold now; undefined: not known, or of another moment. */
  readonly work: Work | undefined;
  /** Way of the node run that it is for; empty: that of the page. */
  readonly way: string;
  /** Id of the node in which it is drawn; empty: the whole graph; undefined: it is not drawn. */
  readonly place: string | undefined;
  readonly shown: ShownPaths;
  /** The sub-flows in it that are read, by the path of their node run. */
  readonly subs: ReadonlyMap<string, ShownSub>;
}

/** A sub-flow that is read: its run, once something of that is here, or why nothing is. */
export interface ShownSub {
  readonly ref: SubFlowRef;
  /** Id of the node that is open for it; undefined: it is read, and not drawn. */
  readonly place: string | undefined;
  readonly problem?: string | undefined;
  readonly run?: ShownRun | undefined;
}

/** What a person looks at. */
export interface RunView {
  /** Way of the selected node run. */
  readonly selected: string;
  /** Absent: now. */
  readonly cursor?: Cursor | undefined;
  /** Ids of nodes as they are drawn: of sub-flows that a person opened, and, with a `-` before it, of those that one closed. */
  readonly open: readonly string[];
}

/** Most sub-flows that are opened without being asked for, because they failed. */
const MOST_UNASKED = 5;

/**
 * The run of a page with the runs of those sub-flows that are looked at: what a person opened, what leads to the selected node run,
 * and what failed, where the graph shows it; besides, from sub-flow to sub-flow, the cause of a failure. Every other stays unread.
 *
 * @param known what is here of the run of a sub-flow
 */
export function showRuns(
  root: { readonly runId: string; readonly history: RunHistory; readonly work: Work | undefined },
  view: RunView,
  known: (ref: SubFlowRef) => FeedState | undefined,
): ShownRun {
  const { cursor, open } = view;
  const time = cursor ? timeOf(root.history, cursor) : Number.POSITIVE_INFINITY;
  let unasked = MOST_UNASKED;

  const look = (
    run: Pick<ShownRun, 'runId' | 'history' | 'seq' | 'work' | 'way' | 'place'>,
    [selected = '', ...further]: readonly string[],
  ): ShownRun => {
    const { history, seq } = run;
    const shown = new ShownPaths(history, seq, selected);
    const subs = new Map<string, ShownSub>();
    const isFailedAt = (path: string) => isFailed(history.nodeRunAt(path, seq));
    const follow = (path: string, place?: string) => {
      const ref = subs.has(path) ? undefined : subFlowAt(history, path, seq);
      if (!ref) return;
      const state = known(ref);
      const sub = state?.history && {
        runId: ref.runId,
        history: state.history,
        seq: Math.min(seqAt(state.history, time), state.history.lastSeq),
        work: cursor ? undefined : state.work,
        way: joinWay(run.way, path),
        place,
      };
      const inside = path === selected ? further : [];
      subs.set(path, { ref, place, problem: state?.problem, run: sub && look(sub, inside) });
    };
    const isOpen = (path: string, place: string) => {
      if (open.includes(place) || (path === selected && further.length > 0)) return true;
      return !open.includes(`-${place}`) && isFailedAt(path) && unasked-- > 0;
    };
    for (const { id, graph } of run.place === undefined ? [] : flowNodesOf(history.graph)) {
      const path = shown.pathOf(id, graph);
      const place = joinWay(run.place!, id);
      if (subFlowAt(history, path, seq) && isOpen(path, place)) follow(path, place);
    }
    // An undo run is no part of the graph, so it is read when its node run is selected.
    if (further.length > 0 || history.nodeRuns.get(selected)?.kind === 'undo') follow(selected);
    for (const path of ['', ...(isFailedAt(selected) ? [selected] : [])]) {
      const cause = causeOf(history, seq, path) ?? path;
      if (isFailedAt(cause)) follow(cause);
    }
    return { ...run, shown, subs };
  };

  const seq = cursor?.seq ?? root.history.lastSeq;
  const work = cursor ? undefined : root.work;
  return look({ ...root, seq, work, way: '', place: '' }, pathsOf(view.selected));
}

/** The run of the sub-flow that a node run had started by then: that of its last try. */
export function subFlowAt(history: RunHistory, path: string, seq: number): SubFlowRef | undefined {
  return subFlowsAt(history, path, seq).at(-1);
}

/** The runs of the sub-flow of a node run, one for each try. */
export function subFlowsAt({ nodeRuns }: RunHistory, path: string, seq: number): readonly SubFlowRef[] {
  return (nodeRuns.get(path)?.events ?? []).flatMap((event) =>
    event.type === 'flow.started' && event.seq <= seq ? [event.data] : [],
  );
}

/** Every run that is here, outer ones first. */
export function* everyRun(run: ShownRun): Generator<ShownRun> {
  yield run;
  for (const sub of run.subs.values()) if (sub.run) yield* everyRun(sub.run);
}

/** Every sub-flow that is read. */
export const everySub = (root: ShownRun): ShownSub[] =>
  [...everyRun(root)].flatMap((run) => [...run.subs.values()]);

/** The run that a way leads into, by the way of the node run that it is for. */
export const runAtWay = (root: ShownRun, way: string): ShownRun | undefined =>
  [...everyRun(root)].find((run) => run.way === way);

const flowNodes = new WeakMap<FlowGraph, readonly { readonly id: string; readonly graph: GraphPath }[]>();

/** The nodes of a flow that run other flows, and where they are drawn. */
function flowNodesOf(graph: FlowGraph): readonly { readonly id: string; readonly graph: GraphPath }[] {
  let found = flowNodes.get(graph);
  if (!found) {
    found = [...graph.nodes.values()]
      .filter(({ config }) => config.kind === 'flow')
      .map((node) => {
        const around: string[] = [];
        for (let at = node.scope.container; at; at = at.scope.container) around.unshift(at.id);
        return { id: node.id, graph: around };
      });
    flowNodes.set(graph, found);
  }
  return found;
}
