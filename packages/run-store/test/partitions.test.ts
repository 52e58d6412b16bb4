// Catches: a month without a partition, a row that two or no partitions claim, retention that takes unfinished work.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dropPartitionsBefore, ensurePartitions, firstIdAt, newRunId } from '../src/index.ts';
import { addMonths, idBounds } from '../src/partitions/month.ts';
import { openTestStore, seedEvent, seedNodeRun, seedRun, type TestStore } from './support/seed.ts';

let store: TestStore;
beforeEach(async () => {
  store = await openTestStore();
});
afterEach(() => store.close());

async function partitionOf(table: string, runId: string): Promise<string | undefined> {
  const key = table === 'run' ? 'id' : 'run_id';
  const { rows } = await store.pool.query(
    `select tableoid::regclass::text as name from ${table} where ${key} = $1`,
    [runId],
  );
  return rows[0]?.name;
}

async function partitions(table = 'run'): Promise<string[]> {
  const { rows } = await store.pool.query(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
    [table],
  );
  return rows.map((row) => row.name);
}

async function seedWholeRun(ms: number, row: Parameters<typeof seedRun>[1] = {}): Promise<string> {
  const id = await seedRun(store.pool, { id: newRunId(ms), created_at: new Date(ms), ...row });
  await seedNodeRun(store.pool, id, { path: 'a' });
  await seedEvent(store.pool, id, { seq: 1, type: 'run.admitted', data: { v: 1 } });
  return id;
}

describe('bounds', () => {
  test('the last id of a month and the first of the next lie in different partitions', async () => {
    await ensurePartitions(store.pool, { now: new Date('2030-03-15T00:00:00Z') });
    const first = Date.UTC(2030, 3, 1);
    expect(await partitionOf('run', await seedWholeRun(first - 1))).toBe('run_p203003');
    expect(await partitionOf('run', await seedRun(store.pool, { id: firstIdAt(first) }))).toBe('run_p203004');
    expect(await partitionOf('journal', await seedWholeRun(first))).toBe('journal_p203004');
  });

  test('months follow one another without a gap across a year', () => {
    for (let count = 0; count < 30; count += 1) {
      const month = addMonths({ year: 2027, month: 11 }, count);
      expect(idBounds(month).to).toBe(idBounds(addMonths(month, 1)).from);
      expect(idBounds(month).from < idBounds(month).to).toBe(true);
    }
  });
});

describe('ensurePartitions', () => {
  test('it makes what is missing, once; ten calls at the same time agree', async () => {
    const now = new Date('2031-12-20T00:00:00Z');
    const made = await Promise.all(Array.from({ length: 10 }, () => ensurePartitions(store.pool, { now })));
    // Each partition is made by one of the ten.
    expect(made.flat().sort()).toEqual(
      ['journal', 'node_run', 'run'].flatMap((table) =>
        ['203111', '203112', '203201', '203202'].map((month) => `${table}_p${month}`),
      ),
    );
    expect(await ensurePartitions(store.pool, { now })).toEqual([]);
    expect(await ensurePartitions(store.pool, { now, monthsAhead: 3 })).toHaveLength(3);
  });

  test('ids of any other time go to the default partition, and move out of it when their month is made', async () => {
    const ms = Date.UTC(2040, 6, 10);
    const early = await seedWholeRun(ms);
    const other = await seedWholeRun(Date.UTC(2045, 0, 1));
    expect(await partitionOf('run', early)).toBe('run_default');
    await ensurePartitions(store.pool, { now: new Date(ms) });
    for (const table of ['run', 'node_run', 'journal']) {
      expect(await partitionOf(table, early)).toBe(`${table}_p204007`);
      expect(await partitionOf(table, other)).toBe(`${table}_default`);
    }
  });

  test('rows that change in place leave room in their pages; the journal does not need any', async () => {
    const { rows } = await store.pool.query(
      "select relname, reloptions from pg_class where relname ~ '_p[0-9]{6}$' and relkind = 'r'",
    );
    expect(rows.length).toBeGreaterThanOrEqual(12);
    for (const row of rows) {
      expect(row.reloptions).toEqual([`fillfactor=${row.relname.startsWith('journal') ? 100 : 70}`]);
    }
  });

  test('every partition carries every index of its parent', async () => {
    await ensurePartitions(store.pool, { now: new Date('2033-01-01T00:00:00Z') });
    const { rows } = await store.pool.query(`
      select parent.relname as parent, count(*)::int as indexes, count(distinct child.indrelid)::int as tables
      from pg_inherits
      join pg_class parent on parent.oid = inhparent and parent.relkind = 'I'
      join pg_index child on child.indexrelid = inhrelid and child.indisvalid
      group by parent.relname`);
    const tables = (await partitions()).length;
    expect(rows.length).toBeGreaterThanOrEqual(7);
    for (const row of rows) expect(row).toMatchObject({ indexes: tables, tables });
  });
});

test('looking up a run, its node runs and its events each touches one partition', async () => {
  const id = await seedWholeRun(Date.now());
  for (const [table, key] of [
    ['run', 'id'],
    ['node_run', 'run_id'],
    ['journal', 'run_id'],
  ] as const) {
    const { rows } = await store.pool.query(
      `explain (format json) select * from ${table} where ${key} = '${id}'`,
    );
    const scanned = JSON.stringify(rows).match(new RegExp(`"Relation Name":"${table}_[^"]+"`, 'g'));
    expect(scanned).toHaveLength(1);
    expect(scanned![0]).toContain(`${table}_p`);
  }
});

describe('dropPartitionsBefore', () => {
  const old = Date.UTC(2020, 1, 10);
  beforeEach(() => ensurePartitions(store.pool, { now: new Date(old), monthsAhead: 1 }));

  test('months that ended are dropped whole; the month of the date and later ones stay', async () => {
    const gone = await seedWholeRun(old, { status: 'succeeded' });
    const stays = await seedWholeRun(Date.UTC(2020, 2, 2), { status: 'failed' });
    const { dropped, kept } = await dropPartitionsBefore(store.pool, new Date('2020-03-31T23:59:59Z'));
    expect([...dropped].sort()).toEqual(
      ['journal', 'node_run', 'run'].flatMap((table) => [`${table}_p202001`, `${table}_p202002`]),
    );
    expect(kept).toEqual([]);
    expect(await partitionOf('run', gone)).toBeUndefined();
    expect(await partitionOf('journal', stays)).toBe('journal_p202003');
    expect(await partitions('journal')).not.toContain('journal_p202002');
  });

  test('a month with an unfinished run stays whole and is named', async () => {
    const open = await seedWholeRun(old, { status: 'paused' });
    await seedWholeRun(old, { status: 'succeeded' });
    const { dropped, kept } = await dropPartitionsBefore(store.pool, new Date('2020-03-01T00:00:00Z'));
    expect([...dropped].sort()).toEqual(['journal_p202001', 'node_run_p202001', 'run_p202001']);
    expect(kept).toEqual([{ month: '202002', openRuns: 1 }]);
    expect(await partitionOf('node_run', open)).toBe('node_run_p202002');
  });

  test('asking twice, or several at once, is harmless', async () => {
    const before = new Date('2020-03-01T00:00:00Z');
    const answers = await Promise.all([1, 2, 3].map(() => dropPartitionsBefore(store.pool, before)));
    expect(answers.flatMap((answer) => answer.dropped)).toHaveLength(6);
  });
});

test('while partitions come and go, writers of several tables and readers of all partitions never fail', async () => {
  let isOver = false;
  let written = 0;
  const write = async () => {
    while (!isOver) {
      const id = await seedWholeRun(Date.now());
      const client = await store.pool.connect();
      try {
        // Other than run first, and one statement that no partition can be left out of.
        await client.query('begin');
        await client.query('update journal set attempt = attempt + 1 where run_id = $1', [id]);
        await client.query("update node_run set tokens = tokens + 1 where status = 'ready' and run_id = $1", [
          id,
        ]);
        await client.query("update node_run set tokens = tokens where status = 'waiting'");
        await client.query('update run set next_seq = next_seq + 1 where id = $1', [id]);
        await client.query('commit');
        written += 1;
      } finally {
        await client.query('rollback');
        client.release();
      }
    }
  };
  const writers = [write(), write(), write()];
  try {
    for (let year = 2001; year < 2004; year += 1) {
      expect(await ensurePartitions(store.pool, { now: new Date(Date.UTC(year, 5, 1)) })).toHaveLength(12);
      const { dropped } = await dropPartitionsBefore(store.pool, new Date(Date.UTC(year, 7, 1)));
      expect(dropped.length).toBeGreaterThan(0);
    }
  } finally {
    isOver = true;
    await Promise.all(writers);
  }
  expect(written).toBeGreaterThan(0);
});
