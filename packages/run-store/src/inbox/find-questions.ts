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
  /** Names of who asks: only what is not for others. */
  readonly forNames?: readonly string[];
  readonly after?: { readonly since: string; readonly runId: string; readonly path: string };
  readonly limit: number;
}

/**
 * Parameters: $1 workspace, $2 kinds, $3 flow, $4 run, $5 path, $6 names of who asks. Who is asked is told by the event that asks
 * alone; a journal entry with an escape that `json` cannot be read with is looked through as text.
 */
const OPEN_QUESTIONS = `
     from node_run n join run r on r.id = n.run_id
     where (n.status = 'uncertain' or (n.status = 'waiting' and n.reason in ('failure', 'approval')))
       and n.more->>'probing' is null
       and r.workspace_id = $1
       and ($2::text[] is null or case when n.status = 'uncertain' then 'uncertain' else n.reason end = any ($2))
       and ($3::text is null or r.flow_name = $3)
       and ($4::uuid is null or n.run_id = $4)
       and ($5::text is null or n.path = $5)
       and ($6::text[] is null or n.reason is distinct from 'approval' or exists (
         select 1 from journal j
         where j.run_id = n.run_id and j.seq = (n.more->>'question')::int
           and case when j.data::text ~* '\\\\u(0000|d[89a-f])'
             then strpos(j.data::text, '"who":') = 0
               or exists (select 1 from unnest($6) as own(name) where strpos(j.data::text, to_json(own.name)::text) > 0)
             else j.data->'who' is null
               or exists (select 1 from json_array_elements_text(j.data->'who') as asked(name) where asked.name = any ($6))
             end))`;

const valuesOf = ({
  workspaceId,
  kind,
  flow,
  runId,
  path,
  forNames,
}: Omit<QuestionFilter, 'after' | 'limit'>) => [
  workspaceId,
  kind ?? null,
  flow ?? null,
  runId ?? null,
  path ?? null,
  forNames ?? null,
];

/** How many questions are open, counted up to `most`. Index: node_run_inbox. */
export async function countQuestions(
  pool: Pool,
  filter: Omit<QuestionFilter, 'after' | 'limit'>,
  most: number,
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from (select 1 ${OPEN_QUESTIONS} limit $7) as open`,
    [...valuesOf(filter), most],
  );
  return rows[0]!.count;
}

/** Open questions, oldest first; not those about which a tool is being asked (T20). Index: node_run_inbox, which holds nothing else. */
export async function findQuestions(pool: Pool, filter: QuestionFilter): Promise<OpenQuestion[]> {
  const { after, limit } = filter;
  const { rows } = await pool.query<OpenQuestion & { more: NodeRunMore; intentSeq: number | null }>(
    `select n.run_id as "runId", r.flow_name as flow, n.path, n.node_id as "nodeId", n.kind as "nodeKind", n.more,
       n.intent_seq as "intentSeq", n.status_at::text as since
     ${OPEN_QUESTIONS}
       and ($7::timestamptz is null or (n.status_at, n.run_id, n.path) > ($7, $8::uuid, $9::text))
     order by n.status_at, n.run_id, n.path
     limit $10`,
    [...valuesOf(filter), after?.since ?? null, after?.runId ?? null, after?.path ?? null, limit],
  );
  return rows.map(({ more, intentSeq, ...row }) => ({
    ...row,
    seq: more.question!,
    ...(intentSeq !== null && { intentSeq }),
  }));
}
