import {
  AllRows,
  applyEvent,
  childPath,
  compileGraph,
  Decider,
  emptyRun,
  type FlowDocument,
  type JournalEvent,
  type Json,
  type NodeRunState,
  parseDuration,
  parsePath,
  RunView,
  type ToolCallFate,
  type WaitNode,
  type WorkerFact,
} from '../../src/index.ts';

/** What a node run does when its turn comes: succeed on ports, or fail for good. */
export type Outcome = { ports?: string[]; output?: Json } | 'fail';

export interface Play {
  /** What each node run does. */
  outcome(path: string): Outcome;
  /** The list a map runs over; a member for each turn of a loop. */
  items(path: string): Json[];
  /** What the model call of an agent's turn asks for; undefined for every other node run. */
  calls(path: string): { readonly calls: ToolCallFate[] } | undefined;
  /** Which of the node runs that may end now ends next. */
  pick(open: readonly string[]): string;
}

export interface Played {
  readonly view: RunView;
  readonly rows: AllRows;
  readonly journal: JournalEvent[];
  /** How often each node run was started. */
  readonly starts: Map<string, number>;
}

const WORKER = 'w';

/** Plays a whole run in memory, one outcome at a time, as a single worker would see it. */
export function play(document: FlowDocument, how: Play): Played {
  const graph = compileGraph(document);
  const rows = new AllRows();
  const run = emptyRun();
  const journal: JournalEvent[] = [];
  const starts = new Map<string, number>();
  const outputs = new Map<string, Json>();
  let nowMs = 1_000;
  const view = new RunView(graph, rows, run);
  const step = (body: (decider: Decider) => void) => {
    const decider = new Decider(view, nowMs);
    body(decider);
    journal.push(...decider.events);
  };
  const admitted: JournalEvent = {
    type: 'run.admitted',
    path: '',
    attempt: 0,
    data: { v: 1, versionId: 'v', input: null, budget: {}, trigger: 'test', seed: 's' },
  };
  journal.push(admitted);
  applyEvent(view, admitted);

  for (let guard = 0; guard < 100_000; guard++) {
    for (const row of rows.byPath.values()) if (row.status === 'ready') claim(view, row, starts);
    const open = [...rows.byPath.values()]
      .filter((row) => row.status === 'running' || row.wakeAt !== undefined || row.waitKey !== undefined)
      .map((row) => row.path);
    if (open.length === 0) {
      if (run.openCount === 0 && (run.status === 'running' || run.status === 'pending')) {
        step((decider) => decider.decide({ type: 'runEnded', output: null }));
      }
      return { view, rows, journal, starts };
    }
    const path = how.pick(open);
    const { wakeAt, waitKey } = rows.get(path)!;
    if (wakeAt !== undefined) {
      nowMs = Math.max(nowMs, wakeAt);
      step((decider) => decider.decide({ type: 'timerDue', path }));
    } else if (waitKey !== undefined) {
      const signal = { id: path, name: 'go', key: '', payload: null, by: 'test', sentAt: 0 };
      step((decider) => decider.decide({ type: 'signal', path, waitKey, signal }));
    } else step((decider) => decider.decide(factOf(rows.get(path)!, how, graph, outputs)));
  }
  throw new Error('The run does not end');
}

function claim(view: RunView, row: NodeRunState, starts: Map<string, number>): void {
  view.move(row, 'claim');
  row.attempt += 1;
  row.workerId = WORKER;
  starts.set(row.path, (starts.get(row.path) ?? 0) + 1);
}

function factOf(
  row: NodeRunState,
  how: Play,
  graph: ReturnType<typeof compileGraph>,
  outputs: Map<string, Json>,
): WorkerFact {
  const base = { path: row.path, attempt: row.attempt, workerId: WORKER };
  if (row.kind === 'turn') return { ...base, type: 'succeeded', output: null };
  if (row.kind === 'item') {
    const item = how.items(parsePath(graph, row.path)!.parent)[row.itemIndex!] as Json;
    outputs.set(row.path, item);
    return { ...base, type: 'succeeded', output: item };
  }
  if (row.kind === 'loop' || row.kind === 'agent') {
    const turns = row.itemCount ?? 0;
    if (turns < how.items(row.path).length) return { ...base, type: 'continued', turn: turns };
    if (row.kind === 'agent') return { ...base, type: 'succeeded', output: 'said' };
    outputs.set(row.path, outputs.get(childPath(row.path, turns - 1))!);
    return { ...base, type: 'succeeded', output: outputs.get(row.path)! };
  }
  if (row.kind === 'map') {
    const items = how.items(row.path);
    if (row.itemCount === undefined && items.length > 0) {
      return { ...base, type: 'expanded', count: items.length, itemsHash: '' };
    }
    const node = graph.nodes.get(row.nodeId)!.config;
    const policy = (node.kind === 'map' && node.onItemError) || 'fail';
    const output = items.flatMap((_, index) => {
      const path = childPath(row.path, index);
      if (outputs.has(path)) return [outputs.get(path)!];
      return policy === 'skip' ? [] : [{ failure: true }];
    });
    outputs.set(row.path, output);
    return { ...base, type: 'succeeded', output, ...(row.failedItems ? { degraded: 'items failed' } : {}) };
  }
  if (row.kind === 'wait') {
    const { config } = graph.nodes.get(row.nodeId)!;
    const { for: time } = config as WaitNode;
    return time === undefined
      ? { ...base, type: 'waits', signal: { name: 'go', key: '', waitKey: 'k' } }
      : { ...base, type: 'waits', for: parseDuration(time)! };
  }
  const outcome = how.outcome(row.path);
  if (outcome === 'fail') {
    return {
      ...base,
      type: 'failed',
      failure: { code: 'test', message: 'fails', class: 'permanent' },
      random: 0,
    };
  }
  outputs.set(row.path, outcome.output ?? null);
  return {
    ...base,
    type: 'succeeded',
    output: outcome.output ?? null,
    ...(outcome.ports ? { ports: outcome.ports } : {}),
    ...how.calls(row.path),
  };
}
