// Would catch: rows that are written twice because a worker died between the commit of the database and its own.
import pg from 'pg';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { askDatabase } from '../support/ask-database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { endOf } from '../support/run-to-end.ts';
import { SHORT_TIMES } from '../support/start-faulty.ts';
import { startFlow } from '../support/watch-run.ts';

/** Held while the tool is to wait inside its transaction. */
const GATE = 20_162;

describe.each(['postgres', 'redis'] as const)('sql.upsert, queue on %s', (queue) => {
  let pawl: Pawl | undefined;
  let shop: TestDatabase | undefined;
  let admin: pg.Client | undefined;
  let blocker: pg.Client | undefined;
  afterEach(async () => {
    await blocker?.end();
    await pawl?.stop();
    await admin?.end();
    await shop?.drop();
  });

  it.skipIf(queue === 'redis' && !inject('redisUrl'))(
    'V2 V4: when the worker dies after the rows are written and before that is recorded, they are written once',
    async () => {
      shop = await createTestDatabase();
      admin = new pg.Client({ connectionString: shop.url });
      await admin.connect();
      await admin.query(`
        create table visit (id int generated always as identity, who text);
        create function hold() returns trigger language plpgsql as
          $$ begin perform pg_advisory_xact_lock_shared(${GATE}); return new; end $$;
        create trigger hold before insert on visit for each row execute function hold();
        select pg_advisory_lock(${GATE})`);
      pawl = await startPawl({ queue, env: { ...SHORT_TIMES, PAWL_SQL_SHOP: shop.url } });
      const args = {
        connection: 'shop',
        table: 'visit',
        rows: [{ who: '{{ input.who }}' }],
        returning: ['id', 'who'],
      };
      const runId = await startFlow(
        pawl,
        [{ id: 'write', kind: 'tool', tool: 'sql.upsert@1', args } as never],
        {
          start: { who: 'ana' },
        },
      );
      const waiting = `select 1 from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted`;
      await expect.poll(async () => (await admin!.query(waiting)).rowCount, { timeout: 30_000 }).toBe(1);

      // From here on the outcome cannot be recorded: its run is locked.
      blocker = new pg.Client({ connectionString: pawl.databaseUrl });
      await blocker.connect();
      await blocker.query('begin');
      await blocker.query('select 1 from run where id = $1 for update', [runId]);
      await admin.query(`select pg_advisory_unlock(${GATE})`);
      const written = async () => (await admin!.query('select key from pawl_effect')).rows;
      await expect.poll(written, { timeout: 30_000 }).toEqual([{ key: `${runId}:write:0` }]);
      pawl.workers[0]!.kill('SIGKILL');
      await pawl.workers[0]!.ended;
      await askDatabase(
        pawl,
        `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      await blocker.query('rollback');
      await pawl.startWorker();

      const { run, events } = await endOf(pawl, runId);
      expect(run).toMatchObject({
        status: 'succeeded',
        output: { write: { written: 1, rows: [{ id: 1, who: 'ana' }] } },
      });
      expect(events.filter(({ type }) => type === 'attempt.lost')).toHaveLength(1);
      expect((await admin.query('select id, who from visit')).rows).toEqual([{ id: 1, who: 'ana' }]);
      expect(await pawl.rowsEqualFold()).toEqual([]);
      // What is recorded names the database and does not say where it is.
      expect(JSON.stringify(events)).toContain('"connection":"shop"');
      expect(JSON.stringify(events)).not.toContain(shop.name);
    },
  );
});
