// Would catch: a worker that is held while a service works, a journal that grows with every question, a job that is ordered twice or
// forgotten because a worker died between two questions, during one, or beside a callback.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backends } from '../support/backends.ts';
import { type Job, type JobService, startJobService } from '../support/job-service.ts';
import { gate } from '../support/ledger.ts';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { endOf } from '../support/run-to-end.ts';
import { SHORT_TIMES } from '../support/start-faulty.ts';
import { eventOf, journalOf, nodeRunsOf, startFlow } from '../support/watch-run.ts';

const HOUR_MS = 3_600_000;

describe.each(backends)('calls whose tool is asked how they stand, queue on %s', (queue) => {
  let service: JobService;
  let pawl: Pawl;
  beforeAll(async () => {
    service = await startJobService();
    const tools = {
      PAWL_TOOLS: join(import.meta.dirname, '../support/job-tools.ts'),
      JOBS_URL: service.url,
    };
    pawl = await startPawl({
      queue,
      env: { ...SHORT_TIMES, ...tools, PAWL_CONCURRENCY: '1', PAWL_CANCEL_GRACE_MS: '20000' },
    });
  });
  afterAll(async () => {
    await pawl?.stop();
    await service?.close();
  });

  async function order(
    args: { deadlineMs?: number; pollEveryMs?: number } = {},
    tool = 'run',
  ): Promise<{ runId: string; job: Job }> {
    const runId = await startFlow(pawl, [
      {
        id: 'job',
        kind: 'tool',
        tool: `job.${tool}@1`,
        args: { what: 17, deadlineMs: HOUR_MS, pollEveryMs: 20, ...args },
        retry: { initialMs: 1 },
      },
      { id: 'after', kind: 'transform', value: '{{ nodes.job.output }}' },
    ]);
    const job = await service.taken(runId);
    return { runId, job };
  }
  const accepted = (runId: string) =>
    eventOf(pawl, runId, 'nodeRun.waiting', ({ data }) => data.reason === 'callback');
  const done = (id: string) => ({ state: 'done', result: { id } }) as const;
  const callBack = async ({ callback }: Job, id: string) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ result: { id } });
    return (await fetch(callback, { method: 'POST', headers, body })).status;
  };

  it('T23: no worker is held between, "not yet" leaves no event, and rows follow the journal all the while', async () => {
    const { runId, job } = await order();
    await service.looked(job, 3);
    const other = await startFlow(pawl, [{ id: 'a', kind: 'transform', value: 1 }]);
    expect((await endOf(pawl, other)).run.status, 'the only place of the only worker is free').toBe(
      'succeeded',
    );
    const { job: called, 'job/poll-1': poll } = await nodeRunsOf(pawl, runId);
    expect(called!.waitingFor).toMatchObject({ kind: 'callback', detail: { polled: true } });
    expect(poll).toMatchObject({ kind: 'poll', waitingFor: expect.anything() });
    expect((await pawl.client.getRun({ params: { runId } })).status).toBe('waiting');
    expect(await pawl.rowsEqualFold()).toEqual([]);
    const before = (await journalOf(pawl, runId)).map(({ type }) => type);
    expect(before).toEqual(['run.admitted', 'intent.recorded', 'nodeRun.waiting']);
    service.script({ status: 503 });
    await service.looked(job, job.looks + 2);
    service.end(job, done('r-1'));
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { after: { id: 'r-1' } } });
    expect(events.slice(3, 5)).toMatchObject([
      { type: 'poll.answered', path: 'job/poll-1', data: { says: 'done' } },
      { type: 'outcome.succeeded', path: 'job', attempt: 1 },
    ]);
    expect(job.orders).toBe(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('T23: killed between acceptance and poll: another worker asks', async () => {
    const { runId, job } = await order({ pollEveryMs: 3_000 });
    await accepted(runId);
    await pawl.replaceWorkers();
    service.end(job, done('r-2'));
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { after: { id: 'r-2' } } });
    expect(events.map(({ type }) => type)).not.toContain('attempt.lost');
    expect([job.orders, job.looks]).toEqual([1, 1]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('T23: killed while it asks: it is asked again', async () => {
    const held = gate();
    const { runId, job } = await order({ pollEveryMs: 500 });
    service.script({ hold: held.opened });
    await service.looked(job, 1);
    // Before the new worker is there: it may ask as soon as it is.
    service.end(job, done('r-3'));
    await pawl.replaceWorkers();
    const { run, events } = await endOf(pawl, runId);
    held.open();
    expect(run).toMatchObject({ status: 'succeeded', output: { after: { id: 'r-3' } } });
    expect(events.filter(({ type }) => type === 'attempt.lost').map(({ path }) => path)).toEqual([
      'job/poll-1',
    ]);
    expect([job.orders, job.looks]).toEqual([1, 2]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('T23: at the deadline it is asked one last time, and what it says counts', async () => {
    const { runId, job } = await order({ deadlineMs: 400, pollEveryMs: HOUR_MS });
    service.end(job, done('r-4'));
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { after: { id: 'r-4' } } });
    expect(events.map(({ type }) => type)).toContain('poll.lastAsked');
    expect([job.orders, job.looks]).toEqual([1, 1]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('T23 V5: "not yet" at the deadline: one that must not be repeated is in doubt, and its callback settles that', async () => {
    const { runId, job } = await order({ deadlineMs: 400, pollEveryMs: HOUR_MS });
    await eventOf(pawl, runId, 'nodeRun.waiting', ({ data }) => data.status === 'uncertain');
    expect(await callBack(job, 'r-5')).toBe(200);
    expect((await endOf(pawl, runId)).run).toMatchObject({
      status: 'succeeded',
      output: { after: { id: 'r-5' } },
    });
    expect([job.orders, job.looks]).toEqual([1, 1]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('T23 V4: "not yet" at the deadline: an idempotent one is ordered again with its key and asked about anew', async () => {
    const { runId, job } = await order({ deadlineMs: 400, pollEveryMs: HOUR_MS }, 'put');
    await eventOf(pawl, runId, 'nodeRun.waiting', ({ attempt }) => attempt === 2);
    service.end(job, done('r-6'));
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { after: { id: 'r-6' } } });
    expect(service.of(runId)).toHaveLength(1);
    expect(job.orders).toBeGreaterThan(1);
    expect(events.find(({ data }) => 'says' in data && data.says === 'done')?.path).toMatch(
      /^job\/poll-[2-9]$/,
    );
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('T23: a callback and a poll at once: the first word counts, the other is evidence', async () => {
    const held = gate();
    const { runId, job } = await order({ pollEveryMs: 500 });
    service.script({ hold: held.opened });
    await service.looked(job, 1);
    expect(await callBack(job, 'r-7')).toBe(200);
    service.end(job, done('another'));
    held.open();
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { after: { id: 'r-7' } } });
    const evidence = async () =>
      (await journalOf(pawl, runId)).filter(({ type }) => type === 'outcome.late').map(({ data }) => data);
    await expect.poll(evidence).toMatchObject([{ output: { id: 'another' } }]);
    const ends = (await journalOf(pawl, runId)).filter(
      ({ path, type }) => path === 'job' && type === 'outcome.succeeded',
    );
    expect(ends).toHaveLength(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('T23: a cancel leaves the question under way alone, and what it hears counts', async () => {
    const held = gate();
    const { runId, job } = await order({ pollEveryMs: 500 });
    service.script({ hold: held.opened });
    await service.looked(job, 1);
    await pawl.client.cancelRun({ params: { runId } });
    await eventOf(pawl, runId, 'run.cancelRequested');
    service.end(job, done('r-8'));
    held.open();
    const { run, events } = await endOf(pawl, runId);
    expect(run.status).toBe('cancelled');
    expect(events.find(({ path, type }) => path === 'job' && type === 'outcome.succeeded')).toMatchObject({
      data: { output: { id: 'r-8' }, afterCancel: true },
    });
    expect(job.looks).toBe(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('T15 T23: a paused run is told how its call ended, and goes on when it may', async () => {
    const { runId, job } = await order();
    await accepted(runId);
    await pawl.client.pauseRun({ params: { runId }, body: {} });
    service.end(job, done('r-9'));
    await eventOf(pawl, runId, 'outcome.succeeded', ({ path }) => path === 'job');
    expect((await nodeRunsOf(pawl, runId)).after).toMatchObject({ status: 'ready' });
    await pawl.client.resumeRun({ params: { runId } });
    expect((await endOf(pawl, runId)).run).toMatchObject({
      status: 'succeeded',
      output: { after: { id: 'r-9' } },
    });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('T23: what the service says failed there is what failed; what it may do again is done again', async () => {
    const { runId, job } = await order({}, 'put');
    service.end(job, { state: 'failed', error: 'no paper', retryable: true });
    const { data } = await eventOf(pawl, runId, 'outcome.failed');
    expect(data).toMatchObject({ next: 'retry', failure: { code: 'poll_failed', message: 'no paper' } });
    service.end(job, done('r-10'));
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
