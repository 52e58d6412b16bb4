import { childPath, isPollPath, isProbePath, parsePath } from '../graph/topology.ts';
import type { Failure } from '../journal/events.ts';
import type { NodeRunState } from '../state/run-state.ts';
import { isTerminalNodeRun, isTerminalRun } from '../state/status.ts';
import { known, mayStartWork, type RunView } from './run-view.ts';

// Rules kept here: E9 how a scope stops, and when it has.

/** True while the node run waits for the run of its sub-flow (F2). */
export const runsFlow = (row: NodeRunState): boolean => row.status === 'waiting' && row.reason === 'flow';

/** True while a service has taken the call of the node run and has not told how it ended (T22). */
export const isAwaitingCallback = (row: NodeRunState): boolean =>
  row.status === 'waiting' && row.reason === 'callback';

/** True for what asks about a doubt or a call. It is not waited for, and not stopped: what it asks about is. */
const asks = ({ kind }: NodeRunState): boolean => kind === 'probe' || kind === 'poll';

/** True for what a scope that stops waits for: it ends by itself. */
const endsByItself = (row: NodeRunState): boolean =>
  (row.status === 'running' && !asks(row)) ||
  row.status === 'uncertain' ||
  runsFlow(row) ||
  isAwaitingCallback(row);

/** The path of the scope a row lives in; an item lives in its container. */
export const scopePathOf = (row: NodeRunState): string => {
  const cut = row.path.lastIndexOf('/');
  return cut < 0 ? '' : row.path.slice(0, cut);
};

/** E9: nothing new starts in the scope; what has not started is cancelled; what runs ends by itself. */
export function stopScope(view: RunView, scopePath: string, failure: Failure): void {
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
    if (runsFlow(open)) view.due.push({ kind: 'stopFlow', path: open.path, reason: 'stop' });
    else if (!endsByItself(open) && !asks(open))
      view.due.push({ kind: 'cancel', path: open.path, reason: 'stop' });
  }
  dueScopeEnd(view, scopePath);
}

/** The nearest scope around `path` (exclusive) that is stopping: '' for the run; undefined when none is. */
function stoppingScope(view: RunView, path: string): string | undefined {
  if (view.run.status === 'compensating' && parsePath(view.graph, path)?.isUndo) return undefined;
  // T20: the scope waits for the doubt, and so for the answer.
  const isAwaited = view.run.status !== 'cancelling' || view.run.more?.undoOnCancel;
  if (isAwaited && isProbePath(path) && parsePath(view.graph, path)?.isProbe) return undefined;
  // T23: so it does for the call, whatever stops it.
  if (isPollPath(path) && parsePath(view.graph, path)?.isPoll) return undefined;
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
  if (view.rows.openUnder(scope).some(endsByItself)) return;
  view.due.push({ kind: 'failScope', path: scope });
}

export function dueEnd(view: RunView): void {
  if (isTerminalRun(view.run.status) || view.run.status === 'compensating') return;
  const isCancelling = view.run.status === 'cancelling';
  const leavesDoubt = isCancelling && !view.run.more?.undoOnCancel; // S4
  if (
    view.rows.openUnder('').some((row) => endsByItself(row) && !(row.status === 'uncertain' && leavesDoubt))
  )
    return;
  view.due.push(isCancelling ? { kind: 'endCancelled' } : { kind: 'failScope', path: '' });
}
