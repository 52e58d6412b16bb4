import { Migration } from '@mikro-orm/migrations';
import { CONTENT_AND_EFFECTS } from './0013-content-and-effects.sql.ts';

/** Content that is held by what needs it, and what the effect log and retention need. */
export class ContentAndEffectsMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql(CONTENT_AND_EFFECTS);
  }
}
