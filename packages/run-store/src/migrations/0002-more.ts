import { Migration } from '@mikro-orm/migrations';

/** A column each for the facts that few runs and few node runs have. */
export class MoreMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql('alter table run add column more json');
    this.addSql('alter table node_run add column more json');
  }
}
