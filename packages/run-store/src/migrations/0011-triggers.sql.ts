/**
 * What starts runs by itself: schedules with the slots they have had, and webhooks with the secrets that deliveries are signed
 * with. A slot is one row for ever (C35); the partial indexes cover what engines look for: schedules that are due, slots
 * that wait for their run, and runs of schedules that may still be open.
 */
export const TRIGGERS_SCHEMA = `
create table schedule (
  id uuid primary key,
  workspace_id uuid not null references workspace (id),
  name text not null,
  flow_name text not null,
  cron text not null,
  time_zone text not null,
  input json not null,
  is_enabled boolean not null,
  overlap text not null,
  catch_up text not null,
  catch_up_window_ms bigint not null,
  jitter_ms int not null,
  next_at timestamptz,
  fire_at timestamptz,
  missed_count bigint not null default 0,
  last_missed timestamptz,
  last_error json,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, name)
);
create index schedule_due on schedule (fire_at) where fire_at is not null;

create table schedule_slot (
  schedule_id uuid not null references schedule (id) on delete cascade,
  slot timestamptz not null,
  origin text not null,
  state text not null,
  reason text,
  error json,
  run_id uuid,
  is_open boolean not null,
  look_at timestamptz,
  decided_at timestamptz not null,
  started_at timestamptz,
  primary key (schedule_id, slot)
);
create index schedule_slot_waiting on schedule_slot (schedule_id, slot) where state in ('queued', 'starting');
create index schedule_slot_look on schedule_slot (look_at) where state in ('queued', 'starting');
create index schedule_slot_open on schedule_slot (schedule_id) where is_open;

create table webhook (
  id uuid primary key,
  workspace_id uuid not null references workspace (id),
  name text not null,
  flow_name text not null,
  is_enabled boolean not null,
  preset text not null,
  signature_header text not null,
  timestamp_header text,
  delivery_header text not null,
  tolerance_ms int not null,
  input_from text not null,
  header_names json not null,
  last_refusal json,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, name)
);

create table webhook_secret (
  webhook_id uuid not null references webhook (id) on delete cascade,
  id uuid not null,
  secret text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  primary key (webhook_id, id)
);
`;
