import type { CallLimit } from '@pawl/dag-core';
import { StoreError } from '../errors.ts';
import { runStatement, type Statement } from '../hot-pool.ts';
import type { HotStore } from '../hot-store.ts';
import { removeLimit, setLimit } from '../sql/configured-limits.ts';
import { limitKey, lineOfLimit } from './limit-shapes.ts';

/** A limit as people see it. */
export interface ShownLimit extends Partial<CallLimit> {
  readonly target: string;
  /** `workspace`: of the calls of this workspace; `everybody`: of the calls of all workspaces together. */
  readonly scope: 'workspace' | 'everybody';
  /** Nobody calls until then. */
  readonly pausedUntil?: string;
  /** Of the workspace's own limits: calls under way, and node runs that wait. */
  readonly underWay?: number;
  readonly waiting?: number;
}

/** Which limit. `workspaceId` null: of all workspaces together. */
export interface LimitRef {
  readonly workspaceId: string | null;
  readonly target: string;
}

/** Sets a limit, in the place of the one with the same target. */
export async function setCallLimit(
  store: HotStore,
  { workspaceId, target, ...limit }: LimitRef & Partial<CallLimit>,
): Promise<void> {
  const key = limitKey(workspaceId, target);
  const { concurrency = null, requests = null, tokens = null, windowMs = null } = limit;
  await setLimit(store.pool, { key, workspaceId, target, concurrency, requests, tokens, windowMs });
  await store.limits.changed([key]);
}

/** Takes a limit away; what it held up goes on. @throws {StoreError} `limit_not_found` */
export async function removeCallLimit(store: HotStore, { workspaceId, target }: LimitRef): Promise<void> {
  const key = limitKey(workspaceId, target);
  if (!(await removeLimit(store.pool, key))) throw new StoreError('limit_not_found', { target });
  await store.limits.changed([key]);
}

const show: Statement = {
  name: 'show-limits',
  text: `
select c.target, c.workspace_id is not null as own, c.concurrency, c.requests, c.tokens::float8 as tokens, c.window_ms,
  case when c.paused_until > now() then c.paused_until end as paused_until,
  (select count(*)::int from permit p where p.key = c.key) as under_way,
  (select count(*)::int from limit_line l where l.key = $2 || c.key) as waiting
from call_limit c
where c.key >= '' and (c.workspace_id = $1 or c.workspace_id is null)
  and (c.source = 'configured' or c.paused_until > now())
order by c.target, c.key`,
};

interface Row {
  readonly target: string;
  readonly own: boolean;
  readonly concurrency: number | null;
  readonly requests: number | null;
  readonly tokens: number | null;
  readonly window_ms: number | null;
  readonly paused_until: Date | null;
  readonly under_way: number;
  readonly waiting: number;
}

/** The limits that hold for a workspace: its own, and those of everybody, of which it sees what they are and not who uses them. */
export async function listCallLimits(store: HotStore, workspaceId: string): Promise<ShownLimit[]> {
  const rows = await runStatement<Row>(store.pool, show, [workspaceId, lineOfLimit('')]);
  return rows.map((row) => ({
    target: row.target,
    scope: row.own ? 'workspace' : 'everybody',
    ...(row.concurrency !== null && { concurrency: row.concurrency }),
    ...(row.requests !== null && { requests: row.requests }),
    ...(row.tokens !== null && { tokens: row.tokens }),
    ...(row.window_ms !== null && { windowMs: row.window_ms }),
    ...(row.paused_until && { pausedUntil: row.paused_until.toISOString() }),
    ...(row.own && { underWay: row.under_way, waiting: row.waiting }),
  }));
}
