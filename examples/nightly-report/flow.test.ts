// Would catch: a night without a report or with two, a digest that is lost or run twice when a worker dies, a remark of another day.
import { expect, test } from 'vitest';
import { effectsOf, withExample } from '../../test/support/example-run.ts';
import { endOf } from '../../test/support/run-to-end.ts';
import { SHORT_TIMES } from '../../test/support/start-faulty.ts';
import { eventOf } from '../../test/support/watch-run.ts';

const FLOW = 'nightly-report';
const DOCUMENTS = 'examples/nightly-report/documents';

test('when a worker dies in the middle of the night, there is one digest, a draft, and the report with the remark of its day', () =>
  withExample({ name: FLOW, workers: 2, env: SHORT_TIMES }, async ({ client, workers, readWritten }) => {
    await client.createSchedule({
      body: {
        name: 'nightly',
        flow: FLOW,
        cron: '30 2 * * *',
        enabled: false,
        input: { documents: DOCUMENTS, day: '{{ schedule.date }}' },
      },
    });
    const until = new Date();
    const from = new Date(until.getTime() - 86_400_000);
    await client.backfillSchedule({
      params: { schedule: 'nightly' },
      body: { from: from.toISOString(), until: until.toISOString() },
    });
    const slot = async () =>
      (await client.listSlots({ params: { schedule: 'nightly' }, query: {} })).items[0];
    await expect.poll(async () => (await slot())?.runId, { timeout: 60_000 }).toBeDefined();
    const { runId, slot: night } = (await slot())!;
    const day = night.slice(0, 10);

    const started = await eventOf({ client }, runId!, 'flow.started');
    await eventOf(
      { client },
      started.data.runId,
      'outcome.succeeded',
      ({ data }) => data.answer !== undefined,
    );
    workers[0]!.kill('SIGKILL');

    await eventOf({ client }, runId!, 'nodeRun.waiting', ({ path }) => path === 'review');
    await client.sendSignal({
      body: { name: 'report-reviewed', key: 'another-day', payload: { remark: 'No.' } },
    });
    await client.sendSignal({ body: { name: 'report-reviewed', key: day, payload: { remark: 'Good.' } } });
    const { run, events } = await endOf({ client }, runId!);
    expect(run.status, JSON.stringify(run.failure ?? run.waitingFor)).toBe('succeeded');
    expect(run.output).toMatchObject({ review: 'Reviewed: Good.', documents: 4, report: { version: 2 } });

    const below = await client.listRuns({ query: { parent: runId! } });
    expect(below.items).toMatchObject([{ flow: 'document-digest', status: 'succeeded' }]);
    expect(run.budget.spent).toEqual(below.items[0]!.budget.spent);
    const { items } = await client.listArtifacts({ params: { runId: runId! } });
    const versions = items.filter(({ name }) => name === 'report.md').map(({ version }) => version);
    expect(versions.sort()).toEqual([1, 2]);
    const report = await readWritten(`nightly-${day}.md`);
    expect(report).toContain(`> ${day}. Reviewed: Good.`);
    expect(report).toContain(`Report of ${day}`);
    for (const node of ['draft', 'publish', 'save'])
      expect({ node, ...effectsOf(events, node) }).toMatchObject({
        node,
        keys: new Set([expect.any(String)]),
        successes: 1,
      });
  }));
