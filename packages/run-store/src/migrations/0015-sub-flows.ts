import { Migration } from '@mikro-orm/migrations';

/**
 * Runs of sub-flows, and the words that runs have for each other. A word is written with what causes it and told to the other run
 * in a later commit; the newest word of one run to another says all that the earlier ones did, so one row is enough.
 */
export class SubFlowsMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql('alter table run add column parent_run_id uuid');
    this.addSql(`
      create index run_by_parent on run (parent_run_id, id) where parent_run_id is not null`);
    this.addSql(`
      create table word (
        to_run_id uuid not null,
        from_run_id uuid not null,
        path text collate "C" not null,
        seq int not null,
        is_up boolean not null,
        said json not null,
        said_at timestamptz not null,
        primary key (to_run_id, from_run_id)
      ) with (fillfactor = 70)`);
    this.addSql('create index word_said on word (said_at)');
  }
}
