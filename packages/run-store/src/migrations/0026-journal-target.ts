import { Migration } from '@mikro-orm/migrations';

/**
 * What an intent calls becomes a column of the journal, null for all other events: read from the text once, when it is written
 * (docs/performance.md, "What the effect log costs"). One index serves the effect log and the counts of a tool's calls.
 */
export class JournalTargetMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql('alter table journal add column target text');
    this.addSql(`update journal set target = effect_target(data) where type = 'intent.recorded'`);
    this.addSql('drop index journal_calls');
    this.addSql('drop index journal_effects');
    this.addSql(
      `create index journal_effects on journal (at, run_id, seq, target) where type = 'intent.recorded'`,
    );
  }
}
