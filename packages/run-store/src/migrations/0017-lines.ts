import { Migration } from '@mikro-orm/migrations';

/**
 * Lines of ready node runs: who stands in one is not rung for until whoever keeps the line says so. What waits longest in its
 * workspace comes first; a limit says when its line is looked at next. Nobody parks doorbells any more.
 */
export class LinesMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql('drop table parked_bell');
    this.addSql('alter table limit_line drop column woken_at, add column pool text');
    this.addSql('create index limit_line_waiting on limit_line (key, workspace_id, priority, since)');
    this.addSql('alter table call_limit add column wake_at timestamptz');
    this.addSql('create index call_limit_wake on call_limit (wake_at) where wake_at is not null');
    this.addSql('alter table permit alter column worker_id drop not null');
  }
}
