import {
  childPath,
  drawnId,
  type GraphEdge,
  type GraphNode,
  type GraphScope,
  itemPath,
} from '../graph/topology.ts';
import type { ToolCallFate, UndoableRun } from '../journal/events.ts';
import type { NodeRunState } from '../state/run-state.ts';
import { known, nodeOf, type RunView } from './run-view.ts';
import { isStopping, scopePathOf, stopDue, stopScope } from './stop-scope.ts';
import { undoEnded } from './undo-in-order.ts';

// Rules kept here: E2–E7: edges become live or dead, joins decide, scopes count down, items follow each other.

export function openRoots(view: RunView, scopePath: string, scope: GraphScope): void {
  for (const node of scope.roots) addReady(view, childPath(scopePath, node.id), node);
}

function addReady(view: RunView, path: string, node: GraphNode): void {
  view.add(row(path, drawn(node), node.config.kind, 'ready', 0, 0));
  view.run.activeCount += 1;
}

/** E7, E12: an item of a map starts when the window has room, a turn of a loop or an agent when the one before has ended. */
export function openItem(view: RunView, container: NodeRunState, node: GraphNode): void {
  const body = node.body!;
  const index = container.nextItem!;
  container.nextItem = index + 1;
  const path = itemPath(node, container.path, index);
  const item = row(path, drawn(node), node.calls ? 'turn' : 'item', 'waiting', 0, 0);
  item.itemIndex = index;
  item.openCount = body.nodes.length;
  item.reason = 'nodes';
  view.add(item);
  openRoots(view, path, body);
}

/** E13: the calls that a model asked for are node runs of its turn, all at once. */
export function openCalls(view: RunView, model: NodeRunState, calls: readonly ToolCallFate[]): void {
  if (isStopping(view, model.path)) return;
  const turn = view.touch(known(view, scopePathOf(model)));
  for (const call of calls) {
    if (!('run' in call)) continue;
    const path = childPath(turn.path, call.run);
    addReady(view, path, nodeOf(view, path));
    turn.openCount! += 1;
  }
}

/** An item of a map, a turn of a loop or of an agent: a scope inside a container. */
export const isItem = ({ kind }: NodeRunState): boolean => kind === 'item' || kind === 'turn';

/** The undoing of an effect; its number tells when its turn is (S2). */
export function undoRow(effect: NodeRunState, path: string, order: number): NodeRunState {
  return {
    ...row(path, { id: effect.nodeId, pool: effect.pool }, 'undo', 'pending', 0, 0),
    itemIndex: order,
  };
}

/** Stands in an undo run for what completed in the run that it undoes (F9). */
export function completedElsewhere(
  view: RunView,
  path: string,
  toUndo: readonly UndoableRun[] | undefined,
): NodeRunState {
  const node = nodeOf(view, path);
  return {
    ...row(path, drawn(node), node.config.kind, 'succeeded', 0, 0),
    ...(toUndo && { more: { toUndo } }),
  };
}

/** The asking about an effect in doubt: ready at once. */
export function openProbe(view: RunView, effect: NodeRunState, path: string): void {
  view.add(row(path, { id: effect.nodeId, pool: effect.pool }, 'probe', 'ready', 0, 0));
  view.run.activeCount += 1;
}

/** The asking about a call that its service took: it begins with a pause, and is no work of the run (T23). */
export function openPoll(view: RunView, call: NodeRunState, path: string, at: number, everyMs: number): void {
  const poll = row(path, { id: call.nodeId, pool: call.pool }, 'poll', 'waiting', 0, 0);
  view.add({ ...poll, wakeAt: at, more: { pollEveryMs: everyMs } });
}

/** The node that was drawn, whose id a node run carries, and the pool it belongs to. */
const drawn = (node: GraphNode) => ({ id: drawnId(node), pool: node.pool });

function row(
  path: string,
  { id: nodeId, pool }: Pick<GraphNode, 'id' | 'pool'>,
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
    ...(pool !== undefined && { pool }),
  };
}

export function newRow(view: RunView, path: string, status: NodeRunState['status']): NodeRunState {
  const node = nodeOf(view, path);
  return row(path, drawn(node), node.config.kind, status, node.inbound.length, 0);
}

export function ended(view: RunView, ended: NodeRunState, ports: readonly string[]): void {
  if (isItem(ended)) {
    itemEnded(view, ended);
    return;
  }
  if (ended.kind === 'undo') {
    undoEnded(view, ended);
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
    : view.add(row(path, drawn(target), target.config.kind, 'pending', target.inbound.length, 0));
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
  const container = view.touch(known(view, scopePathOf(item)));
  const node = nodeOf(view, container.path);
  const policy = (node.config.kind === 'map' && node.config.onItemError) || 'fail';
  container.doneItems! += 1;
  if (isStopping(view, item.path)) {
    stopDue(view, item.path);
    return;
  }
  if (item.status === 'failed') {
    container.failedItems! += 1;
    if (policy === 'fail') {
      stopScope(view, container.path, item.failure!);
      return;
    }
  }
  if (container.nextItem! < container.itemCount!) openItem(view, container, node);
  else if (container.doneItems === container.itemCount) view.move(container, 'makeReady');
}
