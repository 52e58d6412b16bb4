import { nodesCalling } from '@pawl/dag-core';
import type { Orm } from '../entities/orm.ts';

/** Flows that are named at most; more are told of as more. */
export const MOST_USERS = 100;

/** A flow that calls a tool: in its draft, in the version that starts run, or in both. Nodes by id, inner ones included. */
export interface ToolUser {
  readonly flow: string;
  readonly title?: string;
  readonly draft?: readonly string[];
  readonly published?: {
    readonly version: string;
    readonly number: number;
    readonly nodes: readonly string[];
  };
}

interface Row {
  readonly name: string;
  readonly title: string | null;
  readonly draft: string | null;
  readonly version: string | null;
  readonly number: number | null;
  readonly document: string | null;
}

/**
 * The flows of a workspace that call a tool, by name. Indexes: flow_calls, flow_version_calls; the documents that these find
 * are read, at most {@link MOST_USERS} flows of them.
 *
 * @param tool `<name>@<version>`
 */
export async function findToolUsers(
  { pool }: Orm,
  { workspaceId, tool }: { readonly workspaceId: string; readonly tool: string },
): Promise<{ readonly flows: readonly ToolUser[]; readonly isCut: boolean }> {
  const { rows } = await pool.query<Row>(USERS, [workspaceId, `${workspaceId}/${tool}`, MOST_USERS + 1]);
  const flows = rows.slice(0, MOST_USERS).map((row) => userOf(row, tool));
  return {
    flows: flows.filter(({ draft, published }) => draft ?? published),
    isCut: rows.length > MOST_USERS,
  };
}

const USERS = `
with found as (
  select f.id, f.draft::text as draft, null as version, null::int as number, null as document
  from flow f
  where called_tools(f.workspace_id, f.draft) @> array[$2]
  union all
  select f.id, null, v.id, v.number, v.document::text
  from flow_version v
  join flow f on f.id = v.flow_id and f.published_version_id = v.id
  where v.number is not null and called_tools(v.workspace_id, v.document) @> array[$2]
)
select f.name, f.title, max(found.draft) as draft, max(found.version) as version, max(found.number) as number,
  max(found.document) as document
from found
join flow f on f.id = found.id
where f.workspace_id = $1
group by f.name, f.title
order by f.name
limit $3`;

function userOf({ name, title, draft, version, number, document }: Row, tool: string): ToolUser {
  const calling = (text: string | null) => (text === null ? [] : nodesCalling(JSON.parse(text), tool));
  const drawn = calling(draft);
  const nodes = calling(document);
  return {
    flow: name,
    ...(title !== null && { title }),
    ...(drawn.length > 0 && { draft: drawn }),
    ...(nodes.length > 0 && { published: { version: version!, number: number!, nodes } }),
  };
}
