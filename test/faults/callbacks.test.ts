// Would catch: a worker that is held while a service works, a callback that counts twice or is lost because somebody died.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backends } from '../support/backends.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, nodeRunsOf, startFlow } from '../support/watch-run.ts';

for (const queue of backends)
  describe(`calls that a service takes and ends later, queue on ${queue}`, () => {
    let pawl: PawlWithLedger;
    beforeAll(async () => {
      pawl = await startWithLedger({ queue, env: { PAWL_CONCURRENCY: '1' } });
    });
    afterAll(() => pawl?.stop());

    async function start(deadlineMs: number, tool = 'order_later'): Promise<string> {
      return startFlow(pawl, [
        call('order', tool, { args: { what: 17, deadlineMs } }),
        { id: 'after', kind: 'transform', value: '{{ nodes.order.output }}' },
      ]);
    }
    /** What the service was given to call back. */
    async function addressOf(runId: string, n = 1): Promise<string> {
      const { body } = await pawl.ledger.arrived(n, { key: runId });
      return (body.what as { callback: string }).callback;
    }
    async function say(address: string, body: unknown): Promise<[number, unknown]> {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
      return [answer.status, await answer.json()];
    }

    it('T22: no worker is held, also not by one that died; the callback counts once, and another one is evidence', async () => {
      const runId = await start(600_000);
      const address = await addressOf(runId);
      await eventOf(pawl, runId, 'nodeRun.waiting');
      const other = await startFlow(pawl, [call('put', 'put')]);
      expect((await endOf(pawl, other)).run.status, 'the only place of the only worker is free').toBe(
        'succeeded',
      );
      expect((await nodeRunsOf(pawl, runId)).order!.waitingFor).toMatchObject({
        kind: 'callback',
        until: expect.any(String),
      });
      const worker = pawl.workers.at(-1)!;
      worker.kill('SIGKILL');
      await worker.ended;
      await pawl.startWorker();

      expect(await say(address, { result: 'no object' })).toMatchObject([422, { code: 'callback_invalid' }]);
      const result = { id: 'o-1' };
      const answers = await Promise.all([1, 2, 3].map(() => say(address, { result })));
      expect(answers.map(([status]) => status)).toEqual([200, 200, 200]);
      expect(await say(address, { result: { id: 'o-2' } })).toMatchObject([409, { code: 'callback_late' }]);
      expect(await say(`${address.slice(0, -3)}AAA`, { result })).toMatchObject([
        404,
        { code: 'callback_unknown' },
      ]);
      const { run, events } = await endOf(pawl, runId);
      expect(run).toMatchObject({ status: 'succeeded', output: { after: result } });
      expect(
        events.filter(({ type, path }) => path === 'order' && type === 'outcome.succeeded'),
      ).toHaveLength(1);
      expect(events.filter(({ type }) => type === 'outcome.late')).toHaveLength(1);
      expect(events.map(({ type }) => type)).not.toContain('attempt.lost');
      expect(JSON.stringify(events), 'V13: the address is a proof').not.toContain(address);
      expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });

    it('T22 V5: past the deadline it is in doubt, nothing is sent again, and a late callback settles it', async () => {
      const runId = await start(300);
      const address = await addressOf(runId);
      await eventOf(pawl, runId, 'nodeRun.waiting', ({ data }) => data.status === 'uncertain');
      expect(await say(address, { result: { id: 'o-1' } })).toMatchObject([200, { state: 'taken' }]);
      const { run } = await endOf(pawl, runId);
      expect(run).toMatchObject({ status: 'succeeded', output: { after: { id: 'o-1' } } });
      expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });
  });
