import { Migration } from '@mikro-orm/migrations';

/**
 * Flow control: pools, priorities, doorbells that wait their workspace's turn, limits of what is called, concurrency keys. Nothing
 * here is a fact of a run but `node_run.pool`; the tables say who may go on when, like leases do.
 */
export class FlowControlMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
alter table worker add column pools text[] not null default '{default}';
alter table node_run add column pool text;
alter table outbox add column pool text, add column priority smallint;

-- Doorbells that were left out of a queue that was full enough.
create table parked_bell (
  run_id uuid not null,
  path text collate "C" not null,
  workspace_id uuid not null,
  pool text not null,
  priority smallint not null,
  id bigint generated always as identity,
  taken_at timestamptz,
  primary key (run_id, path)
);
create index parked_bell_line on parked_bell (pool, workspace_id, priority, id);

-- What may be called how often, how much of it is used, and until when everybody keeps away. Without a workspace: together in the
-- whole deployment. source: configured, node (said by a flow), pause (only kept away from).
create table call_limit (
  key text collate "C" primary key,
  workspace_id uuid references workspace (id),
  target text not null,
  source text not null,
  concurrency int,
  requests int,
  tokens bigint,
  window_ms int,
  used json,
  paused_until timestamptz,
  last_workspace_id uuid,
  updated_at timestamptz not null default now()
);

-- Who is calling now. Bound to a worker: they end with it.
create table permit (
  run_id uuid not null,
  path text collate "C" not null,
  key text collate "C" not null,
  attempt int not null,
  worker_id uuid not null,
  tokens bigint not null,
  taken_at timestamptz not null,
  primary key (run_id, path, key)
);
create index permit_by_key on permit (key);
create index permit_by_worker on permit (worker_id);

-- Node runs that wait: for a permit, or for a worker that can run them.
create table limit_line (
  run_id uuid not null,
  path text collate "C" not null,
  key text collate "C" not null,
  workspace_id uuid not null,
  priority smallint not null,
  tokens bigint not null,
  since timestamptz not null default now(),
  woken_at timestamptz,
  primary key (run_id, path)
);
create index limit_line_waiting on limit_line (key, workspace_id, priority, since) where woken_at is null;
create index limit_line_woken on limit_line (key, woken_at) where woken_at is not null;

-- Runs of flows that name a concurrency key: those under way, and those that wait for one of them to end.
create table run_key (
  run_id uuid primary key,
  workspace_id uuid not null,
  flow_name text not null,
  key text not null,
  most int not null,
  on_limit text not null,
  priority smallint not null,
  is_held boolean not null,
  created_at timestamptz not null default now()
);
create index run_key_line on run_key (workspace_id, flow_name, key, run_id);

-- By workspace first, so that the open runs of one can be counted.
drop index run_open;
create index run_open on run (workspace_id, id)
  where status in ('pending', 'running', 'waiting', 'paused', 'cancelling', 'compensating');
`;
