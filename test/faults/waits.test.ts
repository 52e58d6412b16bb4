// Would catch: waits that hold a worker, wake too early, twice or never, or die with the process that set them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backends } from '../support/backends.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, nodeRunsOf, publishFlow, startFlow } from '../support/watch-run.ts';

describe.each(backends)('waits for a time, queue on %s', (queue) => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    // One place only: whatever waits must not hold it.
    pawl = await startWithLedger({ queue, env: { PAWL_CONCURRENCY: '1' } });
  });
  afterAll(() => pawl?.stop());

  it('K14 T13: a wait goes on when its instant has come, not before, and holds no place meanwhile', async () => {
    const flow = await publishFlow(pawl, [
      { id: 'pause', kind: 'wait', for: '{{ input.ms }}' },
      call('put', 'put'),
    ]);
    const start = (ms: number) => pawl.client.startRun({ body: { flow, input: { ms } } });
    const waiting = await Promise.all(Array.from({ length: 20 }, () => start(1_500)));
    await Promise.all(waiting.map(({ runId }) => eventOf(pawl, runId, 'nodeRun.waiting')));
    const { runId: quick } = await start(0);
    expect((await endOf(pawl, quick)).run.status).toBe('succeeded');
    for (const { runId } of waiting) {
      const { run, events } = await endOf(pawl, runId);
      expect(run.status).toBe('succeeded');
      const [wait] = events.filter((event) => event.type === 'nodeRun.waiting');
      const [woken] = events.filter((event) => event.type === 'outcome.succeeded' && event.path === 'pause');
      expect(woken!.at).toBeGreaterThanOrEqual((wait!.data as { wakeAt: number }).wakeAt);
      expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
    }
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V15: a wait of ten years says until when; 2^31 milliseconds are no border', async () => {
    const runId = await startFlow(pawl, [{ id: 'long', kind: 'wait', for: 'P10Y' }]);
    const [wait] = [await eventOf(pawl, runId, 'nodeRun.waiting')];
    const until = new Date(wait.at);
    until.setUTCFullYear(until.getUTCFullYear() + 10);
    const { long } = await nodeRunsOf(pawl, runId);
    expect(long).toMatchObject({
      status: 'waiting',
      waitingFor: { kind: 'timer', until: expect.any(String) },
    });
    expect(Math.abs(Date.parse(long!.waitingFor!.until!) - until.getTime())).toBeLessThan(60_000);
    const run = await pawl.client.getRun({ params: { runId } });
    expect(run).toMatchObject({
      status: 'waiting',
      waitingFor: { kind: 'timer', until: long!.waitingFor!.until },
    });
    // A short timer that is set later still goes first.
    const quick = await startFlow(pawl, [{ id: 'short', kind: 'wait', for: 300 }]);
    expect((await endOf(pawl, quick)).run.status).toBe('succeeded');
    expect((await pawl.client.getRun({ params: { runId } })).status).toBe('waiting');
    await pawl.client.cancelRun({ params: { runId } });
    expect((await endOf(pawl, runId)).run.status).toBe('cancelled');
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('K14: what is no duration fails the node and says what was expected', async () => {
    const runId = await startFlow(pawl, [{ id: 'odd', kind: 'wait', for: '{{ input.long }}' }], {
      start: { long: 'soon' },
    });
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'failed', failure: { code: 'wait_invalid', class: 'permanent' } });
    expect(run.failure!.message).toContain('"soon"');
  });

  it('C50 W3: everything killed while runs wait: after a restart each wakes, once', async () => {
    const flow = await publishFlow(pawl, [
      { id: 'pause', kind: 'wait', for: 2_000 },
      call('charge', 'charge'),
    ]);
    const runs = await Promise.all(Array.from({ length: 5 }, () => pawl.client.startRun({ body: { flow } })));
    await Promise.all(runs.map(({ runId }) => eventOf(pawl, runId, 'nodeRun.waiting')));
    for (const child of [...pawl.engines, ...pawl.workers]) child.kill('SIGKILL');
    await Promise.all([...pawl.engines, ...pawl.workers].map((child) => child.ended));
    pawl.engines.length = 0;
    pawl.workers.length = 0;
    const { port } = new URL(pawl.url);
    await Promise.all([pawl.startEngine({ PAWL_PORT: port }), pawl.startWorker()]);
    for (const { runId } of runs) {
      expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
      expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
    }
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
