/**
 * Content has a row of its own, and whoever needs content holds it by a foreign key: so PostgreSQL itself refuses to remove
 * bytes that an artifact or a value of a journal still names, whatever happens at the same time.
 *
 * - `content`: the bytes under a hash, or under `upload:<id>` while they come in. `touched_at`: when somebody last wrote to it
 *   or relied on it being there; garbage is collected only when that is long ago.
 * - `held_value`: runs and the values that their journals name (J3).
 * - `used_artifact`: runs and the artifacts that their inputs name; such an artifact outlives the run that made it.
 *
 * The effect log reads the journal: its index holds intents only, in the order of time, with what was called. `effect_receipt`
 * keeps what is known of an effect, without payloads, after retention has dropped the journal.
 */
export const CONTENT_AND_EFFECTS = `
create table content (
  hash text primary key,
  bytes bigint not null,
  touched_at timestamptz not null default now()
);
insert into content (hash, bytes)
select hash, sum(octet_length(data)) from artifact_chunk group by hash
union
select distinct hash, 0 from artifact where bytes = 0;

alter table artifact_chunk add constraint artifact_chunk_of foreign key (hash) references content (hash) on delete cascade;
alter table artifact add constraint artifact_content foreign key (hash) references content (hash);

create table held_value (
  run_id uuid not null,
  hash text not null references content (hash),
  primary key (run_id, hash)
);
create index held_value_by_hash on held_value (hash);
insert into held_value (run_id, hash)
select distinct j.run_id, c.hash
from journal j
cross join lateral regexp_matches(j.data::text, '"(?:input|output|request|fallback)Ref":\\{"hash":"([0-9a-f]{64})"', 'g') as m
join content c on c.hash = m[1]
where j.data::text like '%Ref":{"hash":"%';

alter table artifact
  add column flow_name text,
  add column made_by text,
  drop constraint artifact_workspace_id_run_id_name_version_key,
  add constraint artifact_version unique nulls not distinct (workspace_id, run_id, name, version);
update artifact a set flow_name = r.flow_name from run r where r.id = a.run_id;
create index artifact_by_workspace on artifact (workspace_id, id);
create index artifact_by_flow on artifact (workspace_id, flow_name, id);
create index artifact_by_run on artifact (run_id, id);

create table used_artifact (
  run_id uuid not null,
  artifact_id uuid not null references artifact (id),
  primary key (run_id, artifact_id)
);
create index used_artifact_by_artifact on used_artifact (artifact_id);

-- What an intent calls, from the beginning of its text, where no payload is (J8). Read as text, because reading members of JSON
-- undoes escapes, and PostgreSQL refuses to undo a NUL; and not by a regular expression, which costs ten times as much.
create function effect_target(data json) returns text language sql immutable strict parallel safe
as $$ select split_part(split_part(left(data::text, 600), '"target":"', 2), '"', 1) $$;
create index journal_effects on journal (at, run_id, seq, effect_target(data)) where type = 'intent.recorded';

create table effect_receipt (
  run_id uuid not null,
  seq int not null,
  workspace_id uuid not null,
  flow_name text not null,
  version_id text not null,
  path text collate "C" not null,
  attempt int not null,
  call int not null,
  effect text not null,
  target text not null,
  key text not null,
  request_hash text not null,
  worker_id text,
  at timestamptz not null,
  status text not null,
  ended_at timestamptz,
  late_at timestamptz,
  is_doubt boolean,
  failure_code text,
  failure_class text,
  output_hash text,
  effect_id text,
  cost_nano_usd bigint,
  tokens bigint,
  started_by text,
  settled_by text,
  settled_as text,
  primary key (run_id, seq)
);
create index effect_receipt_by_time on effect_receipt (workspace_id, at, run_id, seq);
`;
