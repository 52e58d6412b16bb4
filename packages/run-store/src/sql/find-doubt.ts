import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';

const statement: Statement = {
  name: 'find-doubt',
  text: `
select n.intent_seq as "intentSeq", (n.more->>'question')::int as "askedSeq",
  extract(epoch from now() - n.status_at)::float8 * 1000 as "ageMs"
from node_run n
where n.run_id = $1 and n.path = $2 and n.status = 'uncertain' and n.intent_seq is not null`,
};

/** An effect in doubt, by places of the journal. */
export interface Doubt {
  readonly intentSeq: number;
  /** Of the event that says so. */
  readonly askedSeq: number;
  /** Since when, in milliseconds on the database's clock. */
  readonly ageMs: number;
}

/** The doubt about the effect of a node run; undefined when there is none (any more). Index: node_run's primary key. */
export async function findDoubt(pool: HotPool, runId: string, path: string): Promise<Doubt | undefined> {
  const [row] = await runStatement<Doubt>(pool, statement, [runId, path]);
  return row;
}
