import { Migration } from '@mikro-orm/migrations';

/**
 * What waits: questions to people, oldest first.
 */
export class WaitsMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      create index node_run_inbox on node_run (status_at, run_id, path)
      where status = 'uncertain' or (status = 'waiting' and reason in ('failure', 'approval'))`);
  }
}
