import { childPath, isTerminalRun, parsePath } from '@pawl/dag-core';
import { CommitLostError, type HotClient, type HotPool, inTransaction, runStatement } from '../hot-pool.ts';
import { DEFAULT_PRIORITY } from '../lane.ts';
import { LoadedRows } from '../loaded-rows.ts';
import {
  type BellWrite,
  changedNodeRunArrays,
  doorbellArrays,
  type EventWrite,
  effectArrays,
  eventArrays,
  laneArrays,
  type NodeRunChange,
  type NodeRunWrite,
  newNodeRunArrays,
  type RunChange,
  runArrays,
} from '../sql/change-arrays.ts';
import { type PlaceInLine, standInLine } from '../sql/lines.ts';
import {
  type LoadedNodeRun,
  loadCompletedEffects,
  loadNodeRuns,
  loadOpenNodeRuns,
  type NodeRunKey,
} from '../sql/load-node-runs.ts';
import { lockRuns } from '../sql/lock-runs.ts';
import type { WrittenEvents } from '../sql/same-events.ts';
import { applyChanges } from '../sql/status-door.ts';
import { type AddressedWord, sayWords } from '../sql/words.ts';
import { type Admission, admitRunsWith } from './admit-runs.ts';
import {
  decideEntries,
  type FactEntry,
  type FactResult,
  type LoadMore,
  type RunDecision,
} from './decide-entries.ts';
import { type OutboxBell, type OutboxRow, outboxBells } from './outbox-bell.ts';
import { admissionsOf, wordsOf } from './sub-flows.ts';

// The outcome transaction (architecture, "The hot path" 2): lock the runs, load the few node runs the facts touch, decide with
// dag-core, write everything with one statement. A batch costs two round trips however many runs it holds.

export interface CommittedBatch {
  readonly results: readonly FactResult[];
  readonly bells: readonly OutboxBell[];
  /** What was decided, run by run. */
  readonly decisions: readonly RunDecision[];
  /** Runs of sub-flows that were admitted with it. */
  readonly admissions: readonly Admission[];
  /** What runs said to others, to be told. */
  readonly words: readonly AddressedWord[];
}

/** Decides and commits a batch of entries; entries of one run are decided in order. */
export function commitFacts(pool: HotPool, entries: readonly FactEntry[]): Promise<CommittedBatch> {
  const byRun = groupByRun(entries);
  return inTransaction(pool, async ({ client, commitWith }) => {
    const keys = wantedKeys(entries);
    const locking = lockRuns(client, [...byRun.keys()]);
    const loading = loadNodeRuns(client, keys);
    loading.catch(() => {});
    const locked = await locking;
    const rows = rowsByRun(byRun.keys(), keys, await loading);
    const decisions = new Map<string, RunDecision>();
    for (const [runId, own] of byRun) {
      const run = locked.get(runId);
      if (run) decisions.set(runId, await decideEntries(run, own, rows.get(runId)!, loadMore(client, runId)));
    }
    const results = entries.map((entry) => decisions.get(entry.runId)?.results.get(entry) ?? UNKNOWN_RUN);
    const made = [...decisions.values()];
    const batch = {
      results,
      decisions: made,
      admissions: made.flatMap(admissionsOf),
      words: made.flatMap(wordsOf),
    };
    try {
      const bells = await commitWith(() => write(client, batch));
      return { ...batch, bells };
    } catch (error) {
      if (!(error instanceof CommitLostError)) throw error;
      const first = made.find((decision) => decision.events.length > 0);
      const written = first && { runId: first.run.id, fromSeq: first.fromSeq, events: first.events };
      throw new CommitUnknownError({ ...batch, bells: [] }, written, error);
    }
  });
}

/**
 * It is not known whether a batch was committed; `written` tells what to look for to learn it. Doorbells of a batch that was
 * are in the outbox, for the relay.
 */
export class CommitUnknownError extends Error {
  readonly code = 'commit_unknown';
  readonly batch: CommittedBatch;
  readonly written: WrittenEvents | undefined;
  constructor(batch: CommittedBatch, written: WrittenEvents | undefined, cause: CommitLostError) {
    super(cause.message, { cause });
    this.batch = batch;
    this.written = written;
  }
}

const UNKNOWN_RUN: FactResult = { verdicts: [], claimed: [], rung: 0, isEndDue: false, run: undefined };

function groupByRun(entries: readonly FactEntry[]): Map<string, FactEntry[]> {
  const groups = new Map<string, FactEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.runId);
    if (group) group.push(entry);
    else groups.set(entry.runId, [entry]);
  }
  return groups;
}

// --- loading ------------------------------------------------------------------------------------------------------------

/** The node runs an entry touches for certain: those of its facts, the scopes around them, and the joins they lead to. */
function wantedKeys(entries: readonly FactEntry[]): NodeRunKey[] {
  const keys: NodeRunKey[] = [];
  const seen = new Set<string>();
  for (const { runId, graph, facts } of entries) {
    const want = (path: string) => {
      const key = `${runId} ${path}`;
      if (seen.has(key)) return;
      seen.add(key);
      keys.push({ runId, path });
    };
    facts.forEach((fact, index) => {
      if (!('path' in fact)) return;
      const target = parsePath(graph, fact.path);
      if (!target) return;
      // A node run that the worker ran ahead to is made by this very entry, unless other branches meet in it.
      const isMadeHere = index > 0 && target.itemIndex === undefined && target.node.inbound.length === 1;
      if (!isMadeHere) want(fact.path);
      for (
        let scope = target.parent;
        scope !== '';
        scope = scope.slice(0, Math.max(0, scope.lastIndexOf('/')))
      )
        want(scope);
      if (target.itemIndex !== undefined) return;
      for (const edge of target.node.outbound) {
        if (edge.to.inbound.length > 1) want(childPath(target.parent, edge.to.id));
      }
    });
  }
  return keys;
}

function rowsByRun(
  runIds: Iterable<string>,
  wanted: readonly NodeRunKey[],
  loaded: readonly LoadedNodeRun[],
) {
  const rows = new Map<string, LoadedRows>();
  for (const runId of runIds) rows.set(runId, new LoadedRows());
  for (const { runId, state, sinceMs } of loaded) rows.get(runId)?.add(state, sinceMs);
  for (const { runId, path } of wanted) rows.get(runId)?.wasLoaded(path);
  return rows;
}

/**
 * What the rules ask for beyond {@link wantedKeys}: a skipped join's followers, all that is open when a scope stops, or the
 * completed effects of a run that undoes them.
 */
function loadMore(client: HotClient, runId: string): LoadMore {
  return async ({ paths, subtree, isEffects }, rows) => {
    if (isEffects) {
      for (const { state } of await loadCompletedEffects(client, runId))
        if (!rows.peek(state.path)) rows.add(state);
      rows.effectsWereLoaded();
    }
    if (paths.length > 0) {
      const keys = paths.map((path) => ({ runId, path }));
      for (const { state, sinceMs } of await loadNodeRuns(client, keys)) rows.add(state, sinceMs);
      for (const path of paths) rows.wasLoaded(path);
    }
    if (subtree !== undefined) {
      const found = await loadOpenNodeRuns(client, [{ runId, path: subtree }]);
      for (const { state, sinceMs } of found) if (!rows.peek(state.path)) rows.add(state, sinceMs);
      rows.subtreeWasLoaded(subtree);
    }
  };
}

// --- writing ------------------------------------------------------------------------------------------------------------

/** Sub-flows cost a batch that has some of them two statements more, which travel with the one that every batch has. */
async function write(
  client: HotClient,
  { decisions, admissions, words }: Pick<CommittedBatch, 'decisions' | 'admissions' | 'words'>,
): Promise<OutboxBell[]> {
  const admitting = admissions.length > 0 ? admitRunsWith(client, admissions) : undefined;
  const saying = words.length > 0 ? sayWords(client, words) : undefined;
  const [bells, admitted] = await Promise.all([writeDecisions(client, decisions), admitting, saying]);
  return admitted ? [...bells, ...admitted] : bells;
}

async function writeDecisions(client: HotClient, decisions: readonly RunDecision[]): Promise<OutboxBell[]> {
  const added: NodeRunWrite[] = [];
  const changed: NodeRunChange[] = [];
  const events: EventWrite[] = [];
  const runs: RunChange[] = [];
  const bells: BellWrite[] = [];
  for (const decision of decisions) {
    const runId = decision.run.id;
    for (const { row, before } of decision.view.changed.values()) {
      if (before) changed.push({ runId, row, before });
      else added.push({ runId, row });
    }
    decision.events.forEach((event, i) => {
      events.push({ runId, seq: decision.fromSeq + i, event });
    });
    if (decision.view.changed.size > 0 || decision.events.length > 0) {
      const isBudgetChanged = decision.events.some((event) => event.type === 'run.budgetChanged');
      runs.push({ runId, fromSeq: decision.fromSeq, run: decision.view.run, isBudgetChanged });
    }
    const { status, more } = decision.view.run;
    if (!isTerminalRun(status))
      for (const [path, pool] of decision.bells) bells.push({ runId, path, pool, priority: more?.priority });
  }
  if (runs.length === 0 && bells.length === 0) return [];
  const places = placesOf(decisions);
  const lining = places.length > 0 ? standInLine(client, places) : undefined;
  const [written] = await runStatement<{ outbox: OutboxRow[] }>(client, applyChanges, [
    ...newNodeRunArrays(added),
    ...changedNodeRunArrays(changed),
    ...eventArrays(events),
    ...doorbellArrays(bells),
    ...runArrays(runs),
    changed.length,
    runs.length,
    ...laneArrays(bells),
    ...effectArrays(added),
    ...effectArrays(changed),
  ]);
  await lining;
  const runsOf = decisions.map(({ run: { id: runId, workspaceId } }) => ({ runId, workspaceId }));
  return outboxBells(written!.outbox, runsOf);
}

/** Who stands in a line from now on. */
function placesOf(decisions: readonly RunDecision[]): PlaceInLine[] {
  return decisions.flatMap(({ run, view, lines }) =>
    [...lines].map(([path, { key, tokens = 0 }]) => ({
      runId: run.id,
      path,
      key,
      workspaceId: run.workspaceId,
      priority: view.run.more?.priority ?? DEFAULT_PRIORITY,
      pool: view.rows.get(path)?.pool,
      tokens,
    })),
  );
}
