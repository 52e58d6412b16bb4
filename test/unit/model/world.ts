import {
  compileGraph,
  type EffectClass,
  type Fact,
  type Failure,
  type Intent,
  isTerminalRun,
  type ModelAnswer,
  type NodeRunState,
  parsePath,
  type WorkerFact,
} from '@pawl/dag-core';
import {
  callsOf,
  itemsOf,
  outcomeOf,
  pickOf,
  randomFlow,
  randomOf,
} from '../../../packages/dag-core/test/advance/random-flows.ts';
import type { NodeRunHandle } from '../../../packages/run-store/src/use-cases/decide-entries.ts';
import { type Bell, Database, type StoredRun } from './database.ts';
import { Outside } from './outside.ts';

const LEASE_MS = 15_000;
/** The lease of a worker that was declared dead, or that is. */
const TAKEN = Number.NEGATIVE_INFINITY;

/** A node run that a worker holds, and how far it is with it. */
interface Task {
  readonly runId: string;
  readonly handle: NodeRunHandle;
  /** `sent`: the request has left; what the outside did with it is known to the worker with its answer only. */
  phase: 'claimed' | 'intended' | 'sent';
}

export interface Worker {
  readonly id: string;
  tasks: Task[];
  /** Stopped by a signal: it does nothing until it is let go on, and does not know of it. */
  isFrozen: boolean;
}

/** How a step of a worker goes: it may fail, be cut off from the answer, or lose the database right before or after a commit. */
export type Luck = 'good' | 'transient' | 'permanent' | 'cut' | 'lost_before' | 'lost_after';

/** The whole system in memory with a clock of its own: database, queue, workers, sweeper, people, and the world outside. */
export class World {
  readonly database = new Database();
  readonly outside = new Outside();
  queue: Bell[] = [];
  nowMs = 1_000;
  /** Facts of workers that were refused because the node run was not theirs any more. */
  fenced = 0;
  #started = 0;
  #hired = 0;
  workers: Worker[] = [this.#hire(), this.#hire()];

  get runs(): StoredRun[] {
    return [...this.database.runs.values()];
  }

  #hire(): Worker {
    const id = `w${this.#hired++}`;
    this.database.leases.set(id, this.nowMs + LEASE_MS);
    return { id, tasks: [], isFrozen: false };
  }

  start(seed: number, size: number, tokens: number): void {
    const graph = compileGraph(randomFlow(seed, { size, withPause: true, withRetry: true, withTools: true }));
    this.database.admit(`run${this.#started++}`, seed, graph, tokens);
  }

  /** The relay, or the process that committed, hands doorbells to the queue. */
  relay(): void {
    this.queue.push(...this.database.outbox.splice(0));
  }

  deliver(worker: Worker, at: number): void {
    const [bell] = this.queue.splice(at, 1);
    this.#answer(worker, bell!);
  }

  #answer(worker: Worker, bell: Bell): void {
    const claimed = this.database.claim(bell, worker.id);
    if (claimed === 'end') worker.tasks.push({ runId: bell.runId, handle: END, phase: 'claimed' });
    else if (claimed) worker.tasks.push({ runId: bell.runId, handle: claimed, phase: 'claimed' });
  }

  /** The next step of a task. */
  async work(worker: Worker, at: number, luck: Luck): Promise<void> {
    const task = worker.tasks[at]!;
    const run = this.database.runs.get(task.runId)!;
    if (luck === 'lost_before') return; // the commit is tried again
    if (task.handle === END) {
      worker.tasks.splice(at, 1);
      await this.#commit(run, [{ type: 'runEnded', output: 'done' }], worker, luck);
      return;
    }
    const effect = effectOf(run, task.handle);
    // An effect that happened is not refused afterwards; its answer may get lost.
    const answer = luck === 'transient' || luck === 'permanent' ? 'good' : luck;
    if (task.phase === 'sent') return this.#finish(worker, at, run, effect, answer);
    if (effect === 'pure') return this.#finish(worker, at, run, effect, luck);
    if (task.phase === 'claimed') {
      const fact: Fact = {
        ...byOf(task, worker),
        type: 'intent',
        intent: intentOf(run, task.handle, effect),
      };
      const result = await this.#commit(run, [fact], worker, luck);
      if (result?.verdicts[0] === 'applied') task.phase = 'intended';
      else worker.tasks.splice(worker.tasks.indexOf(task), 1);
      return;
    }
    // V3: nothing is sent without a lease; one that was taken away ends the worker.
    if (!this.#renew(worker)) return this.crash(worker);
    const key = keyOf(run, task.handle.path);
    const hadIntent = run.journal.some(
      (event) =>
        event.type === 'intent.recorded' && event.data.key === key && event.attempt === task.handle.attempt,
    );
    if (luck !== 'permanent' && luck !== 'transient')
      this.outside.apply(effect, { key, attempt: task.handle.attempt, hadIntent });
    task.phase = 'sent';
    if (luck !== 'good' && luck !== 'lost_after') await this.#finish(worker, at, run, effect, luck);
  }

  async #finish(worker: Worker, at: number, run: StoredRun, effect: EffectClass | 'model', luck: Luck) {
    const [task] = worker.tasks.splice(at, 1);
    const facts = factsOf(run, task!, worker, effect, luck, this.outside);
    const result = await this.#commit(run, facts, worker, luck, { workerId: worker.id, count: 1 });
    for (const handle of result?.claimed ?? [])
      worker.tasks.push({ runId: run.id, handle, phase: 'claimed' });
    if (result?.isEndDue) worker.tasks.push({ runId: run.id, handle: END, phase: 'claimed' });
  }

  /** With `lost_after` the answer to the commit is lost; the journal tells the worker that it happened. */
  async #commit(
    run: StoredRun,
    facts: readonly Fact[],
    worker: Worker,
    luck: Luck,
    keep?: { workerId: string; count: number },
  ) {
    const result = await this.database.commit(
      run,
      facts,
      this.nowMs,
      worker.tasks.length < 4 ? keep : undefined,
    );
    this.fenced += result.verdicts.filter((verdict) => verdict === 'notMine' || verdict === 'late').length;
    if (luck !== 'lost_after') this.relay();
    return result;
  }

  /** SIGKILL: what it knew is gone; another one starts in its place. */
  crash(worker: Worker): void {
    this.database.leases.set(worker.id, TAKEN);
    worker.tasks = [];
    this.workers[this.workers.indexOf(worker)] = this.#hire();
  }

  /** False when the worker was declared dead. */
  #renew({ id }: Worker): boolean {
    if (this.database.leases.get(id) === TAKEN) return false;
    this.database.leases.set(id, this.nowMs + LEASE_MS);
    return true;
  }

  /** Time passes: workers that are not stopped renew their leases. */
  pass(ms: number): void {
    this.nowMs += ms;
    for (const worker of this.workers) if (!worker.isFrozen) this.#renew(worker);
  }

  /** A worker that goes on after its lease was taken over ends, as it does when its next renewal is refused. */
  thaw(worker: Worker): void {
    worker.isFrozen = false;
  }

  async sweep(): Promise<void> {
    for (const [id, until] of this.database.leases)
      if (until < this.nowMs) this.database.leases.set(id, TAKEN);
    for (const run of this.runs) {
      for (const row of [...run.rows.byPath.values()]) {
        if (row.status !== 'running' || (this.database.leases.get(row.workerId!) ?? 0) >= this.nowMs)
          continue;
        const { path, attempt, workerId } = row;
        await this.tell(run, {
          type: 'lost',
          path,
          attempt,
          workerId: workerId!,
          reason: 'its worker is gone',
        });
      }
      for (const { path, wakeAt } of run.rows.openUnder(''))
        if (wakeAt !== undefined && wakeAt <= this.nowMs) await this.tell(run, { type: 'timerDue', path });
    }
    this.queue.push(...this.database.forgotten());
    this.relay();
  }

  /** A fact of the sweeper or of a person. */
  async tell(run: StoredRun, fact: Fact) {
    const result = await this.database.commit(run, [fact], this.nowMs);
    return result.verdicts[0]!;
  }

  /** What a person decides who looks at what really happened. */
  decisionAbout(run: StoredRun, row: NodeRunState): Fact | undefined {
    const { path } = row;
    const by = 'ada';
    if (row.status === 'uncertain')
      return this.outside.happened(keyOf(run, path))
        ? { type: 'settle', path, verdict: 'happened', output: 'found', by }
        : { type: 'settle', path, verdict: 'did_not_happen', by };
    if (row.status === 'waiting' && row.reason === 'failure')
      return { type: 'settle', path, verdict: 'skip', by };
    if (row.status === 'waiting' && row.reason === 'approval')
      return { type: 'answer', path, decision: 'approved', by };
    return undefined;
  }

  /** Everything goes well from here on: how many rounds it takes until every run has ended (V9). */
  async calmDown(): Promise<number> {
    for (const worker of this.workers) this.thaw(worker);
    for (let round = 1; round < 2_000; round++) {
      if (this.runs.every((run) => isTerminalRun(run.state.status))) return round;
      this.pass(20_000);
      for (const run of this.runs) {
        if (run.state.status === 'paused') {
          await this.tell(run, { type: 'raiseBudget', limits: { tokens: 1_000_000 }, by: 'ada' });
          await this.tell(run, { type: 'resumeRun', by: 'ada' });
        }
        for (const row of run.rows.openUnder('')) {
          const decision = this.decisionAbout(run, row);
          if (decision) await this.tell(run, decision);
        }
      }
      await this.sweep();
      for (let worker = 0; this.queue.length > 0; worker = 1 - worker) this.deliver(this.workers[worker]!, 0);
      for (const worker of this.workers) while (worker.tasks.length > 0) await this.work(worker, 0, 'good');
    }
    return Number.POSITIVE_INFINITY;
  }
}

const END: NodeRunHandle = { path: '', nodeId: '', kind: 'run', attempt: 0, failures: 0 };

const byOf = ({ handle: { path, attempt } }: Task, { id }: Worker) => ({ path, attempt, workerId: id });

/** V4: from run, path and call; never from the attempt. */
const effectPathOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

export const keyOf = (run: Pick<StoredRun, 'id'>, path: string): string => `${run.id}:${path}:0`;

export function effectOf(
  run: StoredRun,
  { path, kind }: Pick<NodeRunState, 'path' | 'kind'>,
): EffectClass | 'model' {
  if (kind === 'undo') return 'idempotent';
  if (kind === 'probe') return 'pure';
  if (kind === 'llm') return 'model';
  if (kind !== 'tool') return 'pure';
  return pickOf(randomOf(run.seed ^ 0xeffec7, path), [
    'pure',
    'idempotent',
    'non_repeatable',
    'model',
  ] as const);
}

function intentOf(run: StoredRun, { path, kind }: NodeRunHandle, effect: EffectClass | 'model'): Intent {
  return {
    call: 0,
    effect,
    target: 't@1',
    key: keyOf(run, path),
    request: null,
    requestHash: 'h',
    ...(effect === 'model' && { reserved: { costNanoUsd: 100, tokens: 10, modelCalls: 1 } }),
    ...(effect !== 'model' && kind === 'tool' && { compensates: true as const }),
    ...(kind === 'tool' && randomOf(run.seed, path)() < 0.7 && { probes: true as const }),
  };
}

const ANSWER: ModelAnswer = {
  provider: 'sim',
  model: 'm',
  finishReason: 'stop',
  text: 'x',
  usage: { input: 4, output: 3 },
  costNanoUsd: 70,
  prices: 'p',
  totalMs: 1,
};

const failureOf = (luck: Luck): Failure =>
  luck === 'permanent'
    ? { code: 'refused', message: 'No.', class: 'permanent' }
    : { code: 'unavailable', message: 'Later.', class: luck === 'cut' ? 'lost' : 'transient' };

/** What a worker tells when it is done with a node run. */
function factsOf(
  run: StoredRun,
  task: Task,
  worker: Worker,
  effect: EffectClass | 'model',
  luck: Luck,
  outside: Outside,
): WorkerFact[] {
  const by = byOf(task, worker);
  if (task.handle.kind === 'probe') {
    const probed = { ...by, type: 'probed' as const, random: 0.5 };
    if (luck === 'permanent') return [{ ...by, type: 'failed', failure: failureOf(luck), random: 0.5 }];
    if (luck === 'cut' || luck === 'transient')
      return [{ ...probed, answer: 'unknown', reason: 'It cannot say.' }];
    return [
      outside.happened(keyOf(run, effectPathOf(task.handle.path)))
        ? { ...probed, answer: 'applied', output: 'found' }
        : { ...probed, answer: 'not_applied' },
    ];
  }
  const { path } = task.handle;
  const { node, itemIndex } = parsePath(run.graph, path)!;
  const isSent = task.phase === 'sent';
  if (luck === 'transient' || luck === 'permanent' || (luck === 'cut' && isSent)) {
    const isAmbiguous = luck === 'cut' ? { isAmbiguous: true } : {};
    return [{ ...by, type: 'failed', failure: failureOf(luck), random: 0.5, ...isAmbiguous }];
  }
  const answer = effect === 'model' ? { answer: ANSWER } : {};
  if (itemIndex === undefined && node.body) {
    const row = run.rows.get(path)!;
    const count = itemsOf(run.graph.nodes, path).length;
    if (node.config.kind !== 'map' && (row.itemCount ?? 0) < count)
      return [{ ...by, type: 'continued', turn: row.itemCount ?? 0 }];
    if (node.config.kind === 'map' && row.itemCount === undefined)
      return [{ ...by, type: 'expanded', count, itemsHash: 'h' }];
    return [
      { ...by, type: 'succeeded', output: [], ...(row.failedItems ? { degraded: 'items failed' } : {}) },
    ];
  }
  if (task.handle.kind === 'wait') return [{ ...by, type: 'waits', for: { months: 0, ms: 5_000 } }];
  const outcome = outcomeOf(run.seed, path, node.tells && effect === 'pure' ? 0.5 : 0);
  if (outcome === 'fail') return [{ ...by, type: 'failed', failure: failureOf('permanent'), random: 0.5 }];
  const ports = itemIndex === undefined && outcome.ports ? { ports: outcome.ports } : {};
  return [
    { ...by, type: 'succeeded', output: 1, ...ports, ...answer, ...callsOf(run.seed, run.graph, path) },
  ];
}
