import type { AllRows } from '../../src/index.ts';
import {
  childPath,
  type EffectClass,
  type Fact,
  type Failure,
  type FailureClass,
  type Intent,
  isCompletedEffect,
  isStopping,
  isTerminalNodeRun,
  isTerminalRun,
  type ModelAnswer,
  mayStart,
  mayStartWork,
  type NodeRunState,
  parsePath,
  type RunView,
  type WorkerFact,
} from '../../src/index.ts';
import { callsOf, itemsOf, outcomeOf, pickOf, type Random, randomOf } from './random-flows.ts';

/** A run whose rows are all in memory. */
export type WholeRun = RunView & { readonly rows: AllRows };

/** What happens next: a worker takes a node run up, or facts are decided together at an instant. */
export type Step =
  | { readonly do: 'claim'; readonly path: string; readonly workerId: string }
  | { readonly do: 'decide'; readonly nowMs: number; readonly entries: readonly (readonly Fact[])[] };

const WORKERS = ['worker-1', 'worker-2', 'worker-3'];
const CLASSES: FailureClass[] = ['permanent', 'transient', 'timed_out', 'lost', 'cancelled', 'budget'];
const RESERVED = { costNanoUsd: 100, tokens: 10, modelCalls: 1 };

/**
 * Everything that workers, sweepers, timers and people do to a run, at random: outcomes of every kind, attempts that get lost or are
 * given back, facts that come too late, cancels, budgets, settlements.
 */
export class Chaos {
  readonly #view: WholeRun;
  readonly #random: Random;
  readonly #seed: number;
  /** Attempt for which each node run has an intent. */
  readonly #intents = new Map<string, number>();
  #nowMs = 1_000;

  constructor(view: WholeRun, random: Random, seed: number) {
    this.#view = view;
    this.#random = random;
    this.#seed = seed;
  }

  /** @param isCalm from here on everything goes well, so that the run must end; undefined when nothing can happen any more */
  next(isCalm: boolean): Step | undefined {
    if (!isCalm) {
      const strange = this.#strange();
      if (strange) return this.#decide([strange]);
    }
    const choices = this.#choices(isCalm);
    if (choices.length === 0) return undefined;
    const first = pickOf(this.#random, choices)();
    if (first.do === 'claim' || isCalm || this.#random() > 0.2) return first;
    // Several workers at once: their facts were made from the same state and are decided in one batch.
    const second = pickOf(this.#random, choices)();
    return second.do === 'decide'
      ? { ...first, nowMs: this.#nowMs, entries: [...first.entries, ...second.entries] }
      : first;
  }

  #decide(facts: readonly Fact[]): Step {
    return { do: 'decide', nowMs: this.#nowMs, entries: [facts] };
  }

  #choices(isCalm: boolean): (() => Step)[] {
    const { run, rows } = this.#view;
    if (isTerminalRun(run.status)) return [];
    const choices: (() => Step)[] = [];
    const mayClaim = (row: NodeRunState) =>
      mayStart(run, row) && (run.status !== 'paused' || row.kind === 'poll');
    for (const row of rows.openUnder('')) {
      const { path } = row;
      if (row.status === 'ready' && mayClaim(row))
        choices.push(() => ({ do: 'claim', path, workerId: pickOf(this.#random, WORKERS) }));
      if (row.status === 'running') choices.push(() => this.#decide(this.#work(row, isCalm)));
      if (row.reason === 'callback') choices.push(() => this.#decide([this.#callback(row)]));
      if (row.wakeAt !== undefined && (mayStart(run, row) || row.reason === 'callback'))
        choices.push(() => {
          this.#nowMs = Math.max(this.#nowMs, row.wakeAt!);
          return this.#decide([{ type: 'timerDue', path }]);
        });
      if (row.waitKey !== undefined) choices.push(() => this.#decide([this.#signal(row)]));
      if (row.status === 'waiting' && row.reason === 'approval')
        choices.push(() => this.#decide([this.#answer(row)]));
      if (row.status === 'uncertain' || (row.status === 'waiting' && row.reason === 'failure'))
        choices.push(() => this.#decide([this.#person(row, isCalm)]));
    }
    if (run.status === 'paused') {
      choices.push(() => this.#decide([raise(1_000_000)]));
      choices.push(() => this.#decide([{ type: 'resumeRun', by: 'somebody' }]));
    }
    if (run.openCount === 0 && mayStartWork(run) && run.status !== 'paused')
      choices.push(() => this.#decide([this.#end(isCalm)]));
    return choices;
  }

  #end(isCalm: boolean): Fact {
    return !isCalm && this.#random() < 0.2
      ? { type: 'runEnded', failure: failureOf('permanent') }
      : { type: 'runEnded', output: 'done' };
  }

  /** What nobody waits for. */
  #strange(): Fact | undefined {
    const { rows } = this.#view;
    const drawn = this.#random();
    if (drawn < 0.01) return { type: 'cancel', by: 'somebody', compensate: this.#random() < 0.5 };
    if (drawn < 0.015) return { type: 'overtime' };
    if (drawn < 0.0155) return { type: 'timedOut' };
    if (drawn < 0.02) return { type: 'pauseRun', by: 'somebody' };
    if (drawn < 0.03) return { type: 'graceOver' };
    if (drawn < 0.05) return raise(Math.floor(this.#random() * 150));
    const row = pickOf(this.#random, [...rows.byPath.values()]);
    const { path, attempt } = row;
    if (drawn < 0.08)
      return { type: 'lost', path, attempt, workerId: row.workerId ?? 'gone', reason: 'died' };
    if (drawn < 0.1) return { type: 'released', path, attempt, workerId: row.workerId ?? 'gone' };
    if (drawn < 0.13) {
      const stale = {
        path,
        attempt: Math.max(0, attempt - Math.floor(this.#random() * 2)),
        workerId: 'gone',
      };
      return pickOf<Fact>(this.#random, [
        { ...stale, type: 'succeeded', output: 'late' },
        { ...stale, type: 'failed', failure: failureOf('transient'), random: 0 },
        { ...stale, type: 'intent', intent: intentOf(path, 'idempotent') },
        { ...stale, type: 'continued', turn: row.itemCount ?? 0 },
      ]);
    }
    if (drawn < 0.14) return { ...this.#person(row, false), ...(drawn < 0.135 && { question: 3 }) };
    if (drawn < 0.145) return { ...this.#answer(row), ...(drawn < 0.142 && { question: 4 }) };
    if (drawn < 0.155) return { type: 'timerDue', path };
    if (drawn < 0.165) return this.#signal(row);
    if (drawn < 0.175) return this.#callback(row);
    return undefined;
  }

  #signal({ path, waitKey }: NodeRunState): Fact {
    const id = `s-${Math.floor(this.#random() * 5)}`;
    const signal = { id, name: 'go', key: '', payload: null, by: 'somebody', sentAt: 0 };
    return { type: 'signal', path, waitKey: waitKey ?? 'k', signal };
  }

  #callback({ path, attempt }: NodeRunState): Fact {
    const callback = { type: 'callback' as const, path, attempt, callback: 'h', random: 0.5 };
    return this.#random() < 0.7
      ? { ...callback, output: 'called back' }
      : { ...callback, failure: failureOf(pickOf(this.#random, ['permanent', 'transient'] as const)) };
  }

  #answer({ path }: NodeRunState): Extract<Fact, { type: 'answer' }> {
    const decision = this.#random() < 0.5 ? ('approved' as const) : ('rejected' as const);
    return { type: 'answer', path, decision, values: { n: 1 }, by: 'somebody' };
  }

  #person({ path }: NodeRunState, isCalm: boolean): Extract<Fact, { type: 'settle' | 'retryNode' }> {
    const by = 'somebody';
    if (isCalm) return { type: 'settle', path, verdict: 'skip', by };
    return pickOf<Extract<Fact, { type: 'settle' | 'retryNode' }>>(this.#random, [
      { type: 'settle', path, verdict: 'happened', output: 'settled', by },
      { type: 'settle', path, verdict: 'did_not_happen', by },
      { type: 'settle', path, verdict: 'skip', by },
      { type: 'settle', path, verdict: 'fail', by },
      { type: 'settle', path, verdict: 'adopt', late: 1, output: 'late', by },
      {
        type: 'settle',
        path,
        verdict: 'adopt',
        late: 1,
        failure: failureOf(pickOf(this.#random, CLASSES)),
        by,
      },
      { type: 'settle', path, verdict: 'compensate', output: null, by },
      { type: 'retryNode', path, by },
    ]);
  }

  /** What a worker reports next about a node run it holds. */
  #work(row: NodeRunState, isCalm: boolean): WorkerFact[] {
    const base = { path: row.path, attempt: row.attempt, workerId: row.workerId! };
    const { node, itemIndex } = parsePath(this.#view.graph, row.path)!;
    const isFailing = !isCalm && this.#random() < 0.25;
    if (itemIndex !== undefined || node.body) {
      if (isFailing)
        return [{ ...base, type: 'failed', failure: failureOf(pickOf(this.#random, CLASSES)), random: 0.5 }];
      const count = itemIndex === undefined ? itemsOf(this.#view.graph.nodes, row.path).length : 0;
      if (itemIndex === undefined && ['loop', 'agent'].includes(node.config.kind)) {
        const turn = row.itemCount ?? 0;
        return turn < count
          ? [{ ...base, type: 'continued', turn }]
          : [{ ...base, type: 'succeeded', output: 1 }];
      }
      if (itemIndex === undefined && row.itemCount === undefined && (count > 0 || this.#random() < 0.5))
        return [{ ...base, type: 'expanded', count, itemsHash: 'h' }];
      const degraded = row.failedItems ? { degraded: 'items failed' } : {};
      return [{ ...base, type: 'succeeded', output: [], ...degraded }];
    }
    if (row.kind === 'wait' && !isFailing) {
      const waits = { ...base, type: 'waits' as const };
      if (this.#random() < 0.3) {
        const time = this.#random() < 0.5 ? { for: { months: 0, ms: 20 } } : {};
        return [{ ...waits, ...time, signal: { name: 'go', key: '', waitKey: 'k' } }];
      }
      return [
        this.#random() < 0.5
          ? { ...waits, for: { months: 0, ms: Math.floor(this.#random() * 50) } }
          : { ...waits, until: this.#nowMs + Math.floor(this.#random() * 50) - 10 },
      ];
    }
    if (!isCalm && row.more?.answer === undefined && this.#random() < 0.08) {
      const onDeadline = pickOf(this.#random, ['fail', 'reject', 'approve', undefined] as const);
      const question = {
        kind: 'tool' as const,
        subject: 'May it?',
        shown: 'h',
        ...(onDeadline && { onDeadline }),
      };
      const time = this.#random() < 0.5 ? { for: { months: 0, ms: Math.floor(this.#random() * 40) } } : {};
      return [{ ...base, type: 'asks', question, ...time }];
    }
    if (row.kind === 'probe') {
      const probed = { ...base, type: 'probed' as const, random: 0.5 };
      if (isFailing) return [{ ...probed, answer: 'unknown', reason: 'It cannot say.' }];
      return [
        this.#random() < 0.5
          ? { ...probed, answer: 'applied', output: 1 }
          : { ...probed, answer: 'not_applied' },
      ];
    }
    if (row.kind === 'poll') return [this.#poll(base, isFailing, isCalm)];
    const effect = effectOf(this.#seed, row.path);
    const isSent = this.#intents.get(row.path) === row.attempt;
    if (effect !== 'pure' && !isSent && (isCalm || this.#random() < 0.9)) {
      this.#intents.set(row.path, row.attempt);
      const canUndo = node.config.kind === 'tool' && row.kind !== 'undo' && effect !== 'model';
      const undo = canUndo ? { compensates: true as const } : {};
      const probe = canUndo && this.#random() < 0.5 ? { probes: true as const } : {};
      return [{ ...base, type: 'intent', intent: { ...intentOf(row.path, effect), ...undo, ...probe } }];
    }
    const answer = effect === 'model' && isSent ? { answer: ANSWER } : {};
    if (isFailing) {
      const isAmbiguous = isSent && this.#random() < 0.5;
      const failure = failureOf(pickOf(this.#random, CLASSES));
      return [{ ...base, type: 'failed', failure, random: 0.5, ...(isAmbiguous ? { isAmbiguous } : answer) }];
    }
    if (isSent && effect !== 'model' && row.kind === 'tool' && this.#random() < 0.2) {
      const deadlineMs = Math.floor(this.#random() * 50);
      const poll = this.#random() < 0.6 && { poll: { everyMs: 1 + Math.floor(this.#random() * 20) } };
      return [{ ...base, type: 'accepted', deadlineMs, ...poll }];
    }
    if (answer.answer && this.#random() < 0.1) {
      this.#intents.delete(row.path);
      return [{ ...base, type: 'answered', call: 0, answer: ANSWER, problem: failureOf('permanent') }];
    }
    const outcome = outcomeOf(this.#seed, row.path, 0);
    const ports = outcome === 'fail' ? undefined : outcome.ports;
    const done: WorkerFact = {
      ...base,
      type: 'succeeded',
      output: 1,
      ...(ports && { ports }),
      ...callsOf(this.#seed, this.#view.graph, row.path),
      ...answer,
    };
    return [done, ...this.#ahead(base, ports ?? [''])];
  }

  /** What a tool says about a call; it fails, or cannot say yet, only for a while. */
  #poll(
    base: { path: string; attempt: number; workerId: string },
    isFailing: boolean,
    isCalm: boolean,
  ): WorkerFact {
    if (isFailing) return { ...base, type: 'failed', failure: failureOf('permanent'), random: 0.5 };
    const polled = { ...base, type: 'polled' as const, random: 0.5 };
    if (!isCalm && this.#random() < 0.5) return { ...polled, answer: 'not_yet' };
    const callback = this.#random() < 0.5 ? 'h' : 'p';
    return this.#random() < 0.7
      ? { ...polled, answer: 'done', callback, output: 'polled' }
      : { ...polled, answer: 'failed', callback, failure: failureOf('transient') };
  }

  /** Pure node runs that follow at once, done by the same worker before anything was committed. */
  #ahead(base: { path: string; attempt: number; workerId: string }, ports: readonly string[]): WorkerFact[] {
    const { node, parent } = parsePath(this.#view.graph, base.path)!;
    const edge = node.outbound.find(
      ({ port, to }) => ports.includes(port) && to.inbound.length === 1 && !to.body,
    );
    if (!edge || this.#random() < 0.5) return [];
    const path = childPath(parent, edge.to.id);
    if (effectOf(this.#seed, path) !== 'pure' || edge.to.config.kind === 'wait') return [];
    const next = { path, attempt: 1, workerId: base.workerId };
    return [{ ...next, type: 'succeeded', output: 2 }, ...this.#ahead(next, [''])];
  }
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

const raise = (tokens: number): Fact => ({ type: 'raiseBudget', limits: { tokens }, by: 'somebody' });

const failureOf = (kind: FailureClass): Failure => ({
  code: `is_${kind}`,
  message: 'It fails.',
  class: kind,
});

const effectOf = (seed: number, path: string): EffectClass | 'model' =>
  pickOf(randomOf(seed ^ 0xeffec7, path), ['pure', 'pure', 'idempotent', 'non_repeatable', 'model'] as const);

const intentOf = (path: string, effect: EffectClass | 'model'): Intent => ({
  call: 0,
  effect,
  target: 't@1',
  key: path,
  request: null,
  requestHash: 'h',
  ...(effect !== 'idempotent' && { reserved: RESERVED }),
});

const isAsking = (kind: string): boolean => kind === 'probe' || kind === 'poll';

/** What holds for a run after every decision, as sentences about what does not. */
export function brokenInvariants(view: WholeRun): string[] {
  const { run, rows, graph } = view;
  const all = [...rows.byPath.values()];
  const open = all.filter((row) => !isTerminalNodeRun(row.status));
  const broken: string[] = [];
  const must = (holds: boolean, sentence: string) => {
    if (!holds) broken.push(sentence);
  };
  const active = all.filter(
    ({ status, kind }) => (status === 'ready' || status === 'running') && kind !== 'poll',
  ).length;
  must(run.activeCount === active, `activeCount is ${run.activeCount}, but ${active} node runs are active`);
  const reserved = all.reduce((sum, row) => sum + (row.reserved?.tokens ?? 0), 0);
  must(run.reserved.tokens === reserved, `${run.reserved.tokens} tokens reserved, but rows say ${reserved}`);
  must(
    open.every((row) => !row.reserved || row.intentSeq !== undefined || row.reason === 'flow'),
    'reserved without an intent',
  );
  const spent = all.reduce((sum, row) => sum + row.tokens, 0);
  must(run.spent.tokens === spent, `${run.spent.tokens} tokens spent, but rows say ${spent}`);
  if (isTerminalRun(run.status)) {
    // A sub-flow is undone as far as nothing is left of it, and whatever became of its node run (F9).
    const isOfTool = ({ nodeId }: NodeRunState) => graph.nodes.get(nodeId)?.config.kind !== 'flow';
    const undone = all.filter((row) => row.status === 'compensated' && isOfTool(row));
    const undos = all.filter((row) => row.kind === 'undo' && row.status === 'succeeded' && isOfTool(row));
    must(undone.length === undos.length, `${undos.length} were undone, ${undone.length} say so`);
    for (const row of open) broken.push(`the run is ${run.status} and ${row.path} is ${row.status}`);
    return broken;
  }
  for (const row of open) {
    const isStopped = isStopping(view, row.path);
    if (isStopped)
      must(
        row.status === 'running' ||
          row.status === 'uncertain' ||
          row.status === 'compensating' ||
          row.reason === 'callback' ||
          row.reason === 'flow' ||
          row.kind === 'poll',
        `${row.path} is ${row.status} in a scope that stops`,
      );
    if (row.kind === 'item' && row.status === 'waiting' && row.reason === 'nodes' && !isStopped) {
      const body = graph.nodes.get(row.nodeId)!.body!;
      const left = body.nodes.filter((node) => {
        const inner = rows.get(childPath(row.path, node.id));
        return !inner || !isTerminalNodeRun(inner.status);
      }).length;
      if (row.failure === undefined)
        must(row.openCount === left && left > 0, `${row.path} counts ${row.openCount} open nodes of ${left}`);
    }
    if (row.kind === 'turn' && row.status === 'waiting' && !isStopped && row.failure === undefined) {
      const left = rows.openUnder(row.path).filter(({ kind }) => !isAsking(kind)).length;
      must(row.openCount === left && left > 0, `${row.path} counts ${row.openCount} open parts of ${left}`);
    }
    if (row.kind === 'probe') {
      const effect = rows.get(row.path.slice(0, row.path.lastIndexOf('/')))!;
      const isAwaited = effect.status === 'uncertain' && effect.more?.probing;
      must(isAwaited || isStopped, `${row.path} asks about an effect that is ${effect.status}`);
    }
    if (row.kind === 'poll') {
      const called = rows.get(row.path.slice(0, row.path.lastIndexOf('/')))!;
      const isAwaited = called.reason === 'callback' && row.path === `${called.path}/poll-${called.attempt}`;
      must(
        isAwaited && called.more?.polling !== undefined,
        `${row.path} asks about what is ${called.status}`,
      );
    }
    if (row.more?.polling !== undefined)
      must(
        open.some(({ path }) => path === `${row.path}/poll-${row.attempt}`),
        `${row.path} is to be asked about and nobody asks`,
      );
    if (row.more?.probing)
      must(
        open.some(({ kind, path }) => kind === 'probe' && path.startsWith(`${row.path}/`)),
        `${row.path} waits for an answer that nobody asks for`,
      );
    must(
      row.kind === 'undo' || row.status !== 'pending' || row.pendingEdges > 0,
      `${row.path} is pending without pending edges`,
    );
    const isStoppingScope =
      row.failure !== undefined && (row.reason === 'children' || row.reason === 'nodes');
    if (isStoppingScope) {
      const busy = rows.openUnder(row.path).length;
      must(busy > 0, `${row.path} stops, nothing is open below, and it has not failed`);
    }
  }
  if (run.status === 'compensating') {
    const begun = open.filter((row) => row.kind === 'undo' && row.status !== 'pending');
    must(begun.length === 1, `${begun.length} effects are being undone at once`);
    const undone = all.filter((row) => row.status === 'compensating');
    const current = begun[0] && rows.get(begun[0].path.slice(0, begun[0].path.lastIndexOf('/')));
    const saysSo = current?.kind === 'flow' ? undone.length <= 1 : undone.length === 1;
    must(saysSo, `${undone.length} effects say that they are being undone`);
    must(
      open.every((row) => row.kind === 'undo' || row.status === 'compensating'),
      'work is under way while effects are undone',
    );
    const left = all.filter((row) => row !== current && isCompletedEffect(row)).length;
    const waiting = open.length - begun.length - undone.length;
    const kept = run.more!.compensation!.left.filter((path) => rows.get(path)).length;
    must(left === waiting + kept, `${left} effects stand, ${waiting} wait to be undone and ${kept} are kept`);
  } else if (!mayStartWork(run)) {
    const leavesDoubt = run.status === 'cancelling' && !run.more?.undoOnCancel;
    const isBusy = open.some(
      ({ status, kind, reason }) =>
        (status === 'running' && !isAsking(kind)) ||
        reason === 'callback' ||
        reason === 'flow' ||
        (status === 'uncertain' && !leavesDoubt),
    );
    must(isBusy, `the run stops with nothing under way and is ${run.status}`);
  }
  if (run.status === 'pending') must(run.nextSeq === 2, 'the run is pending after its first event');
  if (run.status === 'running' || run.status === 'waiting')
    must(
      (run.status === 'running') === (run.activeCount > 0 || run.openCount === 0),
      `the run is ${run.status} with ${active} active and ${run.openCount} open`,
    );
  return broken;
}
