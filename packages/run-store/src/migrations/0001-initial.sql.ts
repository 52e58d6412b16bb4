/**
 * The first schema (semantics §6). Payload columns are `json`, which keeps NUL escapes, lone surrogates, big integers and key
 * order as they came. `run`, `node_run` and `journal` are partitioned by run id (UUIDv7, so by time); partial indexes cover
 * open work only, so that finished runs cost nothing.
 */
export const INITIAL_SCHEMA = `
create table workspace (
  id uuid primary key,
  name text not null unique,
  created_at timestamptz not null default now()
);
insert into workspace (id, name) values ('00000000-0000-7000-8000-000000000001', 'default');

create table api_key (
  id uuid primary key,
  workspace_id uuid not null references workspace (id),
  name text not null,
  hash text not null unique,
  prefix text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);

create table flow (
  id uuid primary key,
  workspace_id uuid not null references workspace (id),
  name text not null,
  title text,
  draft json not null,
  revision int not null,
  published_version_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, name)
);

create table flow_version (
  workspace_id uuid not null references workspace (id),
  id text not null,
  flow_id uuid not null references flow (id),
  number int not null,
  document json not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (flow_id, number)
);

create table run (
  id uuid primary key,
  workspace_id uuid not null,
  flow_name text not null,
  version_id text not null,
  mode text not null,
  status text not null,
  next_seq int not null,
  open_count int not null,
  active_count int not null,
  failure json,
  output_seq int,
  degraded json,
  is_partial boolean not null default false,
  budget_limits json not null,
  reserved_cost_nano_usd bigint not null default 0,
  reserved_tokens bigint not null default 0,
  reserved_model_calls int not null default 0,
  spent_cost_nano_usd bigint not null default 0,
  spent_tokens bigint not null default 0,
  spent_model_calls int not null default 0,
  status_at timestamptz not null,
  tags json,
  dedupe_key text,
  cancel_requested_at timestamptz,
  deadline_at timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz
) partition by range (id);
create index run_by_workspace on run (workspace_id, id);
create index run_open on run (id) where status in ('pending', 'running', 'waiting', 'paused', 'cancelling', 'compensating');

create table node_run (
  run_id uuid not null,
  path text collate "C" not null,
  node_id text not null,
  kind text not null,
  effect text,
  status text not null,
  attempt int not null,
  failures int not null default 0,
  losses int,
  worker_id uuid,
  pending_edges int not null,
  live_edges int not null,
  dead_edges json,
  open_count int,
  item_index int,
  item_count int,
  next_item int,
  done_items int,
  failed_items int,
  wake_at timestamptz,
  status_at timestamptz not null,
  reason text,
  failure json,
  intent_seq int,
  output_seq int,
  reserved json,
  cost_nano_usd bigint not null default 0,
  tokens bigint not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (run_id, path)
) partition by range (run_id);
create index node_run_running on node_run (worker_id) where status = 'running';
create index node_run_ready on node_run (run_id) where status = 'ready';
create index node_run_due on node_run (wake_at) where status in ('retry_wait', 'waiting') and wake_at is not null;

create table journal (
  run_id uuid not null,
  seq int not null,
  type text not null,
  path text collate "C" not null,
  attempt int not null,
  at timestamptz not null,
  data json not null,
  primary key (run_id, seq)
) partition by range (run_id);

create table outbox (
  id bigint generated always as identity primary key,
  run_id uuid not null,
  path text collate "C" not null,
  created_at timestamptz not null default now()
);

create table dedupe (
  workspace_id uuid not null,
  flow_name text not null,
  key text not null,
  body_hash text not null,
  run_id uuid not null,
  expires_at timestamptz not null,
  primary key (workspace_id, flow_name, key)
);

create table worker (
  id uuid primary key,
  lock_key bigint not null,
  host text not null,
  pid int not null,
  process_started text not null,
  lease_until timestamptz not null,
  started_at timestamptz not null default now(),
  stopped_at timestamptz
);

create table catalog (
  kind text not null,
  ref text not null,
  declaration json not null,
  seen_at timestamptz not null default now(),
  primary key (kind, ref)
);

create table artifact (
  id uuid primary key,
  workspace_id uuid not null references workspace (id),
  run_id uuid,
  path text,
  attempt int,
  name text not null,
  version int not null,
  media_type text not null,
  bytes bigint not null,
  hash text not null,
  created_at timestamptz not null default now(),
  unique (workspace_id, run_id, name, version)
);
create index artifact_by_hash on artifact (hash);

create table artifact_chunk (
  hash text not null,
  index int not null,
  data bytea not null,
  primary key (hash, index)
);
`;
