import { Migration } from '@mikro-orm/migrations';

/**
 * Signals, kept until a node run takes them, and after that until their id is forgotten. Which node run waits for which is an
 * index on what is open: `wait_key` stands for workspace, name and key.
 */
export class SignalsMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql('alter table node_run add column wait_key text');
    this.addSql(`
      create index node_run_signal on node_run (wait_key, status_at)
      where status = 'waiting' and wait_key is not null`);
    this.addSql(`
      create table signal (
        seq bigint generated always as identity primary key,
        workspace_id uuid not null references workspace (id),
        id text not null,
        name text not null,
        key text not null,
        wait_key text not null,
        payload json not null,
        body_hash text not null,
        sent_by text not null,
        from_run_id uuid,
        to_run_id uuid,
        sent_at timestamptz not null default now(),
        expires_at timestamptz not null,
        run_id uuid,
        path text collate "C",
        taken_at timestamptz,
        delivered_at timestamptz,
        unique (workspace_id, id)
      )`);
    this.addSql('create index signal_kept on signal (wait_key, seq) where run_id is null');
    this.addSql('create index signal_named on signal (workspace_id, name, seq) where run_id is null');
    this.addSql(`
      create index signal_taken on signal (run_id, path) where run_id is not null and delivered_at is null`);
    this.addSql('create index signal_expiry on signal (expires_at)');
  }
}
