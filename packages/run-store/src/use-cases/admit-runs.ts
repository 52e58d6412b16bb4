import {
  type Allowance,
  AllRows,
  applyEvent,
  type BudgetLimits,
  type FlowGraph,
  type JournalEvent,
  type Json,
  type JsonObject,
  type ParentRun,
  RunView,
  type TraceContext,
  type UndoPlan,
} from '@pawl/dag-core';
import { artifactIdsIn, holdArtifacts } from '../artifacts/used-artifacts.ts';
import { type HotClient, type HotPool, inTransaction, runStatement } from '../hot-pool.ts';
import { DEFAULT_PRIORITY } from '../lane.ts';
import { jsonArray, plainArray, textArray } from '../sql/array-literal.ts';
import {
  type BellWrite,
  doorbellArrays,
  type EventWrite,
  effectArrays,
  eventArrays,
  laneArrays,
  type NodeRunWrite,
  newNodeRunArrays,
} from '../sql/change-arrays.ts';
import { type KeyedRun, waitForKeys } from '../sql/run-keys.ts';
import { admitRuns as statement } from '../sql/status-door.ts';
import { type OutboxBell, type OutboxRow, outboxBells } from './outbox-bell.ts';

/** Release that this is. */
const BUILD = '0.1.0';

/** A run to be admitted: checked against the schema, budget merged. */
export interface Admission {
  readonly runId: string;
  readonly workspaceId: string;
  readonly flow: string;
  readonly versionId: string;
  readonly graph: FlowGraph;
  readonly input: Json;
  readonly budget: BudgetLimits;
  readonly tags?: JsonObject;
  readonly trigger: string;
  /** Absent: in earnest. */
  readonly mode?: 'test';
  /** 1 (first) to 9 (last). */
  readonly priority?: number;
  readonly by?: string;
  readonly seed: string;
  readonly dedupe?: { readonly key: string; readonly bodyHash: string };
  readonly trace?: TraceContext;
  /** Of the run of a sub-flow. */
  readonly parent?: ParentRun;
  readonly allowance?: Allowance;
  /** Where the input is when it was put aside. */
  readonly inputRef?: { readonly hash: string; readonly bytes: number };
  /** Shorter than what the flow gives its runs. */
  readonly timeoutMs?: number;
  /** Of an undo run: the ended run, and what of it is undone (F9). */
  readonly undoing?: { readonly runId: string; readonly plan: UndoPlan };
  /** The run waits its turn under this key (L10); whoever admits it looks at the key afterwards. */
  readonly concurrency?: { readonly key: string; readonly most: number };
}

/** `isAdmitted` is false when the dedupe key is taken by another run. */
export interface Admitted {
  readonly isAdmitted: boolean;
}

/**
 * Admits a batch of runs with one statement: run row, root node runs, first event, doorbells (V8). Artifacts that inputs name
 * are held before, with a statement of their own.
 * Within a batch dedupe keys must differ.
 */
export async function admitRuns(
  pool: HotPool,
  admissions: readonly Admission[],
): Promise<{ results: Admitted[]; bells: OutboxBell[] }> {
  await holdArtifacts(pool, admissions.flatMap(usesOf));
  // What lets runs wait for others is committed together with them.
  const answer = admissions.some(({ concurrency }) => concurrency)
    ? await inTransaction(pool, ({ client, commitWith }) =>
        commitWith(() => sendAdmissions(client, admissions)),
      )
    : await sendAdmissions(pool, admissions);
  const admitted = new Set(answer.admitted);
  return {
    results: admissions.map((admission) => ({ isAdmitted: admitted.has(admission.runId) })),
    bells: outboxBells(answer.outbox, admissions),
  };
}

/** Admits runs in the transaction that starts them. Every statement is sent before this returns, so that a commit may follow. */
export async function admitRunsWith(
  client: HotClient,
  admissions: readonly Admission[],
): Promise<OutboxBell[]> {
  const [answer] = await Promise.all([
    sendAdmissions(client, admissions),
    holdArtifacts(client, admissions.flatMap(usesOf)),
  ]);
  return outboxBells(answer.outbox, admissions);
}

interface Answer {
  readonly admitted: readonly string[];
  readonly outbox: readonly OutboxRow[];
}

/** Sends the statement at once. */
async function sendAdmissions(db: HotPool | HotClient, admissions: readonly Admission[]): Promise<Answer> {
  const rows: NodeRunWrite[] = [];
  const events: EventWrite[] = [];
  const bells: BellWrite[] = [];
  const views = admissions.map((admission) => {
    const { runId } = admission;
    const view = new RunView(admission.graph, new AllRows());
    firstEvents(admission).forEach((event, i) => {
      applyEvent(view, event);
      events.push({ runId, seq: i + 1, event });
    });
    for (const { row } of view.changed.values()) {
      rows.push({ runId, row });
      if (row.status === 'ready' && !admission.concurrency)
        bells.push({ runId, path: row.path, pool: row.pool, priority: admission.priority });
    }
    return view;
  });
  const keyed = admissions.flatMap(keyedRun);
  const admitting = runStatement<Answer>(db, statement, [
    ...newNodeRunArrays(rows),
    ...eventArrays(events),
    ...doorbellArrays(bells),
    plainArray(admissions.map((admission) => admission.runId)),
    plainArray(admissions.map((admission) => admission.workspaceId)),
    textArray(admissions.map((admission) => admission.flow)),
    textArray(admissions.map((admission) => admission.versionId)),
    plainArray(views.map((view) => view.run.nextSeq)),
    plainArray(views.map((view) => view.run.openCount)),
    plainArray(views.map((view) => view.run.activeCount)),
    jsonArray(admissions.map((admission) => admission.budget)),
    jsonArray(admissions.map((admission) => admission.tags)),
    textArray(admissions.map((admission) => admission.dedupe?.key)),
    textArray(admissions.map((admission) => admission.dedupe?.bodyHash)),
    plainArray(admissions.map((admission) => admission.budget.wallClockMs)),
    textArray(admissions.map(({ mode = 'live' }) => mode)),
    plainArray(admissions.map(timeoutOf)),
    ...laneArrays(bells),
    jsonArray(views.map((view) => view.run.more)),
    textArray(views.map((view) => view.run.status)),
    ...effectArrays(rows),
  ]);
  const waiting = keyed.length > 0 ? waitForKeys(db, keyed) : undefined;
  const [[answer]] = await Promise.all([admitting, waiting]);
  return answer!;
}

function keyedRun({
  runId,
  workspaceId,
  flow,
  concurrency,
  priority = DEFAULT_PRIORITY,
}: Admission): KeyedRun[] {
  return concurrency ? [{ runId, workspaceId, flow, priority, ...concurrency }] : [];
}

/** The shorter one of what the flow says and what is said for this run. An undoing takes the time it takes. */
function timeoutOf({ graph, timeoutMs, undoing }: Admission): number | undefined {
  if (undoing) return undefined;
  const times = [graph.document.timeoutMs, timeoutMs].filter((ms) => ms !== undefined);
  return times.length > 0 ? Math.min(...times) : undefined;
}

const usesOf = ({ runId, workspaceId, input }: Admission) =>
  artifactIdsIn(input).map((artifactId) => ({ runId, workspaceId, artifactId }));

/** F9: an undo run is admitted with its plan. */
function firstEvents(admission: Admission): JournalEvent[] {
  const admitted = admittedEvent(admission);
  const { undoing } = admission;
  if (!undoing) return [admitted];
  const data = { v: 1 as const, reason: 'parent' as const, ...undoing.plan };
  return [admitted, { type: 'compensation.planned', path: '', attempt: 0, data }];
}

function admittedEvent({
  versionId,
  by,
  input,
  budget,
  tags,
  trigger,
  mode,
  seed,
  priority,
  concurrency,
  trace,
  parent,
  allowance,
  inputRef,
  timeoutMs,
  undoing,
}: Admission): JournalEvent {
  return {
    type: 'run.admitted',
    path: '',
    attempt: 0,
    data: {
      v: 1,
      versionId,
      ...(by !== undefined && { by }),
      ...(inputRef ? ({ inputRef } as unknown as { input: null }) : { input }),
      budget: budget as Json,
      ...(tags && { tags }),
      trigger,
      ...(mode && { mode }),
      seed,
      ...(priority !== undefined && { priority }),
      ...(concurrency && { concurrency: concurrency.key }),
      build: BUILD,
      ...(trace && { trace }),
      ...(parent && { parent }),
      ...(allowance && { allowance }),
      ...(undoing && { undoesRun: undoing.runId }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    },
  };
}
