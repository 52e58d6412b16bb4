// Would catch: workers that each keep to a limit and together pass it, a node run that waits for its turn and is forgotten or counts it
// as a try, a provider that asked to be left alone and is called by the next worker (L3, L4, L9, C67, C68).
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backends } from '../support/backends.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../support/fake-openai.ts';
import { type JobService, startJobService } from '../support/job-service.ts';
import { gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { LEDGER_TOOLS, type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, nodeRunsOf, startFlow } from '../support/watch-run.ts';

describe.each(backends)('limits of calls, queue on %s', (queue) => {
  let model: FakeOpenAi;
  let service: JobService;
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    model = await startFakeOpenAi();
    service = await startJobService();
    const fake = { baseUrl: model.baseUrl, apiKey: 'test-key' };
    pawl = await startWithLedger({
      queue,
      workers: 0,
      env: {
        PAWL_COMPATIBLE: JSON.stringify({ fake }),
        PAWL_LEASE_MS: '15000',
        PAWL_TOOLS: [LEDGER_TOOLS, join(import.meta.dirname, '../support/job-tools.ts')].join(','),
        JOBS_URL: service.url,
      },
    });
    // Workers hear of a change a moment later; what is set before they start they know.
    for (const [tool, concurrency] of [
      ['put', 2],
      ['pure', 2],
      ['reserve', 1],
    ] as const)
      await pawl.client.setLimit({ body: { target: `ledger.${tool}@*`, concurrency } });
    await pawl.client.setLimit({ body: { target: 'job.run@*', concurrency: 1 } });
    await Promise.all([pawl.startWorker(), pawl.startWorker()]);
  });
  afterAll(async () => {
    await pawl?.stop();
    await model?.close();
    await service?.close();
  });

  const each = (count: number, tool: string) => ({
    id: 'each',
    kind: 'map' as const,
    over: `{{ [1..${count}] }}`,
    concurrency: count,
    body: { nodes: [call('one', tool, { retry: { maxAttempts: 1 } })], edges: [] },
    output: '{{ nodes.one.output.nonce }}',
  });

  /** V15: they say so, and none has used an attempt. */
  async function seeWaiting(runId: string, count: number) {
    const waiting = async () => (await pawl.client.listLimits({})).items.map((limit) => limit.waiting);
    await expect.poll(waiting).toContain(count);
    const nodes = Object.values(await nodeRunsOf(pawl, runId)).filter(
      ({ waitingFor }) => waitingFor?.kind === 'limit',
    );
    expect(nodes.map(({ attempt }) => attempt)).toEqual(Array(count).fill(0));
  }

  it('L3 T23: to ask how a call stands is a call, too', async () => {
    const order = (): Promise<string> => {
      const args = { deadlineMs: 3_600_000, pollEveryMs: 50 };
      return startFlow(pawl, [{ id: 'job', kind: 'tool', tool: 'job.run@1', args }]);
    };
    const held = gate();
    service.script({ hold: held.opened });
    const first = await order();
    const job = await service.taken(first);
    await service.looked(job, 1);
    const second = await order();
    await seeWaiting(second, 1);
    expect(service.of(second)).toEqual([]);
    const done = { state: 'done', result: { id: 'r' } } as const;
    service.end(job, done);
    held.open();
    expect((await endOf(pawl, first)).run.status).toBe('succeeded');
    service.end(await service.taken(second), done);
    expect((await endOf(pawl, second)).run.status).toBe('succeeded');
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it.each(['put', 'pure'])(
    'L3: two workers have together no more calls of ledger.%s under way than the limit says',
    async (tool) => {
      const { ledger } = pawl;
      let underWay = 0;
      let most = 0;
      const opened = gate();
      ledger.decideBy((row) => {
        if (row.op !== tool) return undefined;
        underWay += 1;
        most = Math.max(most, underWay);
        const answered = opened.opened.then(() => {
          underWay -= 1;
        });
        return { hold: answered };
      });
      const runId = await startFlow(pawl, [each(12, tool)]);
      // A worker calls pure tools one after the other, so few of them ask at once.
      await ledger.arrived(tool === 'put' ? 2 : 1, { op: tool, key: runId });
      if (tool === 'put') await seeWaiting(runId, 10);
      opened.open();
      const { run } = await endOf(pawl, runId);
      expect(run.status).toBe('succeeded');
      expect(most).toBeLessThanOrEqual(2);
      expect(ledger.of({ op: tool, key: runId })).toHaveLength(12);
      ledger.decideBy(undefined);
      expect(await pawl.rowsEqualFold()).toEqual([]);
    },
  );

  it('V3: what a worker that is killed had leave for is free again when its node runs are', async () => {
    const { client, ledger } = pawl;
    const doomed = await pawl.startWorker({ PAWL_POOLS: 'doomed' });
    ledger.script({ op: 'put' }, { hold: gate().opened });
    const held = await startFlow(pawl, [call('put', 'reserve', { pool: 'doomed' })]);
    await ledger.arrived(1, { op: 'put', key: held });
    const waiting = await startFlow(pawl, [call('put', 'reserve')]);
    await expect.poll(async () => (await nodeRunsOf(pawl, waiting)).put?.waitingFor?.kind).toBe('limit');
    doomed.kill('SIGKILL');
    expect((await endOf(pawl, waiting)).run.status).toBe('succeeded');
    await client.cancelRun({ params: { runId: held }, body: {} });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('L9 C68: when a provider answers 429 to one, everybody leaves the model alone for as long as it asked', async () => {
    const say = (name: string) => ({
      id: 'say',
      kind: 'llm' as const,
      model: `compatible:fake/${name}`,
      prompt: 'Say it.',
    });
    const tired = { status: 429, message: 'slow down', headers: { 'retry-after-ms': '5000' } };
    let isTired = true;
    model.decideBy(({ body }) => {
      if (body.model !== 'm' || !isTired) return undefined;
      isTired = false;
      return tired;
    });
    const first = await startFlow(pawl, [say('m')]);
    const paused = async () =>
      (await pawl.client.listLimits({})).items.filter(({ pausedUntil }) => pausedUntil !== undefined);
    await expect.poll(paused).toMatchObject([{ target: 'compatible:fake/m', scope: 'everybody' }]);
    const [{ pausedUntil } = {}] = await paused();
    const others = await Promise.all([say('m'), say('m'), say('n')].map((node) => startFlow(pawl, [node])));
    const ends = await Promise.all([first, ...others].map((runId) => endOf(pawl, runId)));
    const sentAt = ends.map(
      ({ events }) => events.filter(({ type }) => type === 'intent.recorded').at(-1)!.at,
    );
    expect(ends.map(({ run }) => run.status)).toEqual(Array(4).fill('succeeded'));
    for (const at of sentAt.slice(1, 3)) expect(at).toBeGreaterThanOrEqual(Date.parse(pausedUntil!));
    expect(
      ends.slice(1).flatMap(({ events }) => events.filter(({ type }) => type === 'outcome.failed')),
    ).toEqual([]);
    model.decideBy(undefined);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
