import { Migration } from '@mikro-orm/migrations';
import { TRIGGERS_SCHEMA } from './0011-triggers.sql.ts';

/** Schedules and webhooks. */
export class TriggersMigration extends Migration {
  override up(): void {
    this.addSql(TRIGGERS_SCHEMA);
  }
}
