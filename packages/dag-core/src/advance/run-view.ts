import { type FlowGraph, type GraphNode, parsePath, pollPath } from '../graph/topology.ts';
import { asksAbove } from '../state/asks.ts';
import { moveNodeRun, moveRun, type NodeRunMove, type RunMove } from '../state/moves.ts';
import { emptyRun, type NodeRunState, type RunState, withoutFacts } from '../state/run-state.ts';
import { isTerminalRun } from '../state/status.ts';
import type { NodeRunRows } from './node-run-rows.ts';

/** Something that must follow and is an event of its own; the decider appends it, a fold finds it next in the journal. */
export type Due =
  | { readonly kind: 'skip'; readonly path: string; readonly killedBy: string[] }
  | { readonly kind: 'cancel'; readonly path: string; readonly reason: 'cancel' | 'stop' }
  | { readonly kind: 'stopFlow'; readonly path: string; readonly reason: 'cancel' | 'stop' }
  | { readonly kind: 'failScope'; readonly path: string }
  | {
      readonly kind: 'warn';
      readonly unit: 'costUsd' | 'tokens' | 'modelCalls';
      readonly limit: number;
      readonly spent: number;
    }
  | { readonly kind: 'endCancelled' }
  | { readonly kind: 'endCompensation' };

/** A run while events are applied to it. */
export class RunView {
  readonly graph: FlowGraph;
  readonly rows: NodeRunRows;
  readonly run: RunState;
  /** Node runs changed since the view was made, with their state before (undefined: new). */
  readonly changed = new Map<
    string,
    { readonly row: NodeRunState; readonly before: NodeRunState | undefined }
  >();
  /** Runs to which a word is due: '' the run above, else the paths of node runs with a sub-flow (F4). */
  readonly tell = new Set<string>();
  /** What must follow, in order. */
  due: Due[] = [];

  constructor(graph: FlowGraph, rows: NodeRunRows, run: RunState = emptyRun()) {
    this.graph = graph;
    this.rows = rows;
    this.run = run;
  }

  /** Remembers the row as changed. Call before changing it. */
  touch(row: NodeRunState): NodeRunState {
    if (!this.changed.has(row.path))
      this.changed.set(row.path, { row, before: { ...row, deadEdges: [...row.deadEdges] } });
    return row;
  }

  add(row: NodeRunState): NodeRunState {
    this.rows.add(row);
    this.changed.set(row.path, { row, before: undefined });
    return row;
  }

  move(row: NodeRunState, move: NodeRunMove): void {
    this.touch(row);
    const wasActive = row.status === 'ready' || row.status === 'running';
    row.status = moveNodeRun(row.path, row.status, move);
    const isActive = row.status === 'ready' || row.status === 'running';
    if (wasActive !== isActive && row.kind !== 'poll') this.run.activeCount += isActive ? 1 : -1;
    if (row.status !== 'running') row.workerId = undefined;
    this.endWait(row);
  }

  /** What a node run waited for, and all that was noted of it, is over. */
  endWait(row: NodeRunState): void {
    row.wakeAt = undefined;
    row.waitKey = undefined;
    row.reason = undefined;
    if (row.more?.needs) asksAbove(this.run, row);
    // T23: whatever ends the wait, nobody needs the answer any more.
    if (row.more?.polling !== undefined)
      this.due.push({ kind: 'cancel', path: pollPath(row.path, row.attempt), reason: 'stop' });
    if (row.more) row.more = withoutFacts(row.more, ...OF_ONE_WAIT);
  }

  moveRun(move: RunMove): void {
    this.run.status = moveRun(this.run.status, move);
  }
}

/** Facts that end with the status they were noted in. */
const OF_ONE_WAIT = ['question', 'onDeadline', 'awaits', 'probing', 'polling', 'lastAsk'] as const;

/** S1, F8: a run that fails undoes what it did, by the word of its flow or of one above. */
export const undoesOnFailure = ({ graph, run }: RunView): boolean =>
  graph.document.onFailure === 'compensate' || run.more?.parent?.undoes === true;

/** True while node runs may start: not cancelling, not failing, not terminal. */
export const mayStartWork = (run: RunState): boolean =>
  run.failure === undefined &&
  run.status !== 'cancelling' &&
  run.status !== 'compensating' &&
  !isTerminalRun(run.status);

/** True while this node run may start: as its run allows, as a part of undoing (S3), or as the asking about a doubt or a call (T20, T23). */
export const mayStart = (run: RunState, row: Pick<NodeRunState, 'kind'>): boolean =>
  mayStartWork(run) ||
  (row.kind === 'undo' && run.status === 'compensating') ||
  ((row.kind === 'probe' || row.kind === 'poll') && !isTerminalRun(run.status));

/** The node a path belongs to. @throws {TypeError} when it does not fit the flow */
export function nodeOf(view: RunView, path: string): GraphNode {
  const target = parsePath(view.graph, path);
  if (!target) throw new TypeError(`Path ${path} does not fit the flow`);
  return target.node;
}

/** A node run that must have been reached. @throws {TypeError} when the journal speaks of one that was not */
export function known(view: RunView, path: string): NodeRunState {
  const found = view.rows.get(path);
  if (!found) throw new TypeError(`The journal speaks of node run ${path}, which was never reached`);
  return found;
}
