import { Migration } from '@mikro-orm/migrations';

/** Flows that nobody drew and no list shows: runs that are no run of a flow stand under them. */
export class HiddenFlowsMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql('alter table flow add column is_hidden boolean not null default false');
  }
}
