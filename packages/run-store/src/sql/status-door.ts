import { isTerminalRun, nodeRunMoves, RUN_STATUSES } from '@pawl/dag-core';
import type { Statement } from '../hot-pool.ts';

// Rules kept here: V7 these four statements are the only writers of `run.status` and `node_run.status` (a test searches the
// source for a fifth); V3 each write names the state and attempt it was decided on; V8 rows that became ready and their outbox
// rows are written by one statement; J1 the journal's sequence numbers come from the run row under its lock.
//
// Which move leads from the old status to the new one was checked against the tables of dag-core when it was applied in memory;
// the predicates here compare with exactly the status and attempt that were read under the run's lock.

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');

/** Statuses in which a run lets node runs start. */
const STARTING = quoted(['pending', 'running', 'waiting']);
/** Statuses in which a tool may be asked about a doubt (T20). */
const PROBING = quoted(['pending', 'running', 'waiting', 'compensating', 'cancelling']);
/** Statuses in which a tool may be asked about a call that its service took (T23). */
const POLLING = quoted(RUN_STATUSES.filter((status) => !isTerminalRun(status)));
const TERMINAL = quoted(RUN_STATUSES.filter(isTerminalRun));

/**
 * Columns of new node runs, as parallel arrays; `effects` is the first of the two that tell of their effects. `failure` travels apart
 * from `rare`: reading members of a JSON value undoes its escapes, and PostgreSQL refuses to undo a NUL.
 */
const insertNodeRuns = (first: number, effects: number, where = '') => `
  insert into node_run (run_id, path, node_id, kind, status, attempt, worker_id, pending_edges, live_edges, output_seq,
    effect, failures, losses, dead_edges, open_count, item_index, item_count, next_item, done_items, failed_items, wake_at, wait_key, reason,
    failure, intent_seq, reserved, cost_nano_usd, tokens, pool, more, status_at, started_at, finished_at)
  select n.run_id, n.path, n.node_id, n.kind, n.status, n.attempt, n.worker_id, n.pending_edges, n.live_edges, n.output_seq,
    n.effect, coalesce((n.rare->>'failures')::int, 0), (n.rare->>'losses')::int, n.rare->'deadEdges', (n.rare->>'openCount')::int,
    (n.rare->>'itemIndex')::int, (n.rare->>'itemCount')::int, (n.rare->>'nextItem')::int, (n.rare->>'doneItems')::int,
    (n.rare->>'failedItems')::int, to_timestamp((n.rare->>'wakeAt')::float8 / 1000), n.rare->>'waitKey',
    n.rare->>'reason', n.failure,
    n.intent_seq, n.rare->'reserved', coalesce((n.rare->>'costNanoUsd')::bigint, 0),
    coalesce((n.rare->>'tokens')::bigint, 0), n.rare->>'pool', n.rare->'more', statement_timestamp(),
    case when n.attempt > 0 then statement_timestamp() end, case when n.is_ended then statement_timestamp() end
  from unnest($${first}::uuid[], $${first + 1}::text[], $${first + 2}::text[], $${first + 3}::text[], $${first + 4}::text[],
    $${first + 5}::int[], $${first + 6}::uuid[], $${first + 7}::int[], $${first + 8}::int[], $${first + 9}::int[],
    $${first + 10}::boolean[], $${first + 11}::json[], $${first + 12}::json[], $${effects}::text[], $${effects + 1}::int[])
    as n(run_id, path, node_id, kind, status, attempt, worker_id, pending_edges, live_edges, output_seq, is_ended, rare, failure,
      effect, intent_seq)
  ${where}`;

/** Events as parallel arrays. What an intent calls is read from its text here, once: the effect log finds it by a column. */
const insertJournal = (first: number, where = '') => `
  insert into journal (run_id, seq, type, path, attempt, at, data, target)
  select j.run_id, j.seq, j.type, j.path, j.attempt, statement_timestamp(), j.data,
    case when j.type = 'intent.recorded' then effect_target(j.data) end
  from unnest($${first}::uuid[], $${first + 1}::int[], $${first + 2}::text[], $${first + 3}::text[], $${first + 4}::int[],
    $${first + 5}::json[]) as j(run_id, seq, type, path, attempt, data)
  ${where}`;

/** Doorbells as two pairs of parallel arrays: whom they are for, and on which lane. */
const insertOutbox = (first: number, lanes: number, where = '') => `
  insert into outbox (run_id, path, pool, priority)
  select b.run_id, b.path, b.pool, b.priority
  from unnest($${first}::uuid[], $${first + 1}::text[], $${lanes}::text[], $${lanes + 1}::smallint[]) as b(run_id, path, pool, priority)
  ${where}
  returning id, run_id, path, pool, priority`;

/**
 * Applies what was decided under the runs' locks: rows, journal, counters, doorbells, at once.
 *
 * Parameters: $1–$13 new node runs, $14–$26 changed node runs, $27–$32 events, $33–$34 doorbells, $35–$49 runs.
 * $50 and $51: how many node runs and runs must have been as read; a difference is a defect and fails the statement (as text
 * that is no JSON), so that the commit may be sent right behind it. $52–$53 the lanes of the doorbells, $54–$55 effects of the new
 * node runs, $56–$57 of the changed ones. Answers one row with the outbox rows.
 * Indexes: primary keys only.
 */
export const applyChanges: Statement = {
  name: 'apply-changes',
  text: `
with inserted as (${insertNodeRuns(1, 54)}
), updated as (
  update node_run n set
    status = c.status, attempt = c.attempt, worker_id = c.worker_id, pending_edges = c.pending_edges,
    live_edges = c.live_edges, output_seq = coalesce(c.output_seq, n.output_seq),
    effect = c.effect, failures = coalesce((c.rare->>'failures')::int, 0), losses = (c.rare->>'losses')::int, dead_edges = c.rare->'deadEdges',
    open_count = (c.rare->>'openCount')::int, item_index = (c.rare->>'itemIndex')::int,
    item_count = (c.rare->>'itemCount')::int, next_item = (c.rare->>'nextItem')::int,
    done_items = (c.rare->>'doneItems')::int, failed_items = (c.rare->>'failedItems')::int,
    wake_at = to_timestamp((c.rare->>'wakeAt')::float8 / 1000), wait_key = c.rare->>'waitKey', reason = c.rare->>'reason', failure = c.failure,
    intent_seq = c.intent_seq, reserved = c.rare->'reserved',
    cost_nano_usd = coalesce((c.rare->>'costNanoUsd')::bigint, 0), tokens = coalesce((c.rare->>'tokens')::bigint, 0), more = c.rare->'more',
    status_at = case when n.status = c.status then n.status_at else statement_timestamp() end,
    started_at = case when c.attempt > 0 then coalesce(n.started_at, statement_timestamp()) end,
    finished_at = case when c.is_ended then coalesce(n.finished_at, statement_timestamp()) end
  from unnest($14::uuid[], $15::text[], $16::text[], $17::int[], $18::text[], $19::int[], $20::uuid[], $21::int[], $22::int[],
    $23::int[], $24::boolean[], $25::json[], $26::json[], $56::text[], $57::int[])
    as c(run_id, path, from_status, from_attempt, status, attempt, worker_id, pending_edges, live_edges, output_seq, is_ended,
      rare, failure, effect, intent_seq)
  where n.run_id = c.run_id and n.path = c.path and n.status = c.from_status and n.attempt = c.from_attempt
  returning 1
), recorded as (${insertJournal(27)}
), rung as (${insertOutbox(33, 52)}
), moved as (
  update run r set
    status = m.status, next_seq = m.next_seq, open_count = m.open_count, active_count = m.active_count,
    output_seq = coalesce(m.output_seq, r.output_seq),
    reserved_cost_nano_usd = m.reserved_cost, reserved_tokens = m.reserved_tokens, reserved_model_calls = m.reserved_calls,
    spent_cost_nano_usd = m.spent_cost, spent_tokens = m.spent_tokens, spent_model_calls = m.spent_calls,
    failure = m.failure, degraded = m.rare->'degraded', is_partial = m.rare->'degraded' is not null, more = m.rare->'more',
    budget_limits = coalesce(m.rare->'limits', r.budget_limits),
    deadline_at = case when m.rare->'limits' is null then r.deadline_at
      else r.created_at + (m.rare->'limits'->>'wallClockMs')::float8 * interval '1 millisecond' end,
    status_at = case when r.status = m.status then r.status_at else statement_timestamp() end,
    started_at = coalesce(r.started_at, statement_timestamp()),
    cancel_requested_at = case when m.status = 'cancelling' then coalesce(r.cancel_requested_at, statement_timestamp())
      else r.cancel_requested_at end,
    finished_at = case when m.status in (${TERMINAL}) then coalesce(r.finished_at, statement_timestamp()) end
  from unnest($35::uuid[], $36::int[], $37::text[], $38::int[], $39::int[], $40::int[], $41::int[], $42::bigint[], $43::bigint[],
    $44::int[], $45::bigint[], $46::bigint[], $47::int[], $48::json[], $49::json[])
    as m(id, from_seq, status, next_seq, open_count, active_count, output_seq, reserved_cost, reserved_tokens, reserved_calls,
      spent_cost, spent_tokens, spent_calls, rare, failure)
  where r.id = m.id and r.next_seq = m.from_seq
  returning 1
)
select case when u.rows = $50 and m.rows = $51 
  then (select coalesce(json_agg(json_build_array(id, run_id, path, pool, priority)), '[]') from rung)
  else format('changed under its own lock: %s of %s node runs and %s of %s runs were as read', u.rows, $50, m.rows, $51)::json
  end as outbox
from (select count(*)::int as rows from updated) u, (select count(*)::int as rows from moved) m`,
};

/**
 * Admits runs: run rows, root node runs, first events and doorbells. A run whose dedupe key is taken is left out.
 *
 * Parameters: $1–$13 new node runs, $14–$19 events, $20–$21 doorbells, $22–$35 runs, $36–$37 the lanes of the doorbells, $38 rare
 * facts of the runs, $39 how they begin: an undo run undoes from the start (F9), $40–$41 effects of the new node runs. Answers the ids that were admitted and their outbox rows. Index: dedupe's primary key.
 */
export const admitRuns: Statement = {
  name: 'admit-runs',
  text: `
with asked as (
  select * from unnest($22::uuid[], $23::uuid[], $24::text[], $25::text[], $26::int[], $27::int[], $28::int[], $29::json[],
    $30::json[], $31::text[], $32::text[], $33::float8[], $34::text[], $35::float8[], $38::json[], $39::text[])
    as a(id, workspace_id, flow_name, version_id, next_seq, open_count, active_count, budget_limits, tags, dedupe_key,
      body_hash, wall_clock_ms, mode, timeout_ms, more, status)
), keyed as (
  insert into dedupe (workspace_id, flow_name, key, body_hash, run_id, expires_at)
  select workspace_id, flow_name, dedupe_key, body_hash, id, now() + interval '24 hours'
  from asked where dedupe_key is not null
  order by workspace_id, flow_name, dedupe_key
  on conflict (workspace_id, flow_name, key) do update
    set run_id = excluded.run_id, body_hash = excluded.body_hash, expires_at = excluded.expires_at
    where dedupe.expires_at < now()
  returning run_id
), admitted as (
  insert into run (id, workspace_id, flow_name, version_id, mode, status, next_seq, open_count, active_count, budget_limits,
    tags, dedupe_key, more, parent_run_id, created_at, status_at, deadline_at, times_out_at)
  select id, workspace_id, flow_name, version_id, mode, status, next_seq, open_count, active_count, budget_limits, tags,
    dedupe_key, more, (more->'parent'->>'runId')::uuid, statement_timestamp(), statement_timestamp(), statement_timestamp() + wall_clock_ms * interval '1 millisecond',
    statement_timestamp() + timeout_ms * interval '1 millisecond'
  from asked where dedupe_key is null or id in (select run_id from keyed)
  returning id
), inserted as (${insertNodeRuns(1, 40, 'where n.run_id in (select id from admitted)')}
), recorded as (${insertJournal(14, 'where j.run_id in (select id from admitted)')}
), rung as (${insertOutbox(20, 36, 'where b.run_id in (select id from admitted)')}
)
select (select coalesce(json_agg(id), '[]') from admitted) as admitted,
  (select coalesce(json_agg(json_build_array(id, run_id, path, pool, priority)), '[]') from rung) as outbox`,
};

/**
 * Claims ready node runs for a worker: attempt + 1, the worker's name on the row. What is not ready any more, or whose run
 * starts no new work, is left out: a refused claim is an answer, not an error.
 *
 * Parameters: $1 run ids, $2 paths (parallel), $3 worker id, $4 run ids whose input the worker wants.
 * Locks the run rows in id order. Indexes: primary keys. The input comes with the first row of a run. `was` is the row before:
 * how long it was ready is known nowhere else. A run that waits its turn under a key (L10) is not begun by a stray doorbell.
 */
export const claimNodeRuns: Statement = {
  name: 'claim-node-runs',
  text: `
with bell as materialized (
  select distinct run_id, path from unnest($1::uuid[], $2::text[]) as b(run_id, path)
), locked as materialized (
  select r.id, r.workspace_id, r.version_id, r.status, r.next_seq, r.open_count, r.failure is not null as is_stopping
  from (select distinct run_id from bell) x join run r on r.id = x.run_id
  order by r.id
  for no key update of r
), claimed as (
  update node_run n set status = '${nodeRunMoves.claim.to}', attempt = n.attempt + 1, worker_id = $3,
    status_at = statement_timestamp(), started_at = coalesce(n.started_at, statement_timestamp())
  from bell b join locked l on l.id = b.run_id join node_run was on was.run_id = b.run_id and was.path = b.path
  where n.run_id = b.run_id and n.path = b.path and n.status in (${quoted(nodeRunMoves.claim.from)})
    and ((l.status in (${STARTING}) and not l.is_stopping) or (l.status = 'compensating' and n.kind = 'undo')
      or (n.kind = 'probe' and l.status in (${PROBING})) or (n.kind = 'poll' and l.status in (${POLLING})))
    and (was.attempt > 0 or not exists (
      select 1 from limit_line t where t.run_id = n.run_id and t.path = n.path and t.key like 'key:%'))
  returning n.run_id, n.path, n.node_id, n.kind, n.attempt, n.failures, n.intent_seq, n.item_index, n.item_count, n.failed_items, n.more,
    extract(epoch from statement_timestamp() - was.status_at)::float8 * 1000 as waited
), wanted as (
  select run_id, path, node_id, kind, attempt, failures, intent_seq, item_index, item_count, failed_items, more, waited from claimed
  union all
  select l.id, '', '', 'run', 0, 0, null, null, null, null, null, null
  from bell b join locked l on l.id = b.run_id
  where b.path = '' and l.open_count = 0 and l.status in (${STARTING}) and not l.is_stopping
), numbered as (
  select w.*, row_number() over (partition by w.run_id) as place from wanted w
)
select w.run_id as "runId", w.path, w.node_id as "nodeId", w.kind, w.attempt, w.failures, w.intent_seq as "intentSeq",
  w.item_index as "itemIndex", w.item_count as "itemCount", w.failed_items as "failedItems", w.more, w.waited as "waitedMs",
  l.workspace_id as "workspaceId", l.version_id as "versionId", l.next_seq as "nextSeq",
  a.data as admitted, extract(epoch from a.at)::float8 * 1000 as "admittedAt"
from numbered w join locked l on l.id = w.run_id
left join journal a on w.place = 1 and w.run_id = any($4::uuid[]) and a.run_id = w.run_id and a.seq = 1`,
};

const REBUILT =
  `node_id, kind, status, attempt, worker_id, pending_edges, live_edges, output_seq, effect, failures, losses,
  dead_edges, open_count, item_index, item_count, next_item, done_items, failed_items, wake_at, wait_key, reason, failure, intent_seq,
  reserved, cost_nano_usd, tokens, pool, more`.split(/,\s+/);

/**
 * Writes rows of one run anew, whatever they held: what its journal says, and what follows from that now (repair). The run is
 * locked. Instants that rows alone know stay where they can be right.
 *
 * Parameters: $1–$13 node runs, $14–$19 events, $20–$21 doorbells, $22–$36 the run, $37 paths of node runs that the journal does
 * not know, $38–$39 the lanes of the doorbells, $40–$41 effects of the node runs. Indexes: primary keys.
 */
export const rebuildRows: Statement = {
  name: 'rebuild-rows',
  text: `
with gone as (
  delete from node_run n using unnest($22::uuid[]) as m(id), unnest($37::text[]) as p(path)
  where n.run_id = m.id and n.path = p.path
), rebuilt as (${insertNodeRuns(
    1,
    40,
    `on conflict (run_id, path) do update set
    ${REBUILT.map((column) => `${column} = excluded.${column}`).join(', ')},
    status_at = case when node_run.status = excluded.status then node_run.status_at else excluded.status_at end,
    started_at = coalesce(node_run.started_at, excluded.started_at),
    finished_at = case when excluded.finished_at is not null then coalesce(node_run.finished_at, excluded.finished_at) end`,
  )}
), recorded as (${insertJournal(14)}
), rung as (${insertOutbox(20, 38)}
)
update run r set
  status = m.status, next_seq = m.next_seq, open_count = m.open_count, active_count = m.active_count, output_seq = m.output_seq,
  reserved_cost_nano_usd = m.reserved_cost, reserved_tokens = m.reserved_tokens, reserved_model_calls = m.reserved_calls,
  spent_cost_nano_usd = m.spent_cost, spent_tokens = m.spent_tokens, spent_model_calls = m.spent_calls,
  failure = m.failure, degraded = m.rare->'degraded', is_partial = m.rare->'degraded' is not null, more = m.rare->'more',
  budget_limits = m.rare->'limits',
  deadline_at = r.created_at + (m.rare->'limits'->>'wallClockMs')::float8 * interval '1 millisecond',
  status_at = case when r.status = m.status then r.status_at else statement_timestamp() end,
  cancel_requested_at = case when m.status = 'cancelling' then coalesce(r.cancel_requested_at, statement_timestamp())
    else r.cancel_requested_at end,
  finished_at = case when m.status in (${TERMINAL}) then coalesce(r.finished_at, statement_timestamp()) end
from unnest($22::uuid[], $23::int[], $24::text[], $25::int[], $26::int[], $27::int[], $28::int[], $29::bigint[], $30::bigint[],
  $31::int[], $32::bigint[], $33::bigint[], $34::int[], $35::json[], $36::json[])
  as m(id, from_seq, status, next_seq, open_count, active_count, output_seq, reserved_cost, reserved_tokens, reserved_calls,
    spent_cost, spent_tokens, spent_calls, rare, failure)
where r.id = m.id`,
};
