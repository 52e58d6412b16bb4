import { type Fact, type FlowGraph, type Line, parsePath, type WorkerFact } from '@pawl/dag-core';
import type { LiveDelta } from '@pawl/run-store';
import type { FactResult, Keep, NodeRunHandle } from '@pawl/run-store/work';
import { type AttemptNote, preciseNow } from '@pawl/telemetry';
import { givenOutput } from '../executors/given.ts';
import { runEnd } from '../executors/run-end.ts';
import { agentPlaceOf } from './agent-place.ts';
import { compiledFlow } from './compiled-flow.ts';
import type { LimitedCalls } from './limited-calls.ts';
import type { EndedView, RunContext } from './run-context.ts';
import { Effort, Segment, type Sending } from './segment.ts';
import { Speculation } from './speculation.ts';
import type { Done, EffectExecutor, PureExecutor, Step } from './step.ts';

// Rules kept here (architecture, "The hot path" 3–5): W1 a worker goes on with what it made ready; W2 pure node runs are computed
// ahead and committed together, at the latest before the next effect, after 128 node runs or 10 ms; W3 the intent of the next
// effect rides in the commit of the outcome before it; W4 what was computed ahead counts only if the commit says so.

/** Most node runs computed before they are committed. */
const SEGMENT_NODE_RUNS = 128;
/** Longest time of computing before a commit. */
const SEGMENT_MS = 10;
/** Most node runs a worker keeps for itself when a segment was cut while its node runs were cheap. */
const MOST_KEPT = 256;
/** A node run that computes longer than this is worth a doorbell, so that another worker may have it. */
const CHEAP_MS = 2;

/** A fact that hands over a value, which may be too long for the journal. */
export type WithOutput =
  | Extract<Fact, { type: 'succeeded' | 'runEnded' }>
  | Extract<Fact, { type: 'probed'; answer: 'applied' } | { type: 'polled'; answer: 'done' }>;

/** What a strand needs from its worker. */
export interface StrandHost {
  readonly workerId: string;
  /** Whether the worker serves a pool; absent: the default pool. */
  serves(pool: string | undefined): boolean;
  /** The worker is asked to end and starts nothing more. */
  readonly isDraining: boolean;
  commit(entry: {
    runId: string;
    graph: FlowGraph;
    facts: readonly Fact[];
    keep?: Keep;
    aside?: unknown;
  }): Promise<FactResult>;
  /** Puts a large output aside before its outcome is committed. */
  putAside(runId: string, fact: WithOutput): Promise<Fact>;
  pure(step: Step): PureExecutor | undefined;
  effect(step: Step): EffectExecutor;
  /** Goes on with another effect of the same run beside this one; false when the worker has no place for it. */
  spawn(context: RunContext, handles: NodeRunHandle[]): boolean;
  readonly calls: LimitedCalls;
  /** False when the worker's lease has too little left to send anything (the effect margin). */
  maySend(): Promise<boolean>;
  /** Facts noted while pure tools ran. */
  takeNotes(runId: string, path: string): WorkerFact[];
  /** A piece of the text that a model is writing. */
  delta(delta: LiveDelta): void;
  /** Begins to notice an attempt; absent when nobody wants to know. */
  note?(handle: NodeRunHandle): AttemptNote;
  forget(runId: string): void;
}

/** One line of work through a run: from a claimed node run on, as far as this worker goes. */
export class Strand {
  readonly #host: StrandHost;
  readonly #context: RunContext;
  #spec: Speculation;
  #mine: readonly NodeRunHandle[] = [];
  /** Node runs of which an end is believed that no commit has confirmed. */
  readonly #believed = new Set<string>();

  /** @param isWholeRun nothing but these node runs has started: the worker knows the whole state of the run */
  constructor(host: StrandHost, context: RunContext, handles: readonly NodeRunHandle[], isWholeRun: boolean) {
    this.#host = host;
    this.#context = context;
    this.#spec = new Speculation(context.graph, handles, host, isWholeRun);
  }

  /** Claimed node runs of this strand that have no outcome yet. */
  get mine(): readonly NodeRunHandle[] {
    return this.#mine;
  }

  async run(handles: readonly NodeRunHandle[]): Promise<void> {
    try {
      await this.#run(handles);
    } finally {
      this.#context.forget(this.#believed);
    }
  }

  async #run(handles: readonly NodeRunHandle[]): Promise<void> {
    let held = [...handles];
    let sending: Sending | undefined;
    while (held.length > 0 || sending) {
      this.#mine = sending ? [...held, sending.step.handle] : held;
      if (this.#host.isDraining && !sending) {
        await this.#giveBack(held);
        this.#mine = [];
        return;
      }
      const segment = new Segment();
      if (sending && !(await this.#send(sending, segment))) return;
      await this.#compute(held, segment);
      if (this.#spec.isEndDue) segment.facts.push(await this.#putAside(await runEnd(this.#context)));
      const result = await this.#commit(segment);
      sending = segment.next && result.verdicts[segment.nextAt] === 'applied' ? segment.next : undefined;
      const more = [...segment.unreached, ...result.claimed];
      this.#mine = sending ? [...more, sending.step.handle] : more;
      if (segment.next && !sending) this.#host.calls.notMade(segment.next.step, segment.next.leave);
      this.#learn(result, more, sending);
      if (await this.#isEnded(segment, result)) return;
      const { kept, left } = this.#keepPure(more, sending !== undefined);
      held = kept;
      if (left.length > 0) await this.#giveBack(left);
    }
    this.#mine = [];
  }

  /** What the commit said goes over what was believed (W4). */
  #learn(result: FactResult, more: readonly NodeRunHandle[], sending: Sending | undefined): void {
    if (result.verdicts.some((verdict) => verdict !== 'applied')) {
      this.#spec.drop();
      this.#context.forget(this.#believed);
    }
    this.#believed.clear();
    const effects =
      more.filter((handle) => this.#host.pure(this.#step(handle)) === undefined).length + (sending ? 1 : 0);
    if (result.rung === 0 && effects <= 1) this.#spec.claimed(more);
    else {
      const known = sending ? [...more, sending.step.handle] : more;
      this.#spec = new Speculation(this.#context.graph, known, this.#host, false);
    }
  }

  /** Computes and commits the end of the run when it is due and was not part of the segment. */
  async #isEnded(segment: Segment, result: FactResult): Promise<boolean> {
    const { runId, graph } = this.#context;
    const isIncluded = segment.facts.some((fact) => fact.type === 'runEnded');
    if (!isIncluded && !result.isEndDue) return false;
    if (!isIncluded)
      await this.#host.commit({ runId, graph, facts: [await this.#putAside(await runEnd(this.#context))] });
    this.#host.forget(runId);
    return true;
  }

  /** Back to the queue: the worker drains and starts nothing more, or has no place. */
  async #giveBack(handles: readonly NodeRunHandle[]): Promise<void> {
    const { runId, graph } = this.#context;
    const facts = handles.map((handle): WorkerFact => ({ ...this.#by(handle), type: 'released' }));
    await this.#host.commit({ runId, graph, facts });
  }

  /** Effects beyond the one this strand goes on with get strands of their own, as far as the worker has places. */
  #keepPure(handles: readonly NodeRunHandle[], isSending: boolean) {
    const kept: NodeRunHandle[] = [];
    const left: NodeRunHandle[] = [];
    let effects = isSending ? 1 : 0;
    for (const handle of handles) {
      const isEffect = this.#host.pure(this.#step(handle)) === undefined;
      if (!isEffect || effects++ === 0) kept.push(handle);
      else if (!this.#host.spawn(this.#context, [handle])) left.push(handle);
    }
    return { kept, left };
  }

  async #commit(segment: Segment): Promise<FactResult> {
    const { runId, graph } = this.#context;
    const left = segment.isCheap ? Math.min(MOST_KEPT, this.#spec.readyCount) : 0;
    const count = left > 0 ? left : segment.next ? 0 : 1;
    return this.#host.commit({
      runId,
      graph,
      facts: segment.facts,
      keep: { workerId: this.#host.workerId, count, serves: this.#host.serves },
      ...(segment.notes.length > 0 && { aside: segment.notes }),
    });
  }

  // --- computing ahead --------------------------------------------------------------------------------------------------

  async #compute(held: readonly NodeRunHandle[], segment: Segment): Promise<void> {
    const queue: NodeRunHandle[] = [...held, ...this.#spec.takeReady()];
    const startedAt = performance.now();
    const effort = new Effort();
    let computed = 0;
    for (let handle = queue.shift(); handle; handle = queue.shift()) {
      const isHeld = held.includes(handle);
      // The doubt or the effect that it is about is not in the journal yet: the commit that tells of it hands it out.
      if ((handle.kind === 'probe' || handle.kind === 'undo') && !isHeld) continue;
      const step = this.#step(handle, this.#host.note?.(handle));
      const executor = this.#host.pure(step);
      if (!executor) {
        if (segment.next) {
          if (isHeld) segment.unreached.push(handle);
        } else if (isHeld || !this.#host.isDraining) await this.#prepare(step, segment, isHeld);
        continue;
      }
      if (computed >= SEGMENT_NODE_RUNS || (computed > 0 && performance.now() - startedAt >= SEGMENT_MS)) {
        segment.isCheap = effort.averageMs() < CHEAP_MS;
        if (isHeld) segment.unreached.push(handle);
        continue;
      }
      const called = this.#limited(step);
      if (called !== undefined && !isHeld) continue; // asked for when it is held
      const leave = called === undefined ? undefined : await this.#host.calls.ask(step, called, 0);
      if (leave && 'key' in leave) {
        segment.facts.push(this.#standInLine(handle, leave));
        continue;
      }
      computed += 1;
      effort.count();
      const answer = executor(step);
      const done = answer instanceof Promise ? await effort.waitingFor(answer) : answer;
      if (called !== undefined) {
        if (done.type === 'lacks' || (done.type === 'succeeded' && done.cached))
          this.#host.calls.notMade(step, leave);
        else this.#host.calls.ended(step, called, leave, done);
      }
      if (done.type === 'lacks') {
        if (isHeld) segment.facts.push(this.#standInLine(handle, { key: done.needs }));
        continue;
      }
      await this.#record(step, done, segment);
      queue.push(...this.#spec.takeReady());
    }
  }

  async #prepare(step: Step, segment: Segment, isHeld: boolean): Promise<void> {
    const executor = this.#host.effect(step);
    const prepared = await executor.prepare(step);
    if ('type' in prepared && prepared.type === 'lacks') {
      if (isHeld) segment.facts.push(this.#standInLine(step.handle, { key: prepared.needs }));
      return;
    }
    if (!('intent' in prepared)) {
      await this.#record(step, prepared, segment);
      return;
    }
    const { target, reserved } = prepared.intent;
    const leave = await this.#host.calls.ask(step, target, reserved?.tokens ?? 0);
    if (leave && 'key' in leave) {
      if (isHeld) segment.facts.push(this.#standInLine(step.handle, leave));
      return;
    }
    segment.next = { step, prepared, executor, leave };
    if (step.note) segment.notes.push(step.note);
    segment.nextAt = segment.facts.length;
    const fact: WorkerFact = { ...this.#by(step.handle), type: 'intent', ...prepared };
    segment.facts.push(fact);
    this.#follow(fact);
  }

  /** Given back, to stand in a line until it may go on (L1). What was only run ahead to is somebody's when it is ready. */
  #standInLine(handle: NodeRunHandle, line: Line): WorkerFact {
    return { ...this.#by(handle), type: 'released', line };
  }

  /** What a pure tool is to a limit that covers it; undefined when none does. */
  #limited(step: Step): string | undefined {
    const { config } = step.node;
    if (config.kind !== 'tool' || givenOutput(step) || !this.#host.calls.areAsked(step, config.tool))
      return undefined;
    return config.tool;
  }

  /** False when the lease is lost: nothing is sent, and somebody else takes the node run over. */
  async #send({ step, prepared, executor, leave }: Sending, segment: Segment): Promise<boolean> {
    const { runId, graph } = this.#context;
    if (!(await this.#host.maySend())) return false;
    const notes: WorkerFact[] = [];
    const { path, attempt } = step.handle;
    let from = 0;
    const done = await executor.send(step, prepared, {
      commit: async (facts) => {
        const mine = facts.map((fact) => ({ ...fact, ...this.#by(step.handle) }));
        const { verdicts } = await this.#host.commit({ runId, graph, facts: mine });
        return verdicts.length === mine.length && verdicts.every((verdict) => verdict === 'applied');
      },
      note: (fact) => notes.push({ ...fact, ...this.#by(step.handle) }),
      delta: (text) => {
        this.#host.delta({ runId, path, attempt, from, text });
        from += text.length;
      },
    });
    this.#host.calls.ended(step, prepared.intent.target, leave, done);
    segment.facts.push(...notes);
    await this.#record(step, done, segment);
    return true;
  }

  async #record(step: Step, done: Done, segment: Segment): Promise<void> {
    const by = this.#by(step.handle);
    if (step.note) {
      step.note.endedAtMs = preciseNow();
      segment.notes.push(step.note);
    }
    segment.facts.push(...this.#host.takeNotes(this.#context.runId, step.handle.path));
    if (done.type === 'failed') {
      const fact: WorkerFact = { ...by, ...done, random: Math.random() };
      segment.facts.push(fact);
      this.#follow(fact);
      return;
    }
    if (done.type === 'probed' || done.type === 'polled') {
      await this.#recordAnswer({ ...by, ...done, random: Math.random() }, segment);
      return;
    }
    const fact: WorkerFact = { ...by, ...done };
    if (fact.type === 'succeeded') this.#believe(step.handle.path, viewOf(fact));
    segment.facts.push(fact.type === 'succeeded' ? await this.#putAside(fact) : fact);
    this.#follow(fact);
  }

  /** What the answer about a doubt or a call leads to is the store's to say: the strand does not know the effect's node run. */
  async #recordAnswer(
    fact: Extract<WorkerFact, { type: 'probed' | 'polled' }>,
    segment: Segment,
  ): Promise<void> {
    segment.facts.push(
      fact.answer === 'applied' || fact.answer === 'done' ? await this.#putAside(fact) : fact,
    );
    this.#spec.drop();
  }

  /** Goes on as if the store had said yes. */
  #follow(fact: WorkerFact): void {
    for (const [path, view] of this.#spec.decide(fact)) this.#believe(path, view);
  }

  #believe(path: string, view: EndedView): void {
    this.#believed.add(path);
    this.#context.ended(path, view);
  }

  /** Only values that may be long are looked at more closely. */
  #putAside(fact: WithOutput): Promise<Fact> | Fact {
    return isSmall(fact.output) ? fact : this.#host.putAside(this.#context.runId, fact);
  }

  #step(handle: NodeRunHandle, note?: AttemptNote): Step {
    const { graph } = this.#context;
    const target = parsePath(graph, handle.path)!;
    const isItem = target.itemIndex !== undefined;
    const agent = agentPlaceOf(graph, target);
    return {
      context: this.#context,
      handle,
      node: target.node,
      compiled: compiledFlow(graph).node(target.node),
      scopePath: agent ? parsePath(graph, agent.path)!.parent : isItem ? handle.path : target.parent,
      note,
      ...(agent && { agent }),
    };
  }

  #by({ path, attempt }: NodeRunHandle) {
    return { path, attempt, workerId: this.#host.workerId };
  }
}

function viewOf({ output, answer, calls }: Extract<WorkerFact, { type: 'succeeded' }>): EndedView {
  return { output, status: 'succeeded', ...(answer && calls && { asked: { answer, calls } }) };
}

/** True when a value's JSON text is certainly far below the inline limit. */
function isSmall(value: unknown): boolean {
  let budget = 40_000;
  const walk = (part: unknown): boolean => {
    budget -= 8;
    if (typeof part === 'string') budget -= part.length;
    if (budget <= 0 || typeof part !== 'object' || part === null) return budget > 0;
    if (Array.isArray(part)) return part.every(walk);
    for (const key in part) {
      budget -= key.length;
      if (!walk((part as Record<string, unknown>)[key])) return false;
    }
    return budget > 0;
  };
  return walk(value);
}
