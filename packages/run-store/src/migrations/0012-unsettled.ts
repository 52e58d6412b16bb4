import { Migration } from '@mikro-orm/migrations';

/** Node runs that wait for a decision are found, and counted, without looking at any other. */
export class UnsettledMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `create index node_run_unsettled on node_run (run_id) where status in ('uncertain', 'blocked')`,
    );
  }
}
