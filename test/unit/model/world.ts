import {
  compileGraph,
  type Fact,
  holderOf,
  isTerminalRun,
  type NodeRunState,
  type Verdict,
  whyNotEditable,
} from '@pawl/dag-core';
import { randomFlow } from '../../../packages/dag-core/test/advance/random-flows.ts';
import type { Word } from '../../../packages/run-store/src/sql/words.ts';
import type { NodeRunHandle } from '../../../packages/run-store/src/use-cases/decide-entries.ts';
import type { Damage } from './damage.ts';
import { type Bell, Database, type StoredRun } from './database.ts';
import { effectOf, intentOf, isTakenLater, keyOf } from './effects.ts';
import { type Callback, Outside } from './outside.ts';
import { byOf, factsOf } from './worker-facts.ts';

const LEASE_MS = 15_000;
/** The lease of a worker that was declared dead, or that is. */
const TAKEN = Number.NEGATIVE_INFINITY;

/** A node run that a worker holds, and how far it is with it. */
export interface Task {
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

/** A run of a random flow, with so many tokens. */
export interface Start {
  readonly seed: number;
  readonly size: number;
  readonly tokens: number;
}

/** What a person would do about a node run, as far as it can be known. */
export type Wish = 'decide' | 'retry' | 'edit' | 'skip';

/** The whole system in memory with a clock of its own: database, queue, workers, sweeper, people, and the world outside. */
export class World {
  readonly database = new Database();
  readonly outside = new Outside();
  queue: Bell[] = [];
  /** What runs said to each other and processes have not told yet; the database holds it as well. */
  said: Word[] = [];
  /** What was seen that no journal tells. */
  readonly sights = new Set<string>();
  nowMs = 1_000;
  #started = 0;
  #hired = 0;
  workers: Worker[] = [this.#hire(), this.#hire()];

  get runs(): StoredRun[] {
    return [...this.database.runs.values()];
  }

  /** Runs that nobody but a person started. */
  get topmost(): number {
    return this.runs.filter(({ state }) => !state.more?.parent).length;
  }

  #hire(): Worker {
    const id = `w${this.#hired++}`;
    this.database.leases.set(id, this.nowMs + LEASE_MS);
    return { id, tasks: [], isFrozen: false };
  }

  start({ seed, size, tokens }: Start): void {
    const shape = { size, withPause: 'often' as const, withRetry: true, withTools: true, withFlows: true };
    const graph = compileGraph(randomFlow(seed, shape));
    this.database.admit({ runId: this.newRunId(), graph, budget: { tokens } }, seed);
  }

  newRunId = (): string => `run${this.#started++}`;

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
    if (task.phase === 'sent') return this.#finish(worker, at, run, answer);
    if (effect === 'pure') return this.#finish(worker, at, run, luck);
    if (task.phase === 'claimed') {
      const fact: Fact = { ...byOf(task, worker), type: 'intent', intent: intentOf(run, task.handle) };
      const result = await this.#commit(run, [fact], worker, luck);
      if (result?.verdicts[0] === 'applied') task.phase = 'intended';
      else worker.tasks.splice(worker.tasks.indexOf(task), 1);
      return;
    }
    // V3: nothing is sent without a lease; one that was taken away ends the worker.
    if (!this.#renew(worker)) return this.crash(worker);
    if (luck !== 'permanent' && luck !== 'transient') this.#send(run, task);
    task.phase = 'sent';
    if (luck !== 'good' && luck !== 'lost_after') await this.#finish(worker, at, run, luck);
  }

  #send(run: StoredRun, { handle }: Task): void {
    const { path, attempt } = handle;
    const key = keyOf(run, handle);
    const hadIntent = run.journal.some(
      (event) => event.type === 'intent.recorded' && event.data.key === key && event.attempt === attempt,
    );
    const request = { runId: run.id, path, key, attempt, effect: effectOf(run, handle), hadIntent };
    if (isTakenLater(run, handle)) this.outside.take(request);
    else this.outside.apply(request);
  }

  async #finish(worker: Worker, at: number, run: StoredRun, luck: Luck) {
    const [task] = worker.tasks.splice(at, 1);
    const facts = factsOf(run, task!, worker, luck, this);
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
    if (result.verdicts.some((verdict) => verdict === 'notMine' || verdict === 'late'))
      this.sights.add('refused by the fence');
    if (luck === 'lost_after') return result;
    this.relay();
    this.said.push(...result.words);
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
    for (const word of [...this.database.words.values()]) await this.hear(word);
    this.queue.push(...this.database.forgotten());
    this.relay();
  }

  /** F4: what one run said is told to the other; `dies` before it is forgotten, so that it will be told again. */
  async hear(word: Word, dies?: 'dies'): Promise<void> {
    const run = this.database.runs.get(word.toRunId)!;
    const verdict = await this.tell(run, this.database.factOf(word));
    if (verdict === 'notMine') this.sights.add('a word that changes nothing');
    if (!dies) this.database.forget(word);
  }

  /** T22: what a service says later, taken as the store takes it: what was said before leads to nothing new. */
  async callBack({ about: { runId, path, attempt }, says }: Callback): Promise<Verdict | 'duplicate'> {
    const run = this.database.runs.get(runId)!;
    const callback = `${attempt} ${says}`;
    const isKnown = run.journal.some(
      (event) => event.path === path && 'callback' in event.data && event.data.callback === callback,
    );
    if (isKnown) return 'duplicate';
    const base = { type: 'callback', path, attempt, callback, random: 0.5 } as const;
    const code = 'callback_failed';
    if (says === 'done') return this.tell(run, { ...base, output: 'called back' });
    const failure = { code, message: 'No.', class: says === 'not_now' ? 'transient' : 'permanent' } as const;
    return this.tell(run, { ...base, failure });
  }

  /** Something goes wrong with the rows of a run, and `pawl doctor --repair` looks at it. */
  repair(run: StoredRun, damage: Damage, row: NodeRunState): void {
    const takeBack = damage.does(run, row);
    const repaired = this.database.repair(run, this.nowMs);
    takeBack?.();
    const isRefused = repaired !== undefined && 'refused' in repaired;
    if (isRefused !== (takeBack !== undefined)) throw new Error(`${damage.name} of ${run.id} was misjudged`);
    if (isRefused) this.sights.add('repair refused');
    if (repaired && 'words' in repaired) {
      this.sights.add(`repaired ${damage.name}`);
      this.said.push(...repaired.words);
      this.relay();
    }
  }

  /** A fact of the sweeper or of a person. */
  async tell(run: StoredRun, fact: Fact) {
    const result = await this.database.commit(run, [fact], this.nowMs);
    this.said.push(...result.words);
    return result.verdicts[0]!;
  }

  /** J10: somebody may still send the effect of the newest attempt of a node run. */
  mayStillSend({ journal }: StoredRun, { path, attempt }: NodeRunState): boolean {
    const holder = holderOf(
      journal.filter((event) => event.path === path),
      attempt,
    );
    return holder !== undefined && (this.database.leases.get(holder) ?? TAKEN) !== TAKEN;
  }

  /** What a person does who looks at what really happened; undefined when there is nothing to be done now. */
  async decide(run: StoredRun, row: NodeRunState, wish: Wish): Promise<Verdict | undefined> {
    const by = { path: row.path, by: 'ada' };
    if (row.status === 'waiting' && row.reason === 'approval')
      return this.tell(run, { ...by, type: 'answer', decision: 'approved' });
    if (row.status === 'uncertain') return this.#settle(run, row, by);
    if (row.status !== 'waiting' || row.reason !== 'failure') return undefined;
    if (wish === 'decide') return this.#settle(run, row, by);
    if (wish === 'skip') return this.tell(run, { ...by, type: 'settle', verdict: 'skip' });
    if (wish === 'retry') return this.tell(run, { ...by, type: 'retryNode' });
    if (whyNotEditable(run.graph, row) === 'may_have_happened') this.sights.add('an edit that is refused');
    return this.tell(run, { ...by, type: 'retryNode', values: { edited: row.attempt } });
  }

  /** "Did not happen" is the truth, and stays it: nobody is about to send it, and what the service took is taken back. */
  async #settle(
    run: StoredRun,
    row: NodeRunState,
    by: { path: string; by: string },
  ): Promise<Verdict | undefined> {
    const key = keyOf(run, row);
    if (this.outside.happened(key))
      return this.tell(run, { ...by, type: 'settle', verdict: 'happened', output: 'found' });
    const isHeld = this.workers.some(({ tasks }) =>
      tasks.some(({ runId, handle }) => runId === run.id && handle.path === row.path),
    );
    if (isHeld || this.mayStillSend(run, row)) return undefined;
    this.outside.withdraw(key);
    return this.tell(run, { ...by, type: 'settle', verdict: 'did_not_happen' });
  }

  /** Everything goes well from here on: how many rounds it takes until every run has ended (V9). */
  async calmDown(): Promise<number> {
    for (const worker of this.workers) this.thaw(worker);
    for (let round = 1; round < 2_000; round++) {
      if (this.runs.every((run) => isTerminalRun(run.state.status))) return round;
      for (const run of this.runs) {
        if (run.state.status === 'paused') {
          await this.tell(run, { type: 'raiseBudget', limits: { tokens: 1_000_000 }, by: 'ada' });
          await this.tell(run, { type: 'resumeRun', by: 'ada' });
        }
        for (const row of run.rows.openUnder('')) {
          const isTried = row.more?.edited !== undefined;
          const verdict = await this.decide(run, row, isTried ? 'skip' : 'edit');
          if (verdict === 'refused') await this.decide(run, row, 'skip');
        }
      }
      while (this.outside.taken.length > 0) this.outside.serve(0, 'done');
      for (const callback of this.outside.callbacks.splice(0)) await this.callBack(callback);
      this.pass(20_000);
      await this.sweep();
      for (let worker = 0; this.queue.length > 0; worker = 1 - worker) this.deliver(this.workers[worker]!, 0);
      for (const worker of this.workers) while (worker.tasks.length > 0) await this.work(worker, 0, 'good');
    }
    return Number.POSITIVE_INFINITY;
  }
}

const END: NodeRunHandle = { path: '', nodeId: '', kind: 'run', attempt: 0, failures: 0 };
