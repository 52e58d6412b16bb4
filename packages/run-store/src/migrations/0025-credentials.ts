import { Migration } from '@mikro-orm/migrations';

/** Secrets of workspaces, sealed with a key that the database does not have (decision 0038). */
export class CredentialsMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      create table credential (
        workspace_id uuid not null references workspace (id),
        name text not null,
        key_id text not null,
        sealed bytea not null,
        set_by text not null,
        set_at timestamptz not null default now(),
        primary key (workspace_id, name)
      )`);
  }
}
