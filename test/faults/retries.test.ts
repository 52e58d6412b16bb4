// Would catch: retries of what cannot work, none of what could, waits that hold a place or are cut short, attempts without end.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDatabase } from '../support/ask-database.ts';
import { gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, SHORT_TIMES, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, nodeRunsOf, publishFlow, startFlow } from '../support/watch-run.ts';

const quick = { initialMs: 10, jitter: 0 };

describe('retries and time limits', () => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    // One place only: whatever waits must not hold it.
    pawl = await startWithLedger({ env: { PAWL_CONCURRENCY: '1' } });
  });
  afterAll(() => pawl?.stop());

  it('C10: 400, 401, 404 and 422 are final: one call each, the words of the service are kept', async () => {
    for (const status of [400, 401, 404, 422]) {
      pawl.ledger.script({ op: 'put' }, { status, message: `because of ${status}` });
      const runId = await startFlow(pawl, [call('put', 'put', { retry: quick })]);
      const { run } = await endOf(pawl, runId);
      expect(run).toMatchObject({
        status: 'failed',
        failure: { code: `http_${status}`, class: 'permanent' },
      });
      expect(run.failure!.message).toContain(`because of ${status}`);
      expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
    }
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C10: 408, 429, 500 and 529 are passing: tried again with the same key', async () => {
    for (const status of [408, 429, 500, 529]) {
      pawl.ledger.script({ op: 'put' }, { status }, { status });
      const runId = await startFlow(pawl, [call('put', 'put', { retry: quick })]);
      expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
      expect(pawl.ledger.of({ key: runId }).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
      expect(new Set(pawl.ledger.of({ key: runId }).map(({ key }) => key)).size).toBe(1);
    }
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('E8: when tries run out the run waits for a person; a retry begins anew', async () => {
    pawl.ledger.script({ op: 'put' }, { status: 503 }, { status: 503 });
    const runId = await startFlow(pawl, [call('put', 'put', { retry: { maxAttempts: 2, ...quick } })]);
    await eventOf(pawl, runId, 'outcome.failed', ({ data }) => data.next === 'pause');
    const { put } = await nodeRunsOf(pawl, runId);
    expect(put).toMatchObject({
      status: 'waiting',
      waitingFor: { kind: 'person', detail: { failure: { code: 'http_503' } } },
    });
    await pawl.client.retryRun({ params: { runId } });
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    expect(pawl.ledger.of({ key: runId }).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C67: what a service asks for is waited for, nonsense is not, and the wait holds no place', async () => {
    const cases: [Record<string, string>, number][] = [
      [{ 'retry-after': '1' }, 1_000],
      [{ 'retry-after-ms': '700' }, 700],
      [{ 'retry-after': 'abc' }, 0],
      [{ 'retry-after': '-1' }, 0],
      [{ 'retry-after': '999999' }, 0],
      [{ 'retry-after': '3600' }, 3_600_000],
    ];
    pawl.ledger.decideBy((row) =>
      row.op === 'put' && row.attempt === 1
        ? { status: 429, headers: row.body.what as Record<string, string> }
        : undefined,
    );
    const started = await Promise.all(
      cases.map(async ([headers, askedMs]) => ({
        askedMs,
        runId: await startFlow(pawl, [call('put', 'put', { args: { what: headers }, retry: quick })]),
      })),
    );
    for (const { runId, askedMs } of started) {
      const { at, data } = await eventOf(pawl, runId, 'outcome.failed');
      expect(data.retryAt! - at).toBeGreaterThanOrEqual(askedMs - 50);
      expect(data.retryAt! - at).toBeLessThanOrEqual(askedMs * 1.2 + 1_000);
    }
    // One of them waits for an hour; on the single place everything else ends.
    const patient = started.pop()!.runId;
    for (const { runId } of started) {
      const { run, events } = await endOf(pawl, runId);
      expect(run.status).toBe('succeeded');
      const [, again] = events.filter(({ type }) => type === 'intent.recorded');
      const failed = events.find((event) => event.type === 'outcome.failed')!;
      expect(again!.at).toBeGreaterThanOrEqual((failed.data as { retryAt: number }).retryAt);
    }
    pawl.ledger.decideBy(undefined);
    expect((await nodeRunsOf(pawl, patient)).put).toMatchObject({
      status: 'retry_wait',
      waitingFor: { kind: 'timer', until: expect.any(String) },
    });
    await pawl.client.cancelRun({ params: { runId: patient } });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C14: an attempt that never returns times out, its place is free at once, and the run ends', async () => {
    const never = gate();
    pawl.ledger.script({ op: 'put' }, { status: 500 }, { hold: never.opened });
    const runId = await startFlow(pawl, [
      call('put', 'stubborn_put', {
        timeoutMs: 800,
        retry: { maxAttempts: 2, ...quick },
        onError: { do: 'fail' },
      }),
    ]);
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'failed', failure: { class: 'timed_out' } });
    const failures = events.filter((event) => event.type === 'outcome.failed');
    expect(failures.map(({ attempt, data }) => [attempt, data.failure.class, data.next])).toEqual([
      [1, 'transient', 'retry'],
      [2, 'timed_out', 'stop'],
    ]);
    const next = await startFlow(pawl, [call('put', 'put')]);
    expect((await endOf(pawl, next)).run.status).toBe('succeeded');
    never.open();
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C11: runs that wait for a place longer than a lease lasts are neither lost nor doubled', async () => {
    const held = gate();
    pawl.ledger.script({ op: 'charge' }, { hold: held.opened });
    const flow = await publishFlow(pawl, [call('charge', 'charge')]);
    const started = await Promise.all(
      Array.from({ length: 40 }, () => pawl.client.startRun({ body: { flow } })),
    );
    const runIds = new Set(started.map(({ runId }) => runId));
    const leaseUntil = async () => {
      const [worker] = await askDatabase<{ at: Date }>(pawl, 'select lease_until as at from worker');
      return worker!.at.getTime();
    };
    const from = await leaseUntil();
    await expect
      .poll(leaseUntil, { timeout: 30_000 })
      .toBeGreaterThan(from + Number(SHORT_TIMES.PAWL_LEASE_MS));
    expect(pawl.ledger.rows.filter((row) => runIds.has(row.key.slice(0, 36)))).toHaveLength(1);
    held.open();
    const ends = await Promise.all(started.map(({ runId }) => endOf(pawl, runId)));
    for (const { run, events } of ends) {
      expect(run.status).toBe('succeeded');
      expect(events.filter(({ type }) => type === 'intent.recorded').map(({ attempt }) => attempt)).toEqual([
        1,
      ]);
      expect(events.map(({ type }) => type)).not.toContain('attempt.lost');
    }
    expect(pawl.ledger.rows.filter((row) => runIds.has(row.key.slice(0, 36)))).toHaveLength(40);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
