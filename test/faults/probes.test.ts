// Would catch: a person who is asked what the tool knows, an effect that is sent twice on the word of a probe, a probe that dies with
// its worker.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backends } from '../support/backends.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, nodeRunsOf, startFlow } from '../support/watch-run.ts';

for (const queue of backends)
  describe(`a doubt about a tool that can be asked, queue on ${queue}`, () => {
    let pawl: PawlWithLedger;
    beforeAll(async () => {
      pawl = await startWithLedger({ queue });
    });
    afterAll(() => pawl?.stop());

    /** A payment whose worker is killed while the request is held by the ledger; another worker starts. */
    async function kill(appliesFirst: boolean): Promise<string> {
      const never = new Promise(() => {});
      pawl.ledger.script(
        { op: 'probed' },
        { hold: never, ...(appliesFirst && { appliesFirst: true as const }) },
      );
      const runId = await startFlow(pawl, [
        call('pay', 'probed', { args: { what: 17 } }),
        { id: 'after', kind: 'transform', value: '{{ nodes.pay.output }}' },
      ]);
      await pawl.ledger.arrived(1, { key: runId });
      const worker = pawl.workers.at(-1)!;
      worker.kill('SIGKILL');
      await worker.ended;
      await pawl.startWorker();
      return runId;
    }

    it('T20 E6: killed after it happened: the probe finds it, and nobody is asked', async () => {
      const runId = await kill(true);
      const { run, events } = await endOf(pawl, runId);
      const [row] = pawl.ledger.of({ key: runId });
      expect(run).toMatchObject({
        status: 'succeeded',
        output: { after: { op: 'probed', nonce: row!.at, what: 17 } },
      });
      expect(events).toContainEqual(
        expect.objectContaining({
          type: 'probe.answered',
          path: 'pay/probe-1',
          data: { v: 1, says: 'applied' },
        }),
      );
      expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });

    it('T20 E5: killed before it happened: once that is certain it is sent again, once', async () => {
      const runId = await kill(false);
      const { run } = await endOf(pawl, runId);
      expect(run.status).toBe('succeeded');
      expect(pawl.ledger.of({ key: runId }).map(({ attempt, isApplied }) => [attempt, isApplied])).toEqual([
        [1, false],
        [2, true],
      ]);
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });

    it.each([
      [true, 'killed after it happened: the probe finds it, and nobody is asked', 1],
      [false, 'killed before it happened: once that is certain it is sent again, once', 2],
    ])('T20, S3, E5, E6: an undoing, appliesFirst %s, %s', async (appliesFirst, _what, sent) => {
      const never = new Promise(() => {});
      pawl.ledger.script(
        { op: 'payback' },
        { hold: never, ...(appliesFirst && { appliesFirst: true as const }) },
      );
      const wrong = {
        id: 'wrong',
        kind: 'tool',
        tool: 'ledger.fail@1',
        args: { error: 'permanent' },
      } as const;
      const nodes = [call('pay', 'returned'), wrong];
      const runId = await startFlow(pawl, nodes, { onFailure: 'compensate' });
      await pawl.ledger.arrived(1, { op: 'payback', key: runId });
      const worker = pawl.workers.at(-1)!;
      worker.kill('SIGKILL');
      await worker.ended;
      await pawl.startWorker();
      const { run, events } = await endOf(pawl, runId);
      expect(run).toMatchObject({ status: 'failed', compensation: { planned: 1, left: [] } });
      expect(events.filter(({ type }) => type === 'probe.answered')).toMatchObject([
        { path: 'pay/undo/probe-1', data: { says: appliesFirst ? 'applied' : 'not_applied' } },
      ]);
      const rows = pawl.ledger.of({ op: 'payback', key: runId });
      expect(rows).toHaveLength(sent);
      expect(rows.filter(({ isApplied }) => isApplied)).toHaveLength(1);
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });

    it('T20: what the tool cannot say is asked of a person, with what it said', async () => {
      pawl.ledger.answersLookups(false);
      pawl.ledger.script({ op: 'probed' }, { cut: 'after' });
      const runId = await startFlow(pawl, [call('pay', 'probed')]);
      await eventOf(pawl, runId, 'probe.answered');
      pawl.ledger.answersLookups(true);
      const { items } = await pawl.client.listInbox({ query: { runId } });
      expect(items).toMatchObject([
        {
          kind: 'uncertain',
          path: 'pay',
          decisions: ['happened', 'did_not_happen', 'skip', 'fail'],
          probe: { answer: 'unknown', failure: { message: 'the ledger does not say' } },
        },
      ]);
      expect((await nodeRunsOf(pawl, runId)).pay!.waitingFor).toMatchObject({ kind: 'person' });
      const answer = { decision: 'happened', output: null } as const;
      await pawl.client.answerQuestion({ params: { question: items[0]!.question }, body: answer });
      expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });
  });
