// Would catch: a workspace whose few runs wait for the whole flood of another.
import { randomUUID } from 'node:crypto';
import { createClient } from '@pawl/api';
import { createKey, openOrm } from '@pawl/run-store';
import { afterEach, describe, expect, it } from 'vitest';
import { askDatabase } from '../support/ask-database.ts';
import { backends } from '../support/backends.ts';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { publishFlow } from '../support/watch-run.ts';

const FLOOD = 2_000;
/** What may be answered before a turn comes: what was rung before the queue was seen to be long, a turn of each, what was fetched. */
const BOUND = 8 * 64 + 2 * 64 + 2 * 64;

describe.each(backends)('a flood of one workspace, queue on %s', (queue) => {
  let pawl: Pawl | undefined;
  afterEach(() => pawl?.stop());

  it('V14: another workspace has its turns: its runs end long before the flood does', async () => {
    pawl = await startPawl({ queue, workers: 0 });
    const other = randomUUID();
    await askDatabase(pawl, "insert into workspace (id, name) values ($1, 'other')", [other]);
    const orm = await openOrm(pawl.databaseUrl);
    const { key } = await createKey(orm, { workspaceId: other, name: 'other', role: 'editor' }).finally(() =>
      orm.close(),
    );
    const theirs = createClient({ baseUrl: pawl.url, apiKey: key });
    const nodes = [{ id: 'only', kind: 'transform' as const, value: 1 }];
    const flow = await publishFlow(pawl, nodes);
    await publishFlow({ client: theirs }, nodes, { name: flow });

    for (let started = 0; started < FLOOD; started += 100)
      await Promise.all(Array.from({ length: 100 }, () => pawl!.client.startRun({ body: { flow } })));
    for (let started = 0; started < 6; started += 1) await theirs.startRun({ body: { flow } });
    await pawl.startWorker();

    await expect
      .poll(
        async () => (await askDatabase(pawl!, 'select 1 from run where finished_at is null limit 1')).length,
      )
      .toBe(0);
    const [place] = await askDatabase(
      pawl,
      `select count(*)::int as before from run
       where workspace_id <> $1 and finished_at < (select max(finished_at) from run where workspace_id = $1)`,
      [other],
    );

    expect(place?.before).toBeLessThanOrEqual(BOUND);
  });
});
