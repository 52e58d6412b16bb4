import { isTerminalRun, RUN_STATUSES } from '@pawl/dag-core';
import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';

/** Milliseconds that an engine has to start the runs of slots it took, before others look after them. */
export const STARTING_MS = 2_000;

const MOST_BLOCKERS = 1_000;

const OPEN = RUN_STATUSES.filter((status) => !isTerminalRun(status))
  .map((status) => `'${status}'`)
  .join(', ');

const statement: Statement = {
  name: 'find-schedules-to-look-at',
  text: `
select
  (select coalesce(json_agg(id), '[]') from (
    select s.id from schedule s where s.fire_at <= now() order by s.fire_at limit $1
  ) d) as due,
  (select coalesce(json_agg(id), '[]') from (
    select distinct w.schedule_id as id from schedule_slot w
    cross join lateral (select s.overlap, s.is_enabled from schedule s where s.id = w.schedule_id offset 0) s
    where w.state in ('queued', 'starting') and (w.look_at is null or w.look_at <= now())
      and (w.state = 'starting' or s.overlap in ('allow', 'cancel_other') or not s.is_enabled or not exists (
        select 1 from schedule_slot o join run r on r.id = o.run_id
        where o.schedule_id = w.schedule_id and o.is_open and r.status in (${OPEN})
      ))
    limit $1
  ) q) as waiting,
  (select coalesce(json_agg(run_id), '[]') from (
    select distinct o.run_id from schedule_slot w
    cross join lateral (select o.run_id from schedule_slot o where o.schedule_id = w.schedule_id and o.is_open offset 0) o
    where w.state = 'queued' limit ${MOST_BLOCKERS}
  ) b) as blockers,
  (extract(epoch from least(
    (select min(s.fire_at) from schedule s where s.fire_at > now()),
    (select min(w.look_at) from schedule_slot w where w.state in ('queued', 'starting') and w.look_at > now())
  ) - now()) * 1000)::float8 as "inMs"`,
};

/** Schedules that need a look: ids, and milliseconds until the next will. */
export interface SchedulesToLookAt {
  /** Their next slot is due; the longest due first. */
  readonly due: readonly string[];
  /** A slot waits and may go on, or was left by an engine that died. */
  readonly waiting: readonly string[];
  /** Runs that slots wait for: worth a look when one of them ends. At most a thousand. */
  readonly blockers: readonly string[];
  readonly inMs: number | null;
}

/** Looks up what it names row by row (`offset 0`), so that no plan walks whole tables. Indexes: schedule_due, schedule_slot_look, schedule_slot_open, primary keys. */
export async function findSchedulesToLookAt(pool: HotPool, limit: number): Promise<SchedulesToLookAt> {
  const [row] = await runStatement<SchedulesToLookAt>(pool, statement, [limit]);
  return row!;
}
