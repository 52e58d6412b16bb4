import { type Fact, parsePath, undoPlanOf, type WorkerFact } from '@pawl/dag-core';
import { callsOf, itemsOf, outcomeOf } from '../../../packages/dag-core/test/advance/random-flows.ts';
import type { StoredRun } from './database.ts';
import {
  ANSWER,
  effectOf,
  effectPathOf,
  innerFlowOf,
  isTakenLater,
  keyOf,
  refusal,
  unavailable,
} from './effects.ts';
import type { Luck, Task, Worker, World } from './world.ts';

export const byOf = ({ handle: { path, attempt } }: Task, { id }: Worker) => ({
  path,
  attempt,
  workerId: id,
});

/** What a worker tells when it is done with a node run. */
export function factsOf(run: StoredRun, task: Task, worker: Worker, luck: Luck, world: World): Fact[] {
  const by = byOf(task, worker);
  const { path, kind } = task.handle;
  if (kind === 'probe') return [probed(run, by, luck, world)];
  const { node, itemIndex } = parsePath(run.graph, path)!;
  const effect = effectOf(run, task.handle);
  const isSent = task.phase === 'sent';
  if (luck === 'permanent') return [{ ...by, type: 'failed', failure: refusal, random: 0.5 }];
  if (luck === 'transient' || (luck === 'cut' && isSent)) {
    const isAmbiguous = luck === 'cut' ? { isAmbiguous: true } : {};
    const failure = unavailable(luck === 'cut' ? 'lost' : 'transient');
    return [{ ...by, type: 'failed', failure, random: 0.5, ...isAmbiguous }];
  }
  if (isSent && isTakenLater(run, task.handle)) return [{ ...by, type: 'accepted', deadlineMs: 8_000 }];
  if (kind === 'undo' && node.config.kind === 'flow') {
    const ended = run.rows.get(effectPathOf(path))!.more!.toUndo!.at(-1)!;
    const { graph, rows } = world.database.runs.get(ended.runId)!;
    const undoing = { runId: ended.runId, plan: undoPlanOf(rows.completedEffects()) };
    const start = { flow: ended.flow, versionId: 'v', graph, input: null, budget: {}, undoing };
    return [{ ...by, type: 'startsFlow', runId: world.newRunId(), ...start }];
  }
  if (kind === 'flow') {
    const graph = innerFlowOf(run, path);
    const inner = { flow: 'inner', versionId: 'v', graph, input: null, budget: {} };
    return [{ ...by, type: 'startsFlow', runId: world.newRunId(), ...inner }];
  }
  if (itemIndex === undefined && node.body) return [ofContainer(run, by)];
  if (kind === 'wait') return [{ ...by, type: 'waits', for: { months: 0, ms: 5_000 } }];
  const outcome = outcomeOf(run.seed, path, node.tells && effect === 'pure' ? 0.5 : 0);
  if (outcome === 'fail') return [{ ...by, type: 'failed', failure: refusal, random: 0.5 }];
  const ports = itemIndex === undefined && outcome.ports ? { ports: outcome.ports } : {};
  const answer = effect === 'model' ? { answer: ANSWER } : {};
  return [
    { ...by, type: 'succeeded', output: 1, ...ports, ...answer, ...callsOf(run.seed, run.graph, path) },
  ];
}

type By = ReturnType<typeof byOf>;

/** T20: "not applied" counts when nobody could send it any more, and nobody could do what was sent. */
function probed(run: StoredRun, by: By, luck: Luck, world: World): WorkerFact {
  const base = { ...by, type: 'probed' as const, random: 0.5 };
  if (luck === 'permanent') return { ...by, type: 'failed', failure: refusal, random: 0.5 };
  const effect = run.rows.get(effectPathOf(by.path))!;
  const key = keyOf(run, effect);
  const isOpen = world.outside.mayHappen(key) || world.mayStillSend(run, effect);
  if (luck === 'cut' || luck === 'transient') return { ...base, answer: 'unknown', reason: 'It cannot say.' };
  if (world.outside.happened(key)) return { ...base, answer: 'applied', output: 'found' };
  return isOpen ? { ...base, answer: 'unknown', reason: 'It may come.' } : { ...base, answer: 'not_applied' };
}

function ofContainer(run: StoredRun, by: By): WorkerFact {
  const { path } = by;
  const { config } = parsePath(run.graph, path)!.node;
  const row = run.rows.get(path)!;
  const count = itemsOf(run.graph.nodes, path).length;
  if (config.kind !== 'map' && (row.itemCount ?? 0) < count)
    return { ...by, type: 'continued', turn: row.itemCount ?? 0 };
  if (config.kind === 'map' && row.itemCount === undefined)
    return { ...by, type: 'expanded', count, itemsHash: 'h' };
  return { ...by, type: 'succeeded', output: [], ...(row.failedItems ? { degraded: 'items failed' } : {}) };
}
