import type { NodeRunMore } from '@pawl/dag-core';
import type { Pool } from 'pg';

/** A node run whose question is open. */
export interface OpenQuestion {
  readonly runId: string;
  readonly flow: string;
  readonly path: string;
  readonly nodeId: string;
  readonly nodeKind: string;
  /** Journal position of the event that asked. */
  readonly seq: number;
  readonly intentSeq?: number;
  /** Since when, as the database writes it: exact, for the next page. */
  readonly since: string;
}

/** Which open questions are looked for. */
export interface QuestionFilter {
  readonly workspaceId: string;
  readonly kind?: readonly ('approval' | 'uncertain' | 'failure')[];
  readonly flow?: string;
  readonly runId?: string;
  readonly path?: string;
  readonly after?: { readonly since: string; readonly runId: string; readonly path: string };
  readonly limit: number;
}

/** Open questions, oldest first; not those about which a tool is being asked (T20). Index: node_run_inbox, which holds nothing else. */
export async function findQuestions(pool: Pool, filter: QuestionFilter): Promise<OpenQuestion[]> {
  const { workspaceId, kind, flow, runId, path, after, limit } = filter;
  const { rows } = await pool.query<OpenQuestion & { more: NodeRunMore; intentSeq: number | null }>(
    `select n.run_id as "runId", r.flow_name as flow, n.path, n.node_id as "nodeId", n.kind as "nodeKind", n.more,
       n.intent_seq as "intentSeq", n.status_at::text as since
     from node_run n join run r on r.id = n.run_id
     where (n.status = 'uncertain' or (n.status = 'waiting' and n.reason in ('failure', 'approval')))
       and n.more->>'probing' is null
       and r.workspace_id = $1
       and ($2::text[] is null or case when n.status = 'uncertain' then 'uncertain' else n.reason end = any ($2))
       and ($3::text is null or r.flow_name = $3)
       and ($4::uuid is null or n.run_id = $4)
       and ($5::timestamptz is null or (n.status_at, n.run_id, n.path) > ($5, $6::uuid, $7::text))
       and ($9::text is null or n.path = $9)
     order by n.status_at, n.run_id, n.path
     limit $8`,
    [
      workspaceId,
      kind ?? null,
      flow ?? null,
      runId ?? null,
      after?.since ?? null,
      after?.runId ?? null,
      after?.path ?? null,
      limit,
      path ?? null,
    ],
  );
  return rows.map(({ more, intentSeq, ...row }) => ({
    ...row,
    seq: more.question!,
    ...(intentSeq !== null && { intentSeq }),
  }));
}
