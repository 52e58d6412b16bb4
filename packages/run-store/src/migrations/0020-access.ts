import { Migration } from '@mikro-orm/migrations';

/** Roles of keys, users with passwords, and sessions of browsers. Keys that exist may what they could before: everything. */
export class AccessMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql(SCHEMA);
  }
}

const ROLE = "role text not null check (role in ('viewer', 'operator', 'editor', 'admin'))";

const SCHEMA = `
alter table api_key add column ${ROLE} default 'admin', add column created_by text, add column used_at timestamptz;
alter table api_key alter column role drop default;

-- A user belongs to one workspace: what another one has by the same name is somebody else.
create table workspace_user (
  id uuid primary key,
  workspace_id uuid not null references workspace (id),
  name text not null,
  ${ROLE},
  password_hash text not null,
  created_at timestamptz not null default now(),
  signed_in_at timestamptz,
  unique (workspace_id, name)
);

-- Of a user, or of a key that was given in the place of a name. expires_at moves on while it is used, up to ends_at.
create table session (
  token_hash text primary key,
  user_id uuid references workspace_user (id) on delete cascade,
  key_id uuid references api_key (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ends_at timestamptz not null,
  check ((user_id is null) <> (key_id is null))
);
create index session_of_user on session (user_id) where user_id is not null;
create index session_of_key on session (key_id) where key_id is not null;
`;
