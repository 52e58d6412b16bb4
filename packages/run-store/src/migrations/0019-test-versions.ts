import { Migration } from '@mikro-orm/migrations';

/** What a test run runs is kept beside the versions of its flow, without a number: it is never published. */
export class TestVersionsMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql('alter table flow_version alter column number drop not null');
  }
}
