import { isTerminalRun, RUN_STATUSES } from '@pawl/dag-core';
import { type HotClient, type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import type { OutboxRow } from '../use-cases/outbox-bell.ts';
import { plainArray, textArray } from './array-literal.ts';

const OPEN = RUN_STATUSES.filter((status) => !isTerminalRun(status))
  .map((status) => `'${status}'`)
  .join(', ');

/** Runs of one flow that wait for each other. */
export interface RunKey {
  readonly workspaceId: string;
  readonly flow: string;
  readonly key: string;
}

/** A run that waits its turn under a key. */
export interface KeyedRun extends RunKey {
  readonly runId: string;
  /** How many of the key go on at once, as its version says. */
  readonly most: number;
  readonly priority: number;
}

/** The line in which the roots of a run stand. */
const lineOfKey = ({ flow, key }: Pick<RunKey, 'flow' | 'key'>): string => `key:${flow} ${key}`;

const wait: Statement = {
  name: 'wait-for-key',
  text: `
with keyed as (
  insert into run_key (run_id, workspace_id, flow_name, key, most, on_limit, priority, is_held)
  select x.run_id, x.workspace_id, x.flow_name, x.key, x.most, 'queue', x.priority, false
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::int[], $6::smallint[], $7::text[])
    as x(run_id, workspace_id, flow_name, key, most, priority, line)
  join run r on r.id = x.run_id
  returning run_id, workspace_id, priority
)
insert into limit_line (run_id, path, key, workspace_id, priority, pool, tokens)
select n.run_id, n.path, x.line, k.workspace_id, k.priority, n.pool, 0
from keyed k join unnest($1::uuid[], $7::text[]) as x(run_id, line) on x.run_id = k.run_id
join node_run n on n.run_id = k.run_id and n.status = 'ready'`,
};

/** Lets runs that are admitted in this transaction wait under their keys. Indexes: primary keys. */
export async function waitForKeys(client: HotClient | HotPool, runs: readonly KeyedRun[]): Promise<void> {
  await runStatement(client, wait, [
    plainArray(runs.map(({ runId }) => runId)),
    plainArray(runs.map(({ workspaceId }) => workspaceId)),
    textArray(runs.map(({ flow }) => flow)),
    textArray(runs.map(({ key }) => key)),
    plainArray(runs.map(({ most }) => most)),
    plainArray(runs.map(({ priority }) => priority)),
    textArray(runs.map(lineOfKey)),
  ]);
}

const lock: Statement = {
  name: 'lock-run-keys',
  text: `
select pg_advisory_xact_lock(hashtextextended(k.name, 0)) from unnest($1::text[]) as k(name)`,
};

/** Lets one transaction at a time look at a key. */
export async function lockRunKeys(client: HotClient, keys: readonly RunKey[]): Promise<void> {
  const names = keys.map(({ workspaceId, flow, key }) => `run key ${workspaceId} ${flow} ${key}`);
  await runStatement(client, lock, [textArray(names.sort())]);
}

const begin: Statement = {
  name: 'begin-keyed-runs',
  text: `
with asked as (
  select distinct * from unnest($1::uuid[], $2::text[], $3::text[]) as x(workspace_id, flow_name, key)
), known as materialized (
  select k.*, r.id is not null as is_open
  from asked a join run_key k on k.workspace_id = a.workspace_id and k.flow_name = a.flow_name and k.key = a.key
  left join run r on r.id = k.run_id and r.status in (${OPEN})
), gone as (
  delete from run_key k using known o where not o.is_open and k.run_id = o.run_id
), placed as (
  select k.run_id, k.most, row_number() over (partition by k.workspace_id, k.flow_name, k.key order by k.priority, k.run_id) as place,
    (select count(*) from known h where h.workspace_id = k.workspace_id and h.flow_name = k.flow_name and h.key = k.key
      and h.is_open and h.is_held) as held
  from known k where k.is_open and not k.is_held
), begun as (
  update run_key k set is_held = true from placed p where k.run_id = p.run_id and p.held + p.place <= p.most
  returning k.run_id, k.workspace_id
), left_line as (
  delete from limit_line l using begun b where l.run_id = b.run_id and l.key like 'key:%'
  returning l.run_id, l.path, l.pool, l.priority
), rung as (
  insert into outbox (run_id, path, pool, priority) select run_id, path, pool, priority from left_line
  returning id, run_id, path, pool, priority
)
select (select coalesce(json_agg(json_build_array(id, run_id, path, pool, priority)), '[]') from rung) as outbox,
  (select coalesce(json_agg(json_build_object('runId', run_id, 'workspaceId', workspace_id)), '[]') from begun) as runs`,
};

/** Runs whose turn it is, and the doorbells of their roots. */
interface BegunRuns {
  readonly runs: readonly { readonly runId: string; readonly workspaceId: string }[];
  readonly outbox: readonly OutboxRow[];
}

/** Begins the runs whose turn it is, under the locks of their keys. Indexes: run_key_line, primary keys. */
export async function beginKeyedRuns(client: HotClient, keys: readonly RunKey[]): Promise<BegunRuns> {
  const [row] = await runStatement<BegunRuns>(client, begin, [
    plainArray(keys.map(({ workspaceId }) => workspaceId)),
    textArray(keys.map(({ flow }) => flow)),
    textArray(keys.map(({ key }) => key)),
  ]);
  return row!;
}

const waiting: Statement = {
  name: 'find-waiting-run-keys',
  text: `
select distinct k.workspace_id as "workspaceId", k.flow_name as flow, k.key
from run_key k where k.run_id >= '00000000-0000-0000-0000-000000000000' and not k.is_held
limit $1`,
};

/** Keys under which runs wait. Index: run_key's primary key; as many as runs with a key are open. */
export const findWaitingRunKeys = (pool: HotPool, most: number): Promise<RunKey[]> =>
  runStatement(pool, waiting, [most]);
