import {
  DEFAULT_POOL,
  type Failure,
  type JsonObject,
  type NodeRunStatus,
  type RunMore,
  type RunStatus,
} from '@pawl/dag-core';
import type { WaitingFor } from '../store-types.ts';
import type { Place, RunPlace } from './places-in-line.ts';
import type { UnservedWork } from './served-pools.ts';

// V15: every state that is not final says what it waits for, since when and until when. What it says is derived here, from
// the row alone, so that no second place has to keep it true.

/** Columns of a run that say what it waits for. */
export interface RunWaitColumns {
  readonly id: string;
  readonly status: RunStatus;
  /** Since when it is in this status. */
  readonly statusAt: Date;
  readonly deadlineAt?: Date | null | undefined;
  /** What holds a paused run up. */
  readonly pause?: RunMore['pause'];
  /** Of the run of a sub-flow: the run above. */
  readonly parentRunId?: string | null | undefined;
  /** Of a waiting or paused run: what its node runs wait for. */
  readonly openWork?: {
    /** Node runs that wait for a person's decision; the first of their paths; since when the first does. */
    readonly persons: number;
    readonly paths: readonly string[];
    readonly since: Date | null;
    /** The first paths of those without budget. */
    readonly blocked: readonly string[];
    /** When the next retry or wait is due. */
    readonly wakeAt: Date | null;
    /** The first paths of those that wait for a signal. */
    readonly signals: readonly string[];
    /** The first paths of those that wait for the run of a sub-flow. */
    readonly subFlows: readonly string[];
    /** The first paths of those that wait for a callback. */
    readonly callbacks: readonly string[];
  };
  /** Ready node runs that no live worker can take. */
  readonly unserved?: UnservedWork;
  /** Where its first node runs stand in line. */
  readonly place?: RunPlace | undefined;
}

/** Columns of a node run that say what it waits for. */
export interface NodeRunWaitColumns {
  readonly status: NodeRunStatus;
  /** Since when it is in this status. */
  readonly statusAt: Date;
  readonly wakeAt?: Date | null | undefined;
  /** Why it is `waiting`, `blocked` or `uncertain`: `children`, `nodes`, `timer`, `signal`, `flow`, `approval`, `failure`, `budget`, or the code of the failure that left a doubt. */
  readonly reason?: string | null | undefined;
  readonly failure?: Failure | undefined;
  /** Names the open question of one that waits for a person. */
  readonly question?: string | undefined;
  /** Its tool is being asked about the doubt. */
  readonly probing?: true;
  /** Its tool is asked how the call stands. */
  readonly isPolled?: true;
  /** Of one that waits for a signal: which. */
  readonly awaits?: { readonly name: string; readonly key: string } | undefined;
  /** The run of its sub-flow. */
  readonly subFlow?: { readonly runId: string; readonly flow: string } | undefined;
  readonly pendingEdges: number;
  readonly openCount?: number | null | undefined;
  readonly itemCount?: number | null | undefined;
  readonly doneItems?: number | null | undefined;
  readonly failedItems?: number | null | undefined;
  /** The pool it belongs to, where that is not the default one. */
  readonly pool?: string | null | undefined;
  /** Pools that live workers serve; absent: not looked at. */
  readonly served?: ReadonlySet<string>;
  /** Where a ready one stands in line. */
  readonly place?: Place | undefined;
}

type Wait = Pick<WaitingFor, 'kind' | 'detail' | 'hint'> & {
  readonly until?: Date | null | undefined;
  /** Where that is not the instant of the status. */
  readonly since?: Date | undefined;
};

/** What a run waits for; undefined when it has ended. */
export function runWaitsFor(run: RunWaitColumns): WaitingFor | undefined {
  const wait = waitOfRun(run);
  const since = wait?.kind === 'person' ? run.openWork?.since : wait?.since;
  return waitingFor(since ?? run.statusAt, wait);
}

/** What a node run waits for; undefined when it has ended. */
export function nodeRunWaitsFor(node: NodeRunWaitColumns): WaitingFor | undefined {
  const wait = waitOfNodeRun(node);
  return waitingFor(wait?.since ?? node.statusAt, wait);
}

function waitOfRun(run: RunWaitColumns): Wait | undefined {
  const { id, status, deadlineAt, openWork, unserved, place, pause, parentRunId } = run;
  if (unserved)
    return {
      kind: 'worker',
      since: unserved.since,
      until: deadlineAt,
      detail: { ...nobodyServes(unserved.pool), paths: [...unserved.paths] },
      hint: startAWorker(unserved.pool),
    };
  if (place) {
    const { detail, until, ...wait } = waitInLine(place);
    return { ...wait, until: until ?? deadlineAt, detail: { ...detail, paths: [...place.paths] } };
  }
  switch (status) {
    case 'pending':
      return { kind: 'worker', until: deadlineAt };
    case 'running':
    case 'compensating':
      return { kind: 'nodes', until: deadlineAt };
    case 'waiting':
      if (openWork && openWork.persons > 0) {
        return {
          kind: 'person',
          detail: { nodeRuns: openWork.persons, paths: [...openWork.paths] },
          hint: `See what is asked: pawl inbox list --run ${id}`,
        };
      }
      if (openWork && openWork.signals.length > 0)
        return { kind: 'signal', until: openWork.wakeAt, detail: { paths: [...openWork.signals] } };
      if (openWork && openWork.blocked.length > 0 && parentRunId)
        return {
          kind: 'parent',
          detail: { run: parentRunId, reason: 'allowance', paths: [...openWork.blocked] },
          hint: `See the budget of the run above: pawl run show ${parentRunId}`,
        };
      if (openWork && openWork.callbacks.length > 0)
        return { kind: 'callback', until: openWork.wakeAt, detail: { paths: [...openWork.callbacks] } };
      if (openWork && openWork.subFlows.length > 0)
        return {
          kind: 'flow',
          until: deadlineAt,
          detail: { paths: [...openWork.subFlows] },
          hint: `See the runs below: pawl run list --parent ${id}`,
        };
      return openWork?.wakeAt
        ? { kind: 'timer', until: openWork.wakeAt }
        : { kind: 'nodes', until: deadlineAt };
    // A paused or cancelling run goes on by a decision or by an outcome; no deadline ends it.
    case 'paused':
      if (pause?.reason === 'person')
        return {
          kind: 'person',
          detail: { reason: 'paused', ...(pause.by !== undefined && { by: pause.by }) },
        };
      if (pause?.reason === 'parent' && parentRunId)
        return {
          kind: 'parent',
          detail: { run: parentRunId },
          hint: `See what holds up the run above: pawl run show ${parentRunId}`,
        };
      return {
        kind: 'budget',
        ...(openWork && openWork.blocked.length > 0 && { detail: { paths: [...openWork.blocked] } }),
        hint: `Raise its budget: pawl run budget ${id}`,
      };
    case 'cancelling':
      return { kind: 'cancel' };
    case 'succeeded':
    case 'partial':
    case 'failed':
    case 'cancelled':
      return undefined;
  }
}

function waitOfNodeRun(node: NodeRunWaitColumns): Wait | undefined {
  switch (node.status) {
    case 'pending':
      return { kind: 'edges', detail: { pendingEdges: node.pendingEdges } };
    case 'ready':
      return waitOfReady(node);
    case 'running':
    case 'compensating':
      return { kind: 'outcome' };
    case 'waiting':
      return waitOfWaiting(node);
    case 'retry_wait':
      return { kind: 'timer', until: node.wakeAt, detail: whyOf(node) };
    case 'uncertain':
      return node.probing ? { kind: 'probe', detail: whyOf(node) } : waitForPerson(node);
    case 'blocked':
      return { kind: 'budget', detail: whyOf(node) };
    case 'succeeded':
    case 'failed':
    case 'skipped':
    case 'cancelled':
    case 'compensated':
      return undefined;
  }
}

/** A place in a line says what is wanted: `tool:…` and `provider:…` a worker that has it, `limit:…` and `key:…` a turn. */
function waitInLine({ key, since, until }: Place): Omit<Wait, 'detail'> & { readonly detail: JsonObject } {
  const colon = key.indexOf(':');
  const [what, name] = [key.slice(0, colon), key.slice(colon + 1)];
  // The name of a key begins with that of its flow, and that of a limit with whose it is.
  const own = name.slice(name.indexOf(' ') + 1);
  if (what === 'key') return { kind: 'limit', since, until, detail: { reason: 'concurrency', key: own } };
  if (what === 'limit')
    return {
      kind: 'limit',
      since,
      until,
      detail: { reason: 'rate_limit', limit: own },
    };
  return {
    kind: 'worker',
    since,
    detail: { reason: `no_worker_has_${what}`, [what]: name },
    hint: `Start a worker that has the ${what} ${name}; it takes up what waits for it.`,
  };
}

function waitOfReady({ pool, served, place }: NodeRunWaitColumns): Wait {
  if (place) return waitInLine(place);
  const name = pool ?? DEFAULT_POOL;
  if (served && !served.has(name))
    return { kind: 'worker', detail: nobodyServes(name), hint: startAWorker(name) };
  return { kind: 'worker', ...(pool != null && { detail: { pool } }) };
}

const startAWorker = (pool: string) => `Start a worker that serves it: PAWL_POOLS=${pool} pawl worker`;
const nobodyServes = (pool: string) => ({ pool, reason: 'no_worker_serves_pool' });

function waitOfWaiting(node: NodeRunWaitColumns): Wait {
  if (node.reason === 'failure' || node.reason === 'approval') return waitForPerson(node);
  if (node.reason === 'flow' && node.subFlow)
    return {
      kind: 'flow',
      detail: { run: node.subFlow.runId, flow: node.subFlow.flow },
      hint: `See its run: pawl run show ${node.subFlow.runId}`,
    };
  if (node.reason === 'callback')
    return { kind: 'callback', until: node.wakeAt, ...(node.isPolled && { detail: { polled: true } }) };
  if (node.awaits) return waitForSignal(node.awaits, node.wakeAt);
  if (node.itemCount != null) {
    return {
      kind: 'children',
      detail: { items: node.itemCount, done: node.doneItems ?? 0, failed: node.failedItems ?? 0 },
    };
  }
  if (node.openCount != null) return { kind: 'nodes', detail: { open: node.openCount } };
  if (!node.wakeAt) return waitForPerson(node);
  return { kind: 'timer', until: node.wakeAt, ...(node.failure && { detail: whyOf(node) }) };
}

function waitForSignal({ name, key }: { name: string; key: string }, until: Date | null | undefined): Wait {
  const of = key === '' ? '' : ` '${key.replaceAll("'", String.raw`'\''`)}'`;
  return { kind: 'signal', until, detail: { name, key }, hint: `Send it: pawl signal send ${name}${of}` };
}

function waitForPerson(node: NodeRunWaitColumns): Wait {
  const { question, wakeAt } = node;
  const why = whyOf(node);
  if (question === undefined) return { kind: 'person', until: wakeAt, detail: why };
  return {
    kind: 'person',
    until: wakeAt,
    detail: { ...why, question },
    hint: `Answer it: pawl inbox show ${question}, then pawl inbox answer ${question} <decision>`,
  };
}

function whyOf({ reason, failure }: NodeRunWaitColumns): JsonObject | undefined {
  if (reason == null && !failure) return undefined;
  return {
    ...(reason != null && { reason }),
    ...(failure && { failure: { code: failure.code, message: failure.message } }),
  };
}

function waitingFor(since: Date, wait: Wait | undefined): WaitingFor | undefined {
  if (!wait) return undefined;
  return {
    kind: wait.kind,
    since: since.toISOString(),
    ...(wait.until && { until: wait.until.toISOString() }),
    ...(wait.detail !== undefined && { detail: wait.detail }),
    ...(wait.hint !== undefined && { hint: wait.hint }),
  };
}
