import { Migration } from '@mikro-orm/migrations';

/**
 * Which flows call a tool, and how its calls went, without reading every document and every journal.
 *
 * - `called_tools`: `<workspace id>/<tool>` for every member `tool` of a document, read as text like `effect_target`, and for the
 *   same reason. Within JSON text a quotation mark is never bare, so what stands in prompts is not mistaken for a member. A
 *   member of that name which is no tool may be among them: who asks looks at the documents that are found.
 * - `journal_calls`: intents of one tool in the order of time.
 */
export class ToolUseMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      create function called_tools(workspace uuid, document json) returns text[] language sql immutable strict parallel safe
      as $$
        select array(
          select distinct workspace::text || '/' || split_part(left(piece, 200), '"', 1)
          from unnest((string_to_array(document::text, '"tool":"'))[2:]) as piece)
      $$`);
    this.addSql('create index flow_calls on flow using gin (called_tools(workspace_id, draft))');
    this.addSql(`
      create index flow_version_calls on flow_version using gin (called_tools(workspace_id, document))
      where number is not null`);
    this.addSql(`
      create index journal_calls on journal (effect_target(data), at) where type = 'intent.recorded'`);
  }
}
