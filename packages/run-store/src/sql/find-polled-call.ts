import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';

const statement: Statement = {
  name: 'find-polled-call',
  text: `
select n.intent_seq as "intentSeq", (n.more->>'polling')::int as "acceptedSeq"
from node_run n
where n.run_id = $1 and n.path = $2 and n.status = 'waiting' and n.intent_seq is not null and n.more->>'polling' is not null`,
};

/** A call that its service took, by places of the journal. */
export interface PolledCall {
  readonly intentSeq: number;
  /** Of the event that says that the service took it. */
  readonly acceptedSeq: number;
}

/** The call of a node run whose tool is asked how it stands; undefined when it is not (any more). Index: node_run's primary key. */
export async function findPolledCall(
  pool: HotPool,
  runId: string,
  path: string,
): Promise<PolledCall | undefined> {
  const [row] = await runStatement<PolledCall>(pool, statement, [runId, path]);
  return row;
}
