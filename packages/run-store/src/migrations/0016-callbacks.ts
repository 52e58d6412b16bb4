import { Migration } from '@mikro-orm/migrations';

/** The key that addresses of callbacks are signed with; made once, in the database, so that every process has the same. */
export class CallbacksMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql('create table signing_key (name text primary key, key bytea not null)');
    this.addSql(`
      insert into signing_key (name, key)
      values ('callback', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'))`);
  }
}
