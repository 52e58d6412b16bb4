import {
  AllRows,
  Decider,
  type Fact,
  type FlowGraph,
  type NodeRunState,
  type NodeView,
  parsePath,
  RunView,
  type Verdict,
  type WorkerFact,
} from '@pawl/dag-core';
import type { FactResult, NodeRunHandle } from '@pawl/run-store';
import { runEnd } from '../executors/run-end.ts';
import { compiledFlow } from './compiled-flow.ts';
import type { RunContext } from './run-context.ts';
import type { Done, EffectExecutor, Prepared, PureExecutor, Step } from './step.ts';

// Rules kept here (architecture, "The hot path" 3–5): W1 a worker goes on with what it made ready; W2 pure node runs are computed
// ahead and committed together, at the latest before the next effect, after 64 node runs or 10 ms; W3 the intent of the next
// effect rides in the commit of the outcome before it; W4 what was computed ahead counts only if the commit says so.

/** Most node runs computed before they are committed. */
export const SEGMENT_NODE_RUNS = 64;
/** Longest time of computing before a commit. */
export const SEGMENT_MS = 10;
/** Most node runs a worker keeps for itself when a segment was cut while its node runs were cheap. */
const MOST_KEPT = 256;
/** A node run that computes longer than this is worth a doorbell, so that another worker may have it. */
const CHEAP_MS = 2;

/** What a strand needs from its worker. */
export interface StrandHost {
  readonly workerId: string;
  commit(entry: {
    runId: string;
    graph: FlowGraph;
    facts: readonly Fact[];
    keep?: { workerId: string; count: number };
  }): Promise<FactResult>;
  /** Puts a large output aside before its outcome is committed. */
  putAside(fact: Extract<Fact, { type: 'succeeded' | 'runEnded' }>): Promise<Fact>;
  pure(step: Step): PureExecutor | undefined;
  effect(step: Step): EffectExecutor;
  /** Goes on with another effect of the same run beside this one. */
  spawn(context: RunContext, handles: NodeRunHandle[]): void;
  /** False when the worker's lease has too little left to send anything (the effect margin). */
  maySend(): Promise<boolean>;
  /** Facts noted while pure tools ran. */
  takeNotes(runId: string, path: string): WorkerFact[];
  delta(runId: string, path: string, attempt: number, text: string): void;
  forget(runId: string): void;
}

interface Sending {
  readonly step: Step;
  readonly prepared: Prepared;
  readonly executor: EffectExecutor;
}

/** One line of work through a run: from a claimed node run on, as far as this worker goes. */
export class Strand {
  readonly #host: StrandHost;
  readonly #context: RunContext;
  #spec: Speculation;

  /** @param isWholeRun nothing but these node runs has started: the worker knows the whole state of the run */
  constructor(host: StrandHost, context: RunContext, handles: readonly NodeRunHandle[], isWholeRun: boolean) {
    this.#host = host;
    this.#context = context;
    this.#spec = new Speculation(context.graph, handles, host.workerId, isWholeRun);
  }

  async run(handles: readonly NodeRunHandle[]): Promise<void> {
    let held = [...handles];
    let sending: Sending | undefined;
    while (held.length > 0 || sending) {
      const segment = new Segment();
      if (sending) await this.#send(sending, segment);
      await this.#compute(held, segment);
      sending = undefined;
      held = [];
      if (this.#spec.isEndDue) segment.facts.push(await this.#putAside(await runEnd(this.#context)));
      if (segment.facts.length === 0) {
        this.#spread(segment.heldEffects);
        return;
      }
      const result = await this.#commit(segment);
      if (result.verdicts.some((verdict) => verdict !== 'applied')) this.#spec.drop();
      sending = segment.next && this.#isApplied(result.verdicts, segment.nextAt) ? segment.next : undefined;
      const more = [...segment.heldEffects, ...result.claimed];
      const effects =
        more.filter((handle) => this.#host.pure(this.#step(handle)) === undefined).length + (sending ? 1 : 0);
      const isAlone = result.rung === 0 && effects <= 1;
      if (isAlone) this.#spec.claimed(more);
      else
        this.#spec = new Speculation(
          this.#context.graph,
          more,
          this.#host.workerId,
          false,
          sending?.step.handle,
        );
      const isEnded = result.run !== undefined && (result.isEndDue ? await this.#end(segment) : false);
      if (isEnded || segment.facts.some((fact) => fact.type === 'runEnded')) {
        this.#host.forget(this.#context.runId);
        return;
      }
      held = this.#keepPure(more, sending !== undefined);
    }
  }

  /** Effects beyond the one this strand goes on with get strands of their own. */
  #keepPure(handles: readonly NodeRunHandle[], isSending: boolean): NodeRunHandle[] {
    const kept: NodeRunHandle[] = [];
    let effects = isSending ? 1 : 0;
    for (const handle of handles) {
      const isEffect = this.#host.pure(this.#step(handle)) === undefined;
      if (isEffect && effects++ > 0) this.#host.spawn(this.#context, [handle]);
      else kept.push(handle);
    }
    return kept;
  }

  #spread(handles: readonly NodeRunHandle[]): void {
    for (const handle of handles) this.#host.spawn(this.#context, [handle]);
  }

  #isApplied(verdicts: readonly Verdict[], at: number): boolean {
    return verdicts[at] === 'applied';
  }

  async #end(segment: Segment): Promise<boolean> {
    if (segment.facts.some((fact) => fact.type === 'runEnded')) return true;
    const { runId, graph } = this.#context;
    const fact = await this.#putAside(await runEnd(this.#context));
    await this.#host.commit({ runId, graph, facts: [fact] });
    return true;
  }

  async #commit(segment: Segment): Promise<FactResult> {
    const { runId, graph } = this.#context;
    const left = segment.isCheap ? Math.min(MOST_KEPT, this.#spec.readyCount) : 0;
    const count = left > 0 ? left : segment.next ? 0 : 1;
    return this.#host.commit({
      runId,
      graph,
      facts: segment.facts,
      keep: { workerId: this.#host.workerId, count },
    });
  }

  // --- computing ahead --------------------------------------------------------------------------------------------------

  async #compute(held: readonly NodeRunHandle[], segment: Segment): Promise<void> {
    const queue: NodeRunHandle[] = [...held, ...this.#spec.takeReady()];
    const startedAt = performance.now();
    let computed = 0;
    for (let handle = queue.shift(); handle; handle = queue.shift()) {
      const isHeld = held.includes(handle);
      const step = this.#step(handle);
      const executor = this.#host.pure(step);
      if (!executor) {
        if (segment.next) {
          if (isHeld) segment.heldEffects.push(handle);
        } else await this.#prepare(step, segment);
        continue;
      }
      if (computed >= SEGMENT_NODE_RUNS || (computed > 0 && performance.now() - startedAt >= SEGMENT_MS)) {
        segment.isCheap = (performance.now() - startedAt) / computed < CHEAP_MS;
        if (isHeld) segment.heldEffects.push(handle);
        continue;
      }
      computed += 1;
      const answer = executor(step);
      const done = answer instanceof Promise ? await answer : answer;
      await this.#record(step, done, segment);
      queue.push(...this.#spec.takeReady());
    }
  }

  async #prepare(step: Step, segment: Segment): Promise<void> {
    const executor = this.#host.effect(step);
    const prepared = await executor.prepare(step);
    if (!('intent' in prepared)) {
      await this.#record(step, prepared, segment);
      return;
    }
    segment.next = { step, prepared, executor };
    segment.nextAt = segment.facts.length;
    const fact: WorkerFact = { ...this.#by(step), type: 'intent', ...prepared };
    segment.facts.push(fact);
    this.#spec.decide(fact);
  }

  async #send({ step, prepared, executor }: Sending, segment: Segment): Promise<void> {
    const { runId, graph } = this.#context;
    if (!(await this.#host.maySend())) return;
    const notes: WorkerFact[] = [];
    const done = await executor.send(step, prepared, {
      signal: new AbortController().signal,
      commit: async (facts) => {
        const mine = facts.map((fact) => ({ ...fact, ...this.#by(step) }));
        const { verdicts } = await this.#host.commit({ runId, graph, facts: mine });
        return verdicts.length === mine.length && verdicts.every((verdict) => verdict === 'applied');
      },
      note: (fact) => notes.push({ ...fact, ...this.#by(step) }),
      delta: (text) => this.#host.delta(runId, step.handle.path, step.handle.attempt, text),
    });
    segment.facts.push(...notes);
    await this.#record(step, done, segment);
  }

  async #record(step: Step, done: Done, segment: Segment): Promise<void> {
    const by = this.#by(step);
    segment.facts.push(...this.#host.takeNotes(this.#context.runId, step.handle.path));
    if (done.type === 'failed') {
      const fact: WorkerFact = { ...by, ...done, random: Math.random() };
      segment.facts.push(fact);
      this.#spec.decide(fact);
      return;
    }
    const fact: WorkerFact = { ...by, ...done };
    if (fact.type === 'succeeded') this.#context.ended(step.handle.path, viewOf(fact));
    segment.facts.push(fact.type === 'succeeded' ? await this.#putAside(fact) : fact);
    this.#spec.decide(fact);
  }

  /** Only values that may be long are looked at more closely. */
  #putAside(fact: Extract<Fact, { type: 'succeeded' | 'runEnded' }>): Promise<Fact> | Fact {
    return isSmall(fact.output) ? fact : this.#host.putAside(fact);
  }

  #step(handle: NodeRunHandle): Step {
    const { graph } = this.#context;
    const target = parsePath(graph, handle.path)!;
    const isItem = target.itemIndex !== undefined;
    return {
      context: this.#context,
      handle,
      node: target.node,
      compiled: compiledFlow(graph).node(target.node),
      scopePath: isItem ? handle.path : target.parent,
    };
  }

  #by(step: Step) {
    return { path: step.handle.path, attempt: step.handle.attempt, workerId: this.#host.workerId };
  }
}

/** What is committed together. */
class Segment {
  readonly facts: Fact[] = [];
  /** Claimed node runs that this segment did not get to. */
  readonly heldEffects: NodeRunHandle[] = [];
  /** It was cut although its node runs were cheap: the worker keeps the rest. */
  isCheap = false;
  next: Sending | undefined;
  nextAt = -1;
}

function viewOf(fact: Extract<WorkerFact, { type: 'succeeded' }>): NodeView {
  return { output: fact.output, status: 'succeeded' };
}

/** True when a value's JSON text is certainly far below the inline limit. */
function isSmall(value: unknown): boolean {
  let budget = 40_000;
  const walk = (part: unknown): boolean => {
    if (typeof part === 'string') budget -= part.length + 2;
    else if (Array.isArray(part)) return (budget -= 2) > 0 && part.every((inner) => walk(inner));
    else if (typeof part === 'object' && part !== null) {
      for (const key in part) {
        budget -= key.length + 4;
        if (budget <= 0 || !walk((part as Record<string, unknown>)[key])) return false;
      }
    } else budget -= 8;
    return budget > 0;
  };
  return walk(value);
}

/**
 * What the worker believes about its run, by the same rules the store decides with. It knows the node runs of its own strand;
 * of the whole run only when nobody else can have touched it. The commit has the last word (W4).
 */
class Speculation {
  readonly #view: RunView;
  readonly #rows = new AllRows();
  readonly #workerId: string;
  readonly #isWhole: boolean;
  #isDropped = false;
  #ready: NodeRunHandle[] = [];
  #seen = new Set<string>();

  constructor(
    graph: FlowGraph,
    handles: readonly NodeRunHandle[],
    workerId: string,
    isWholeRun: boolean,
    sending?: NodeRunHandle,
  ) {
    this.#view = new RunView(graph, this.#rows);
    this.#workerId = workerId;
    this.#isWhole = isWholeRun;
    this.#view.run.status = 'running';
    this.#view.run.openCount = isWholeRun ? graph.root.nodes.length : Number.POSITIVE_INFINITY;
    for (const handle of sending ? [...handles, sending] : handles) this.#add(handle);
  }

  /** Every node of the run has ended, for all the worker knows. */
  get isEndDue(): boolean {
    const { openCount, failure, status } = this.#view.run;
    return !this.#isDropped && this.#isWhole && openCount === 0 && !failure && status === 'running';
  }

  get readyCount(): number {
    return this.#isDropped
      ? 0
      : [...this.#rows.byPath.values()].filter((row) => row.status === 'ready').length;
  }

  drop(): void {
    this.#isDropped = true;
    this.#ready = [];
  }

  /** Node runs the store has made ready and this worker's. */
  claimed(handles: readonly NodeRunHandle[]): void {
    for (const handle of handles) this.#add(handle);
  }

  /** Follows a fact the way the store will. */
  decide(fact: WorkerFact): void {
    if (this.#isDropped) return;
    try {
      new Decider(this.#view, 0).decide(fact);
    } catch {
      this.drop(); // it knows too little to go on; the store does
      return;
    }
    for (const [at, { row }] of this.#view.changed) {
      if (row.status !== 'ready') {
        this.#view.changed.delete(at);
        continue;
      }
      if (this.#seen.has(`${row.path} ${row.attempt}`)) continue;
      this.#seen.add(`${row.path} ${row.attempt}`);
      const { path, nodeId, kind, attempt, failures, itemIndex, itemCount, failedItems, intentSeq } = row;
      this.#ready.push({
        path,
        nodeId,
        kind,
        attempt: attempt + 1,
        failures,
        itemIndex,
        itemCount,
        failedItems,
        intentSeq,
      });
    }
    this.#view.due = [];
  }

  /** Node runs that became ready since the last call. */
  takeReady(): NodeRunHandle[] {
    return this.#ready.splice(0);
  }

  #add(handle: NodeRunHandle): void {
    const known = this.#rows.get(handle.path);
    if (known) {
      known.status = 'running';
      known.attempt = handle.attempt;
      known.workerId = this.#workerId;
      return;
    }
    const { path, nodeId, kind, attempt, failures, itemIndex, itemCount } = handle;
    const row: NodeRunState = {
      path,
      nodeId,
      kind,
      attempt,
      failures,
      itemIndex,
      itemCount,
      status: 'running',
      workerId: this.#workerId,
      pendingEdges: 0,
      liveEdges: 0,
      deadEdges: [],
      costNanoUsd: 0,
      tokens: 0,
    };
    this.#rows.add(row);
    this.#view.changed.set(path, { row, before: row });
    this.#addScopes(path);
  }

  /** Scopes around a node run whose other node runs are not known: they never end here. */
  #addScopes(path: string): void {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const scope = path.slice(0, at);
      const target = parsePath(this.#view.graph, scope)!;
      if (this.#rows.get(scope)) continue;
      const isItem = target.itemIndex !== undefined;
      this.#rows.add({
        path: scope,
        nodeId: target.node.id,
        kind: isItem ? 'item' : 'map',
        status: 'waiting',
        attempt: 1,
        failures: 0,
        pendingEdges: 0,
        liveEdges: 0,
        deadEdges: [],
        costNanoUsd: 0,
        tokens: 0,
        ...(isItem
          ? { openCount: Number.POSITIVE_INFINITY, itemIndex: target.itemIndex }
          : {
              itemCount: Number.POSITIVE_INFINITY,
              nextItem: Number.POSITIVE_INFINITY,
              doneItems: Number.NEGATIVE_INFINITY,
              failedItems: 0,
            }),
      });
    }
  }
}
