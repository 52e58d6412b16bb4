import {
  isTerminalNodeRun,
  isTerminalRun,
  type JournalEvent,
  kindOf,
  type NodeRunState,
  type NodeRunStatus,
  parsePath,
} from '@pawl/dag-core';
import type { RunDecision } from '@pawl/run-store/work';
import { type AttemptNote, NoteReader } from './attempt-note.ts';
import type {
  AboutNodeRun,
  AttemptOutcome,
  DecisionReading,
  EndedAttempt,
  EndedContainer,
  EndedRun,
  EndedWait,
  LateOutcome,
} from './decision-reading.ts';
import { isContainer } from './is-container.ts';

// What a commit means to those who watch. It is read from the events that were written, so that metrics, traces and log lines say
// what the journal says: an attempt that was fenced off ended nothing, and one that was lost with its worker is told by whoever
// found it.

/** Reads what was committed about one run. */
export function readDecision(decision: RunDecision): DecisionReading {
  const reader = new Reader(decision);
  decision.events.forEach((event, i) => {
    reader.read(event, decision.fromSeq + i);
  });
  reader.readRows();
  return {
    runId: decision.run.id,
    decision,
    attempts: reader.attempts,
    waits: reader.waits,
    late: reader.late,
    containers: containersOf(decision),
    ...(reader.end && { end: reader.end }),
  };
}

const WAITS: ReadonlySet<string> = new Set(['waiting', 'retry_wait', 'uncertain', 'blocked']);
/** What a container waits for is told by what is inside it. */
const INSIDE: ReadonlySet<string> = new Set(['children', 'nodes']);

const REST: Readonly<Partial<Record<NodeRunStatus, AttemptOutcome>>> = {
  ready: 'given_back',
  waiting: 'waiting',
  blocked: 'blocked',
  uncertain: 'uncertain',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
};

class Reader {
  readonly attempts: EndedAttempt[] = [];
  readonly waits: EndedWait[] = [];
  readonly late: LateOutcome[] = [];
  end: EndedRun | undefined;
  readonly #decision: RunDecision;
  readonly #notes: NoteReader;
  /** Statuses as the events go on. */
  readonly #status = new Map<string, NodeRunStatus>();

  constructor(decision: RunDecision) {
    this.#decision = decision;
    this.#notes = new NoteReader([...decision.results.keys()].map((entry) => entry.aside));
  }

  read(event: JournalEvent, seq: number): void {
    switch (event.type) {
      case 'outcome.succeeded':
        this.#ended(event, 'succeeded', event.data.cached && { isCached: true });
        this.#status.set(event.path, 'succeeded');
        break;
      case 'outcome.failed': {
        const { failure, next } = event.data;
        this.#ended(event, 'failed', { failure, next });
        this.#status.set(
          event.path,
          next === 'retry' ? 'retry_wait' : next === 'pause' ? 'waiting' : 'failed',
        );
        break;
      }
      case 'attempt.lost': {
        const { next, workerId } = event.data;
        const failure = { code: 'lost', class: 'lost' as const };
        this.#ended(event, 'lost', { failure, next, workerId });
        this.#status.set(event.path, next === 'ready' ? 'ready' : 'uncertain');
        break;
      }
      case 'nodeRun.waiting': {
        const { status, reason } = event.data;
        const failure = status === 'uncertain' ? { failure: { code: reason, class: 'lost' as const } } : {};
        this.#ended(event, status, failure);
        this.#status.set(event.path, status);
        break;
      }
      case 'map.expanded':
        this.#ended(event, 'laid_out');
        this.#status.set(event.path, event.data.count === 0 ? 'ready' : 'waiting');
        break;
      case 'flow.started':
        this.#ended(event, 'flow_started');
        this.#status.set(event.path, 'waiting');
        break;
      case 'loop.continued':
      case 'agent.continued':
        this.#ended(event, 'turn_begun');
        this.#status.set(event.path, 'waiting');
        break;
      case 'nodeRun.cancelled':
        if (this.#statusOf(event.path) !== 'ready') this.#ended(event, 'cancelled');
        this.#status.set(event.path, 'cancelled');
        break;
      case 'nodeRun.resumed':
        this.#status.set(event.path, 'ready');
        break;
      case 'inbox.asked':
        this.#ended(event, 'waiting');
        this.#status.set(event.path, 'waiting');
        break;
      case 'outcome.late':
        this.#late(event, seq);
        break;
      case 'run.statusChanged':
        if (isTerminalRun(event.data.status)) this.#runEnded(event.data);
        break;
    }
  }

  /** What the rows tell: waits that are over, and attempts that ended without an event of their own. */
  readRows(): void {
    for (const { row, before } of this.#decision.view.changed.values()) {
      if (!before || before.status === row.status) continue;
      if (isWait(before)) this.#waited(before);
      else if (before.status === 'running') this.#rest(before, REST[row.status] ?? 'given_back');
    }
  }

  #waited(before: NodeRunState): void {
    const { path, attempt } = before;
    const { nowMs } = this.#decision.run;
    const startMs = this.#decision.sinceOf(path) ?? nowMs;
    const about = aboutNodeRun(this.#decision, path);
    this.waits.push({ ...about, attempt, for: waitedFor(before), startMs, endMs: Math.max(startMs, nowMs) });
  }

  /** Given back, or ended by an event of a kind that is not told apart here. */
  #rest({ path, attempt }: NodeRunState, outcome: AttemptOutcome): void {
    if (this.attempts.some((one) => one.path === path && one.attempt === attempt)) return;
    this.#push({ path, attempt, outcome, note: this.#notes.take(path, attempt) });
  }

  #statusOf(path: string): NodeRunStatus | undefined {
    return this.#status.get(path) ?? this.#before(path)?.status ?? (this.#row(path) && 'ready');
  }

  #row = (path: string): NodeRunState | undefined => this.#decision.view.changed.get(path)?.row;
  #before = (path: string): NodeRunState | undefined => this.#decision.view.changed.get(path)?.before;

  /**
   * An attempt ends with the event that takes its node run out of `running`; a worker that ran ahead claims and ends at once, and
   * says so by its note.
   */
  #ended(event: JournalEvent, outcome: AttemptOutcome, more: Partial<EndedAttempt> = {}): void {
    const { path, attempt } = event;
    const note = this.#notes.take(path, attempt);
    const status = this.#statusOf(path);
    if (!note && status !== 'running' && status !== 'ready') return;
    // One that was lost is ready again; what then follows at once, because it was lost too often, is no second attempt.
    const isSame = (one: EndedAttempt) => one.path === path && one.attempt === attempt;
    if (this.#status.has(path) && this.attempts.some(isSame)) return;
    this.#push({ path, attempt, outcome, note, more });
  }

  #push({
    path,
    attempt,
    outcome,
    note,
    more,
  }: {
    readonly path: string;
    readonly attempt: number;
    readonly outcome: AttemptOutcome;
    readonly note: AttemptNote | undefined;
    readonly more?: Partial<EndedAttempt>;
  }): void {
    const row = this.#row(path);
    const nowMs = this.#decision.run.nowMs;
    const startMs = note?.startedAtMs ?? this.#decision.sinceOf(path) ?? nowMs;
    const effect = row?.effect ?? effectByKind(this.#decision, path, outcome);
    const workerId = note?.workerId ?? this.#before(path)?.workerId;
    this.attempts.push({
      ...aboutNodeRun(this.#decision, path),
      attempt,
      outcome,
      startMs,
      endMs: Math.max(startMs, note?.endedAtMs ?? nowMs),
      ...(effect !== undefined && { effect }),
      ...(workerId !== undefined && { workerId }),
      ...(row?.intentSeq !== undefined && { intentSeq: row.intentSeq }),
      ...(note && { note }),
      ...more,
    });
  }

  #late(event: Extract<JournalEvent, { type: 'outcome.late' }>, seq: number): void {
    const { path, attempt } = event;
    const endMs = this.#decision.run.nowMs;
    const note = this.#notes.take(path, attempt);
    this.late.push({
      ...aboutNodeRun(this.#decision, path),
      seq,
      attempt,
      startMs: note?.startedAtMs ?? endMs,
      endMs: Math.max(note?.startedAtMs ?? endMs, endMs),
      ...(event.data.failure && { failure: event.data.failure }),
    });
  }

  #runEnded({ status, failure, degraded }: Extract<JournalEvent, { type: 'run.statusChanged' }>['data']) {
    this.end = { status, degradedCount: degraded?.length ?? 0, ...(failure && { failure }) };
  }
}

const isWait = ({ status, reason = '' }: NodeRunState): boolean =>
  WAITS.has(status) && !(status === 'waiting' && INSIDE.has(reason));

function waitedFor({ status, reason }: NodeRunState): string {
  if (status === 'retry_wait') return 'retry';
  if (status === 'blocked') return 'budget';
  return status === 'uncertain' ? 'uncertain' : (reason ?? 'waiting');
}

function aboutNodeRun({ view }: RunDecision, path: string): AboutNodeRun {
  const row = view.changed.get(path)?.row;
  if (row) return { path, nodeId: row.nodeId, kind: row.kind };
  const target = parsePath(view.graph, path);
  return {
    path,
    nodeId: target?.node.id ?? path,
    kind: target?.itemIndex === undefined ? (target?.node.config.kind ?? 'unknown') : 'item',
  };
}

/** What repeating a node run does when no intent says it; unknown when a tool failed before it had one. */
function effectByKind({ view }: RunDecision, path: string, outcome: AttemptOutcome): string | undefined {
  const config = parsePath(view.graph, path)?.node.config;
  const effect = config && kindOf(config).effect(config);
  if (effect === 'tool') return outcome === 'succeeded' ? 'pure' : undefined;
  return effect === 'container' ? 'pure' : effect;
}

function containersOf({ view }: RunDecision): EndedContainer[] {
  const ended: EndedContainer[] = [];
  for (const { row, before } of view.changed.values()) {
    if (!isTerminalNodeRun(row.status) || row.attempt === 0) continue;
    if (before && isTerminalNodeRun(before.status)) continue;
    const { path, nodeId, kind, status, failure } = row;
    if (!isContainer(view.graph, path)) continue;
    ended.push({ path, nodeId, kind, status, ...(failure && { failure }) });
  }
  return ended;
}
