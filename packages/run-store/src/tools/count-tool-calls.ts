import type { Orm } from '../entities/orm.ts';

/** Calls that are looked at: the newest of the tool, of all workspaces together. */
export const MOST_CALLS = 5_000;

/** How the calls of a stretch of time went. */
export interface CallCount {
  /** Attempts that were sent; each retry is one. */
  readonly calls: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Their worker was lost: nobody knows how they would have ended. */
  readonly lost: number;
  /** Of those that succeeded, from the intent to the outcome; absent: none did. */
  readonly medianMs?: number;
}

/** Calls of the last 24 hours and of the last 7 days, the former among the latter. */
export interface ToolCalls {
  readonly day: CallCount;
  readonly week: CallCount;
  /** There were more calls than are looked at: these are all since then, as ISO 8601. */
  readonly onlySince?: string;
}

interface Row {
  readonly span: 'day' | 'week';
  readonly calls: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly lost: number;
  readonly median: number | null;
  readonly looked: number;
  readonly oldest: Date | null;
}

/**
 * How calls of a tool went in a workspace, from the intents in the journals; test runs and tries included. Pure tools have no
 * intents, so nothing is counted of them.
 *
 * Indexes: journal_effects, where calls of other tools are passed over without a look at the table, and the primary keys of run and
 * journal. Never reads more than {@link MOST_CALLS} intents, and of each run from the intent up to its outcome.
 */
export async function countToolCalls(
  { pool }: Orm,
  { workspaceId, tool }: { readonly workspaceId: string; readonly tool: string },
): Promise<ToolCalls> {
  const { rows } = await pool.query<Row>(CALLS, [tool, workspaceId, MOST_CALLS]);
  const of = (span: Row['span']) => countOf(rows.find((row) => row.span === span));
  const { looked = 0, oldest = null } = rows[0] ?? {};
  return {
    day: of('day'),
    week: of('week'),
    ...(looked >= MOST_CALLS && oldest && { onlySince: oldest.toISOString() }),
  };
}

const CALLS = `
with sent as (
  select j.run_id, j.seq, j.path, j.attempt, j.at
  from journal j
  where j.type = 'intent.recorded' and j.target = $1 and j.at >= now() - interval '7 days'
  order by j.at desc, j.run_id desc, j.seq desc
  limit $3
), own as (
  select s.at, e.type, extract(epoch from e.at - s.at)::float8 * 1000 as took
  from sent s
  join run r on r.id = s.run_id and r.workspace_id = $2
  left join lateral (
    select o.type, o.at
    from journal o
    where o.run_id = s.run_id and o.seq > s.seq and o.path = s.path and o.attempt = s.attempt
      and o.type in ('outcome.succeeded', 'outcome.failed', 'attempt.lost')
    order by o.seq
    limit 1) e on true
)
select span.name as span, count(o.at)::int as calls,
  (count(*) filter (where o.type = 'outcome.succeeded'))::int as succeeded,
  (count(*) filter (where o.type = 'outcome.failed'))::int as failed,
  (count(*) filter (where o.type = 'attempt.lost'))::int as lost,
  percentile_cont(0.5) within group (order by o.took) filter (where o.type = 'outcome.succeeded') as median,
  (select count(*)::int from sent) as looked,
  (select min(at) from sent) as oldest
from (values ('day', interval '1 day'), ('week', interval '7 days')) as span (name, length)
left join own o on o.at >= now() - span.length
group by span.name`;

const NONE = { calls: 0, succeeded: 0, failed: 0, lost: 0 } as const satisfies CallCount;

function countOf(row: Row | undefined): CallCount {
  if (!row) return NONE;
  const { calls, succeeded, failed, lost, median } = row;
  return { calls, succeeded, failed, lost, ...(median !== null && { medianMs: Math.round(median) }) };
}
