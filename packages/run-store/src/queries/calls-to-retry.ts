import type { EffectClass } from '@pawl/dag-core';
import type { Orm } from '../entities/orm.ts';

/** Calls that trying runs again would make: of what, with which class, and how many. */
export interface CallsToRetry {
  /** `<tool>@<version>` or `<provider>:<model>`; of what sends nothing the kind of the node. */
  readonly target: string;
  readonly effect: EffectClass | 'model';
  readonly count: number;
}

/**
 * What failed in these runs and waits for a person, by what it would call. Indexes: the primary keys of node_run and journal. An intent
 * with an escape that `json` cannot be read with counts as its node.
 */
export async function callsToRetry(orm: Orm, runIds: readonly string[]): Promise<readonly CallsToRetry[]> {
  if (runIds.length === 0) return [];
  const { rows } = await orm.pool.query<CallsToRetry>(
    `select coalesce(
         case when j.data::text !~* '\\\\u(0000|d[89a-f])' then j.data->>'target' end,
         case when j.seq is null then n.kind else n.node_id end
       ) as target,
       coalesce(n.effect, case when j.seq is null then 'pure' else 'non_repeatable' end) as effect,
       count(*)::int as count
     from node_run n left join journal j on j.run_id = n.run_id and j.seq = n.intent_seq
     where n.run_id = any ($1::uuid[]) and n.status = 'waiting' and n.reason = 'failure'
     group by 1, 2
     order by 2, 1`,
    [runIds],
  );
  return rows;
}
