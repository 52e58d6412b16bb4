import type { BudgetLimits } from '../graph/document.ts';
import {
  childPath,
  type FlowGraph,
  type GraphEdge,
  type GraphNode,
  type GraphScope,
  parsePath,
} from '../graph/topology.ts';
import type { Failure, JournalEvent, Spend } from '../journal/events.ts';
import { moveNodeRun, moveRun, type NodeRunMove, type RunMove } from '../state/moves.ts';
import {
  addSpend,
  DEGRADED_KEPT,
  emptyRun,
  NO_SPEND,
  type NodeRunState,
  type RunState,
  subtractSpend,
} from '../state/run-state.ts';
import { isTerminalNodeRun, isTerminalRun } from '../state/status.ts';
import type { NodeRunRows } from './node-run-rows.ts';

// Rules kept here: E1–E11 (SPEC.md). This is the only place that says what follows from an event. It is driven twice: by the
// store under the run's lock with the few rows an event touches, and by a fold with all of them (A1, V12).

/** Something that must follow and is an event of its own; the decider appends it, a fold finds it next in the journal. */
export type Due =
  | { readonly kind: 'skip'; readonly path: string; readonly killedBy: string[] }
  | { readonly kind: 'cancel'; readonly path: string; readonly reason: 'cancel' | 'stop' }
  | { readonly kind: 'failScope'; readonly path: string }
  | { readonly kind: 'endCancelled' };

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
    if (wasActive !== isActive) this.run.activeCount += isActive ? 1 : -1;
    if (row.status !== 'running') row.workerId = undefined;
    row.wakeAt = undefined;
    row.reason = undefined;
  }

  moveRun(move: RunMove): void {
    this.run.status = moveRun(this.run.status, move);
  }
}

/** True while node runs may start: not cancelling, not failing, not terminal. */
export const mayStartWork = (run: RunState): boolean =>
  run.failure === undefined &&
  run.status !== 'cancelling' &&
  run.status !== 'compensating' &&
  !isTerminalRun(run.status);

/**
 * Applies the next event of the journal to a run (J2).
 *
 * @throws {RowsMissingError} when `view.rows` does not hold what the rules need; the view is then half-changed and must be dropped
 * @throws {MoveNotAllowedError} when the event does not fit the state: a defect or a corrupt journal
 */
export function applyEvent(view: RunView, event: JournalEvent): void {
  const { run } = view;
  const seq = run.nextSeq;
  run.nextSeq += 1;
  switch (event.type) {
    case 'run.admitted': {
      run.limits = event.data.budget as BudgetLimits;
      run.openCount = view.graph.root.nodes.length;
      openRoots(view, '', view.graph.root);
      return;
    }
    case 'run.statusChanged': {
      applyRunStatus(view, event.data, seq);
      return;
    }
    case 'run.budgetChanged':
      run.limits = event.data.limits as BudgetLimits;
      break;
    case 'run.cancelRequested':
      view.moveRun('askCancel');
      for (const row of view.rows.openUnder('')) {
        if (row.status !== 'running') view.due.push({ kind: 'cancel', path: row.path, reason: 'cancel' });
      }
      dueEnd(view);
      break;
    case 'intent.recorded': {
      const row = view.touch(running(view, event));
      row.effect = event.data.effect;
      row.intentSeq = seq;
      if (event.data.reserved) reserve(view, row, event.data.reserved);
      break;
    }
    case 'call.answered': {
      const row = view.touch(running(view, event));
      settle(view, row, spendOf(event.data.answer));
      break;
    }
    case 'outcome.succeeded': {
      const row = takeRow(view, event);
      settle(view, row, spendOf(event.data.answer));
      view.move(row, 'succeed');
      row.outputSeq = seq;
      row.failure = undefined;
      if (event.data.degraded !== undefined) degrade(view, row.path);
      ended(view, row, event.data.ports ?? NORMAL_PORT);
      break;
    }
    case 'outcome.failed':
      applyFailure(view, event, seq);
      break;
    case 'outcome.late':
    case 'artifact.created':
      break;
    case 'attempt.lost': {
      const row = takeRow(view, event);
      settle(view, row, undefined);
      row.losses = (row.losses ?? 0) + 1;
      if (event.data.next === 'ready') view.move(row, 'release');
      else {
        view.move(row, 'doubt');
        row.reason = event.data.reason;
      }
      stopDue(view, row.path);
      break;
    }
    case 'nodeRun.skipped': {
      const isJoin = nodeOf(view, event.path).inbound.length > 1;
      const found = isJoin ? view.rows.get(event.path) : view.rows.peek(event.path);
      const row = found ?? view.add(newRow(view, event.path, 'pending'));
      settle(view, view.touch(row), undefined);
      view.move(row, 'skip');
      row.deadEdges = event.data.killedBy;
      ended(view, row, NO_PORT);
      break;
    }
    case 'nodeRun.cancelled': {
      const row = known(view, event.path);
      view.touch(row);
      row.attempt = Math.max(row.attempt, event.attempt);
      if (event.data.doubt) row.reason = 'doubt';
      const reason = row.reason;
      settle(view, row, undefined);
      view.move(row, 'cancel');
      row.reason = reason;
      break;
    }
    case 'nodeRun.waiting': {
      const row = known(view, event.path);
      if (row.status === 'ready' && event.data.status !== 'blocked') claimForEvent(view, row, event.attempt);
      view.touch(row).attempt = event.attempt;
      view.move(
        row,
        event.data.status === 'blocked' ? 'block' : event.data.status === 'uncertain' ? 'doubt' : 'wait',
      );
      row.reason = event.data.reason;
      break;
    }
    case 'nodeRun.resumed': {
      const row = known(view, event.path);
      view.touch(row);
      if (event.data.reason === 'settled' || event.data.reason === 'retry') {
        settle(view, row, NO_SPEND); // a person said that the call did not happen
        row.intentSeq = row.effect === 'non_repeatable' ? undefined : row.intentSeq;
        if (event.data.reason === 'retry') row.failures = 0;
        row.losses = undefined;
        row.failure = undefined;
      }
      view.move(row, 'makeReady');
      break;
    }
    case 'map.expanded': {
      const row = running(view, event);
      const { count } = event.data;
      view.move(row, 'wait');
      row.reason = 'children';
      row.failure = undefined; // of an earlier try; from here on a failure of the row means that its items stop
      row.itemCount = count;
      row.nextItem = 0;
      row.doneItems = 0;
      row.failedItems = 0;
      const node = nodeOf(view, row.path);
      const window = node.config.kind === 'map' ? (node.config.concurrency ?? DEFAULT_MAP_CONCURRENCY) : 1;
      for (let i = 0; i < Math.min(window, count); i++) openItem(view, row, node);
      if (count === 0) view.move(row, 'makeReady');
      break;
    }
    default: // only a journal of a newer release can hold one
      throw new TypeError(
        `This release does not know the event ${(event satisfies never as JournalEvent).type}`,
      );
  }
  settleRunStatus(run);
}

/** Items of a map live at once when the flow does not say. */
export const DEFAULT_MAP_CONCURRENCY = 16;
const NORMAL_PORT: readonly string[] = [''];
const ERROR_PORT: readonly string[] = ['error'];
const NO_PORT: readonly string[] = [];

function applyRunStatus(
  view: RunView,
  data: Extract<JournalEvent, { type: 'run.statusChanged' }>['data'],
  seq: number,
) {
  const { run } = view;
  const moves = {
    running: 'start',
    waiting: 'wait',
    paused: 'pause',
    cancelling: 'askCancel',
    compensating: 'compensate',
    succeeded: 'succeed',
    partial: 'succeedPartly',
    failed: 'fail',
    cancelled: 'cancel',
  } as const;
  if (data.status === 'pending') return;
  view.moveRun(moves[data.status]);
  if (data.failure) run.failure = data.failure;
  if (isTerminalRun(data.status)) run.outputSeq = seq;
  else settleRunStatus(run);
}

/** E11: while nothing else decides it, a run runs when something is active or its end is due, and waits otherwise. */
function settleRunStatus(run: RunState): void {
  if (run.status !== 'pending' && run.status !== 'running' && run.status !== 'waiting') return;
  run.status = run.activeCount > 0 || run.openCount === 0 ? 'running' : 'waiting';
}

function applyFailure(
  view: RunView,
  event: Extract<JournalEvent, { type: 'outcome.failed' }>,
  seq: number,
): void {
  const { failure, next, retryAt, answer, lostSpend } = event.data;
  const row = takeRow(view, event);
  settle(view, row, lostSpend ? undefined : (spendOf(answer) ?? callsOnly(row.reserved)));
  row.failures += 1;
  row.losses = undefined;
  if (next === 'retry') {
    if (row.effect === 'non_repeatable') row.intentSeq = undefined;
    view.move(row, 'scheduleRetry');
    row.wakeAt = retryAt;
    row.failure = failure;
    return;
  }
  row.failure = failure;
  if (next === 'pause') {
    if (row.status === 'uncertain') view.move(row, 'makeReady');
    if (row.status === 'ready') view.move(row, 'claim');
    if (row.status === 'running') view.move(row, 'wait');
    row.reason = 'failure';
    return;
  }
  if (next === 'fallback') {
    view.move(row, 'succeed');
    row.outputSeq = seq;
    degrade(view, row.path);
    ended(view, row, NORMAL_PORT);
    return;
  }
  if (failure.class === 'cancelled' && isStopping(view, row.path)) {
    view.move(row, 'cancel');
    stopDue(view, row.path);
    return;
  }
  view.move(row, 'fail');
  row.outputSeq = seq;
  if (next === 'continue') {
    if (row.kind !== 'item') view.run.isPartial = true;
    ended(view, row, ERROR_PORT);
  } else {
    stopScope(view, scopePathOf(row), failure);
  }
}

/** The path of the scope a row lives in; an item lives in its map. */
const scopePathOf = (row: NodeRunState): string => {
  const cut = row.path.lastIndexOf('/');
  return cut < 0 ? '' : row.path.slice(0, cut);
};

// --- starting -----------------------------------------------------------------------------------------------------------

function openRoots(view: RunView, scopePath: string, scope: GraphScope): void {
  for (const node of scope.roots) addReady(view, childPath(scopePath, node.id), node);
}

function addReady(view: RunView, path: string, node: GraphNode): void {
  view.add(row(path, node.id, node.config.kind, 'ready', 0, 0));
  view.run.activeCount += 1;
}

/** E7: an item starts when the window has room; items are numbered in input order and keep their numbers. */
function openItem(view: RunView, map: NodeRunState, node: GraphNode): void {
  const body = node.body!;
  const index = map.nextItem!;
  map.nextItem = index + 1;
  const path = childPath(map.path, index);
  const item = row(path, node.id, 'item', 'waiting', 0, 0);
  item.itemIndex = index;
  item.openCount = body.nodes.length;
  item.reason = 'nodes';
  view.add(item);
  openRoots(view, path, body);
}

function row(
  path: string,
  nodeId: string,
  kind: string,
  status: NodeRunState['status'],
  pendingEdges: number,
  liveEdges: number,
): NodeRunState {
  return {
    path,
    nodeId,
    kind,
    status,
    attempt: 0,
    failures: 0,
    pendingEdges,
    liveEdges,
    deadEdges: [],
    costNanoUsd: 0,
    tokens: 0,
  };
}

function newRow(view: RunView, path: string, status: NodeRunState['status']): NodeRunState {
  const node = nodeOf(view, path);
  return row(path, node.id, node.config.kind, status, node.inbound.length, 0);
}

// --- ending -------------------------------------------------------------------------------------------------------------

function ended(view: RunView, ended: NodeRunState, ports: readonly string[]): void {
  if (ended.kind === 'item') {
    itemEnded(view, ended);
    return;
  }
  const scopePath = scopePathOf(ended);
  if (isStopping(view, ended.path)) {
    stopDue(view, ended.path);
    return;
  }
  for (const edge of nodeOf(view, ended.path).outbound)
    resolveEdge(view, scopePath, edge, ports.includes(edge.port));
  closeOne(view, scopePath);
}

/** E2, E3: one inbound edge is now live or dead; the join rule of its target decides when all that matter are. */
function resolveEdge(view: RunView, scopePath: string, edge: GraphEdge, isLive: boolean): void {
  const target = edge.to;
  const path = childPath(scopePath, target.id);
  if (target.inbound.length === 1) {
    if (isLive) addReady(view, path, target);
    else view.due.push({ kind: 'skip', path, killedBy: [edge.name] });
    return;
  }
  const found = view.rows.get(path);
  const joined = found
    ? view.touch(found)
    : view.add(row(path, target.id, target.config.kind, 'pending', target.inbound.length, 0));
  joined.pendingEdges -= 1;
  if (isLive) joined.liveEdges += 1;
  else joined.deadEdges.push(edge.name);
  if (joined.status !== 'pending') return; // a `first` join that has started already
  const rule = target.config.join ?? 'some';
  const isReady =
    rule === 'first'
      ? joined.liveEdges > 0
      : joined.pendingEdges === 0 &&
        joined.liveEdges > 0 &&
        (rule === 'some' || joined.deadEdges.length === 0);
  if (isReady) view.move(joined, 'makeReady');
  else if (joined.pendingEdges === 0) {
    // E5 names the killers in the order the edges were drawn, so that the order of completions does not show.
    const killedBy = target.inbound
      .map((inbound) => inbound.name)
      .filter((name) => joined.deadEdges.includes(name));
    view.due.push({ kind: 'skip', path, killedBy });
  }
}

/** E6: a scope counts its unresolved nodes and completes at zero. */
function closeOne(view: RunView, scopePath: string): void {
  if (scopePath === '') {
    view.run.openCount -= 1;
    return;
  }
  const item = view.touch(known(view, scopePath));
  item.openCount! -= 1;
  if (item.openCount === 0) view.move(item, 'makeReady');
}

function itemEnded(view: RunView, item: NodeRunState): void {
  const map = view.touch(known(view, scopePathOf(item)));
  const node = nodeOf(view, map.path);
  const policy = (node.config.kind === 'map' && node.config.onItemError) || 'fail';
  map.doneItems! += 1;
  if (isStopping(view, item.path)) {
    stopDue(view, item.path);
    return;
  }
  if (item.status === 'failed') {
    map.failedItems! += 1;
    if (policy === 'fail') {
      stopScope(view, map.path, item.failure!);
      return;
    }
  }
  if (map.nextItem! < map.itemCount!) openItem(view, map, node);
  else if (map.doneItems === map.itemCount) view.move(map, 'makeReady');
}

// --- stopping -----------------------------------------------------------------------------------------------------------

/** E9: nothing new starts in the scope; what has not started is cancelled; what runs ends by itself. */
function stopScope(view: RunView, scopePath: string, failure: Failure): void {
  if (scopePath === '') {
    if (!mayStartWork(view.run)) {
      dueEnd(view);
      return;
    }
    view.run.failure = failure;
  } else {
    const container = known(view, scopePath);
    if (isStopping(view, scopePath) || container.failure !== undefined) {
      stopDue(view, childPath(scopePath, '0'));
      return;
    }
    view.touch(container).failure = failure;
  }
  for (const open of view.rows.openUnder(scopePath)) {
    if (open.status !== 'running' && open.status !== 'uncertain') {
      view.due.push({ kind: 'cancel', path: open.path, reason: 'stop' });
    }
  }
  dueScopeEnd(view, scopePath);
}

/** The nearest scope around `path` (exclusive) that is stopping: '' for the run; undefined when none is. */
function stoppingScope(view: RunView, path: string): string | undefined {
  let scope = path;
  while (scope !== '') {
    const cut = scope.lastIndexOf('/');
    scope = cut < 0 ? '' : scope.slice(0, cut);
    if (scope === '') break;
    const container = known(view, scope);
    // One that has ended, cancelled by a wider stop for instance, waits for nobody: the wider scope does.
    if (container.failure !== undefined && !isTerminalNodeRun(container.status)) return scope;
  }
  return mayStartWork(view.run) ? undefined : '';
}

/** True when `path` lies in a scope that starts nothing new: the run or a container around it is stopping (E9). */
export const isStopping = (view: RunView, path: string): boolean => stoppingScope(view, path) !== undefined;

/** After something ended in a stopping scope: is it the last? */
export function stopDue(view: RunView, path: string): void {
  const scope = stoppingScope(view, path);
  if (scope !== undefined) dueScopeEnd(view, scope);
}

function dueScopeEnd(view: RunView, scope: string): void {
  if (scope === '') {
    dueEnd(view);
    return;
  }
  if (view.rows.openUnder(scope).some((row) => row.status === 'running' || row.status === 'uncertain'))
    return;
  view.due.push({ kind: 'failScope', path: scope });
}

function dueEnd(view: RunView): void {
  if (isTerminalRun(view.run.status)) return;
  const isCancelling = view.run.status === 'cancelling';
  if (
    view.rows
      .openUnder('')
      .some((row) => row.status === 'running' || (row.status === 'uncertain' && !isCancelling))
  )
    return;
  view.due.push(isCancelling ? { kind: 'endCancelled' } : { kind: 'failScope', path: '' });
}

// --- rows ---------------------------------------------------------------------------------------------------------------

function nodeOf(view: RunView, path: string): GraphNode {
  const target = parsePath(view.graph, path);
  if (!target) throw new TypeError(`Path ${path} does not fit the flow`);
  return target.node;
}

function known(view: RunView, path: string): NodeRunState {
  const found = view.rows.get(path);
  if (!found) throw new TypeError(`The journal speaks of node run ${path}, which was never reached`);
  return found;
}

/** The row of an event that a worker caused. A claim is not an event (the lease columns own it), so a fold claims here. */
function running(view: RunView, event: JournalEvent): NodeRunState {
  const found = known(view, event.path);
  if (found.status === 'ready') claimForEvent(view, found, event.attempt);
  return found;
}

function claimForEvent(view: RunView, row: NodeRunState, attempt: number): void {
  view.move(row, 'claim');
  row.attempt = attempt;
}

/** The row an outcome is for: running, or taken up by a person's decision. */
function takeRow(view: RunView, event: JournalEvent): NodeRunState {
  const found = known(view, event.path);
  view.touch(found);
  if (found.status === 'ready') claimForEvent(view, found, event.attempt);
  return found;
}

function degrade(view: RunView, path: string): void {
  view.run.isPartial = true;
  if (view.run.degraded.length < DEGRADED_KEPT && !view.run.degraded.includes(path))
    view.run.degraded.push(path);
}

// --- budget (V6) --------------------------------------------------------------------------------------------------------

const spendOf = (
  answer: { costNanoUsd: number; usage: { input: number; output: number } } | undefined,
): Spend | undefined =>
  answer && {
    costNanoUsd: answer.costNanoUsd,
    tokens: answer.usage.input + answer.usage.output,
    modelCalls: 1,
  };

/** A call that failed without being billed still was a call. */
const callsOnly = (reserved: Spend | undefined): Spend =>
  reserved ? { costNanoUsd: 0, tokens: 0, modelCalls: reserved.modelCalls } : NO_SPEND;

/** A node run reserves for one call at a time: what an attempt reserved that was given back before sending is replaced. */
function reserve(view: RunView, row: NodeRunState, reserved: Spend): void {
  view.run.reserved = addSpend(subtractSpend(view.run.reserved, row.reserved ?? NO_SPEND), reserved);
  row.reserved = reserved;
}

/** A reservation dies here: settled to the real spend, or, when the answer was lost, to what was reserved. */
function settle(view: RunView, row: NodeRunState, actual: Spend | undefined): void {
  const spent = actual ?? row.reserved ?? NO_SPEND;
  if (row.reserved) {
    view.run.reserved = subtractSpend(view.run.reserved, row.reserved);
    row.reserved = undefined;
  }
  if (spent === NO_SPEND) return;
  view.run.spent = addSpend(view.run.spent, spent);
  row.costNanoUsd += spent.costNanoUsd;
  row.tokens += spent.tokens;
}
