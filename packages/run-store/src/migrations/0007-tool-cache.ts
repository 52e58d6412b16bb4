import { Migration } from '@mikro-orm/migrations';

/** What pure tools gave, by workspace, tool and arguments (semantics §3, "cached"). */
export class ToolCacheMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
create table tool_cache (
  workspace_id uuid not null,
  tool text not null,
  args_hash text not null,
  output json not null,
  kept_at timestamptz not null,
  fresh_until timestamptz not null,
  primary key (workspace_id, tool, args_hash)
)`);
  }
}
