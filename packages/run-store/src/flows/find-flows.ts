import { type FlowDocument, type FoundFlow, flowRefsIn, parseFlowRef, toolsIn } from '@pawl/dag-core';
import type { Orm } from '../entities/orm.ts';

/**
 * What the `flow` nodes of a document name, looked up in its workspace (V14): each as it is written, with the version that it means
 * now. A document without such nodes costs nothing. Relies on flow (workspace_id, name) and flow_version (flow_id, number).
 *
 * @param document as it came; may be unfinished
 */
export async function findFlows(
  orm: Orm,
  workspaceId: string,
  document: unknown,
): Promise<Map<string, FoundFlow>> {
  const refs = flowRefsIn(document);
  if (refs.length === 0) return new Map();
  const wanted = refs.map((ref) => parseFlowRef(ref)!);
  const { rows } = await orm.pool.query<{
    place: number;
    is_flow: boolean;
    id: string | null;
    document: string | null;
  }>(
    `select x.place::int as place, f.id is not null as is_flow, v.id, v.document::text as document
     from unnest($2::text[], $3::text[], $4::int[]) with ordinality as x(name, version_id, number, place)
     left join flow f on f.workspace_id = $1 and f.name = x.name
     left join flow_version v on v.flow_id = f.id and v.number is not null
       and case when x.number is not null then v.number = x.number else v.id = coalesce(x.version_id, f.published_version_id) end`,
    [
      workspaceId,
      wanted.map(({ name }) => name),
      wanted.map(({ version }) => (typeof version === 'object' && 'id' in version ? version.id : null)),
      wanted.map(({ version }) =>
        typeof version === 'object' && 'number' in version ? version.number : null,
      ),
    ],
  );
  return new Map(
    rows.map(({ place, is_flow, id, document: text }): [string, FoundFlow] => {
      const ref = wanted[place - 1]!;
      if (!is_flow) return [refs[place - 1]!, { missing: 'flow' }];
      if (id === null || text === null)
        return [refs[place - 1]!, { missing: ref.version === 'latest' ? 'published_version' : 'version' }];
      const document = JSON.parse(text) as FlowDocument;
      const { input } = document;
      const tools = toolsIn(document);
      const runsFlows = flowRefsIn(document).length > 0 && { runsFlows: true as const };
      return [
        refs[place - 1]!,
        { versionId: id, ...(input !== undefined && { input }), tools, ...runsFlows },
      ];
    }),
  );
}
