// Would catch: an effect that is undone twice, not at all, out of order or before the last one has ended, because somebody died.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRedis } from '../support/process.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, publishFlow, startFlow } from '../support/watch-run.ts';

const nodes = [
  call('hold', 'reserve'),
  {
    id: 'each',
    kind: 'map',
    over: '{{ [1, 2] }}',
    concurrency: 1,
    body: { nodes: [call('item', 'reserve', { args: { what: '{{ item }}' } })], edges: [] },
  },
  call('pay', 'pay'),
  call('ship', 'put', { retry: { maxAttempts: 1 }, onError: { do: 'fail' } }),
] as const;

/** What is undone, in order. */
const UNDONE = ['pay', 'each/1/item', 'each/0/item', 'hold'];

for (const queue of findRedis() ? (['redis', 'postgres'] as const) : (['postgres'] as const))
  describe(`a saga, queue on ${queue}`, () => {
    let pawl: PawlWithLedger;
    let flow: string;
    beforeAll(async () => {
      pawl = await startWithLedger({ queue, honoursKeys: ['put', 'unput'] });
      flow = await publishFlow(pawl, nodes, { onFailure: 'compensate' });
    });
    afterAll(() => pawl?.stop());

    /** Requests that undo, in the order in which they had an effect, by the path of what they undo. */
    const undone = (runId: string) =>
      pawl.ledger.rows
        .filter((row) => row.isApplied && row.key.startsWith(runId) && ['unput', 'refund'].includes(row.op))
        .map((row) => row.key.slice(runId.length + 1).replace('/undo:0', ''));

    async function replaceWorker(): Promise<void> {
      const worker = pawl.workers.at(-1)!;
      worker.kill('SIGKILL');
      await worker.ended;
      await pawl.startWorker();
    }

    /** Follows the run to its end, answering doubts by what the ledger saw. */
    async function endsUndone(runId: string): Promise<void> {
      for await (const signal of pawl.client.runEvents(runId)) {
        if (signal.kind !== 'event') continue;
        const { type, path, data } = signal.event;
        if (type !== 'attempt.lost' || data.next !== 'uncertain') continue;
        const happened = pawl.ledger.of({ key: `${runId}:${path}:` }).find((row) => row.isApplied);
        await pawl.client.settleNodeRun({
          params: { runId },
          query: { path },
          body: happened
            ? { verdict: 'happened', output: { nonce: happened.at } }
            : { verdict: 'did_not_happen' },
        });
      }
      const run = await pawl.client.getRun({ params: { runId } });
      expect(run).toMatchObject({ status: 'failed', compensation: { planned: 4, left: [] } });
      expect(undone(runId)).toEqual(UNDONE);
      for (const [key, count] of pawl.ledger.effects({ key: runId })) expect([key, count]).toEqual([key, 1]);
    }

    const failing = { status: 422, message: 'no such street' };

    it('S2, S3: undoes what completed, the last first, with what each gave', async () => {
      pawl.ledger.decideBy((row) => (row.key.endsWith(':ship:0') ? failing : undefined));
      const { runId } = await pawl.client.startRun({ body: { flow } });
      await endsUndone(runId);
      const refund = pawl.ledger.of({ op: 'refund', key: runId })[0]!;
      const charge = pawl.ledger.of({ op: 'charge', key: runId })[0]!;
      expect(refund.body.what).toMatchObject({ args: {}, result: { op: 'charge', nonce: charge.at } });
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });

    it('S3: undoes an effect whose outcome is committed together with the failure behind it', async () => {
      const wrong = {
        id: 'wrong',
        kind: 'tool',
        tool: 'ledger.fail@1',
        args: { error: 'permanent' },
      } as const;
      const runId = await startFlow(pawl, [call('hold', 'reserve'), wrong], { onFailure: 'compensate' });
      const { run } = await endOf(pawl, runId);
      expect(run).toMatchObject({ status: 'failed', compensation: { planned: 1, left: [] } });
      expect(undone(runId)).toEqual(['hold']);
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });

    it('V1, V4, V5, S3: with the worker killed at each commit from the failure on', async () => {
      pawl.ledger.decideBy((row) => (row.key.endsWith(':ship:0') ? failing : undefined));
      const first = await pawl.client.startRun({ body: { flow } });
      const { events } = await endOf(pawl, first.runId);
      const from = events.find(({ type }) => type === 'compensation.planned')!.seq;
      const commits = events
        .filter((event, i) => event.seq >= from && events[i + 1] && events[i + 1]!.at !== event.at)
        .map(({ seq }) => seq);
      expect(commits.length).toBeGreaterThan(3);
      for (const seq of commits) {
        const { runId } = await pawl.client.startRun({ body: { flow } });
        for await (const signal of pawl.client.runEvents(runId))
          if (signal.kind === 'event' && signal.event.seq >= seq) break;
        await replaceWorker();
        await endsUndone(runId);
      }
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });

    it('V11, S4: a cancel that asks for it waits for what runs, undoes, and ends as cancelled', async () => {
      let answer = () => {};
      const answered = new Promise<void>((resolve) => {
        answer = resolve;
      });
      pawl.ledger.decideBy((row) =>
        row.op === 'charge' ? { hold: answered, appliesFirst: true } : undefined,
      );
      const { runId } = await pawl.client.startRun({ body: { flow } });
      await pawl.ledger.arrived(1, { op: 'charge', key: runId });
      await pawl.client.cancelRun({ params: { runId }, body: { compensate: true } });
      const doubt = await eventOf(pawl, runId, 'nodeRun.waiting', ({ path }) => path === 'pay');
      expect(doubt.data.status).toBe('uncertain');
      answer();
      await pawl.client.settleNodeRun({
        params: { runId },
        query: { path: 'pay' },
        body: { verdict: 'happened', output: { nonce: 1 } },
      });
      const { run } = await endOf(pawl, runId);
      expect(run).toMatchObject({ status: 'cancelled', compensation: { planned: 4, left: [] } });
      expect(undone(runId)).toEqual(UNDONE);
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });

    it('S5: what cannot be undone and is skipped by a person stays and is named', async () => {
      pawl.ledger.decideBy((row) =>
        row.key.endsWith(':ship:0') || (row.op === 'unput' && row.key.includes('each/0'))
          ? failing
          : undefined,
      );
      const { runId } = await pawl.client.startRun({ body: { flow } });
      await eventOf(pawl, runId, 'outcome.failed', ({ path }) => path === 'each/0/item/undo');
      await pawl.client.settleNodeRun({
        params: { runId },
        query: { path: 'each/0/item/undo' },
        body: { verdict: 'skip' },
      });
      const { run } = await endOf(pawl, runId);
      expect(run).toMatchObject({ status: 'failed', compensation: { planned: 4, left: ['each/0/item'] } });
      expect(undone(runId)).toEqual(['pay', 'each/1/item', 'hold']);
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });
  });
