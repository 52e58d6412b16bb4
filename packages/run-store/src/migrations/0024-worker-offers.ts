import { Migration } from '@mikro-orm/migrations';

/** What each worker can call, by its own word; the catalogue says what any worker ever offered. */
export class WorkerOffersMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql('alter table worker add column offers json');
  }
}
