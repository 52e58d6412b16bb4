import { Migration } from '@mikro-orm/migrations';

/** The time a flow gives its runs, and flows that start none for now. */
export class PausingMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql('alter table run add column times_out_at timestamptz');
    this.addSql('alter table flow add column paused_at timestamptz, add column paused_by text');
  }
}
