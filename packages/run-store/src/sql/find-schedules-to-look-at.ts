import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';

/** Milliseconds that an engine has to start the runs of slots it took, before others look after them. */
export const STARTING_MS = 2_000;

const statement: Statement = {
  name: 'find-schedules-to-look-at',
  text: `
select
  (select coalesce(json_agg(id), '[]') from (
    select s.id from schedule s where s.fire_at <= now() order by s.fire_at limit $1
  ) d) as due,
  (select coalesce(json_agg(id), '[]') from (
    select distinct w.schedule_id as id from schedule_slot w
    where w.state in ('queued', 'starting') and (w.look_at is null or w.look_at <= now()) limit $1
  ) q) as waiting,
  (extract(epoch from least(
    (select min(s.fire_at) from schedule s where s.fire_at > now()),
    (select min(w.look_at) from schedule_slot w where w.state in ('queued', 'starting') and w.look_at > now())
  ) - now()) * 1000)::float8 as "inMs"`,
};

/** Schedules that need a look: ids, and milliseconds until the next will. */
export interface SchedulesToLookAt {
  /** Their next slot is due; the longest due first. */
  readonly due: readonly string[];
  /** A slot waits for its run, or was left by an engine that died. */
  readonly waiting: readonly string[];
  readonly inMs: number | null;
}

/** Indexes: schedule_due, schedule_slot_look. */
export async function findSchedulesToLookAt(pool: HotPool, limit: number): Promise<SchedulesToLookAt> {
  const [row] = await runStatement<SchedulesToLookAt>(pool, statement, [limit]);
  return row!;
}
