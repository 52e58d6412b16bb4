// Would catch: a log of effects that differs from what the outside world saw, or from what became of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, startFlow } from '../support/watch-run.ts';

for (const queue of ['redis', 'postgres'] as const) {
  describe(`the effect log on the ${queue} queue`, () => {
    let pawl: PawlWithLedger;
    beforeAll(async () => {
      pawl = await startWithLedger({ queue });
    });
    afterAll(() => pawl?.stop());

    const ofRun = async (run: string, more: object = {}) =>
      [...(await pawl.client.listEffects({ query: { run, ...more } })).items].reverse();

    it('C01: a worker dies with a charge under way: doubt, a person, one further call, each with its worker and outcome', async () => {
      const never = gate();
      pawl.ledger.script({ op: 'charge' }, { hold: never.opened });
      const runId = await startFlow(pawl, [
        call('look', 'pure'),
        call('put', 'put'),
        call('charge', 'charge'),
      ]);
      await pawl.ledger.arrived(1, { op: 'charge', key: runId });
      expect(await ofRun(runId)).toMatchObject([
        { path: 'put', status: 'succeeded', effect: 'idempotent', target: 'ledger.put@1' },
        { path: 'charge', status: 'sent' },
      ]);
      const [victim] = pawl.workers.splice(0);
      victim!.kill('SIGKILL');
      await victim!.ended;
      await eventOf(pawl, runId, 'attempt.lost');
      expect(await ofRun(runId, { status: 'uncertain' })).toMatchObject([{ path: 'charge', attempt: 1 }]);
      await pawl.startWorker();
      await pawl.client.settleNodeRun({
        params: { runId },
        query: { path: 'charge' },
        body: { verdict: 'did_not_happen' },
      });
      await endOf(pawl, runId);

      const log = await ofRun(runId);
      const told = {
        startedBy: 'local',
        target: 'ledger.charge@1',
        effect: 'non_repeatable',
        path: 'charge',
      };
      expect(log.slice(1)).toMatchObject([
        { ...told, attempt: 1, status: 'settled', settledAs: 'did_not_happen', settledBy: 'local' },
        { ...told, attempt: 2, status: 'succeeded' },
      ]);
      // V4: what the ledger saw is what the log says was sent.
      const seen = pawl.ledger.of({ key: runId }).filter(({ isReading }) => !isReading);
      expect(log.map(({ key, attempt }) => [key, attempt])).toEqual(
        seen.map(({ key, attempt }) => [key, attempt]),
      );
      expect(new Set(log.map(({ workerId }) => workerId)).size).toBe(2);
      expect(log.every(({ at, endedAt }) => endedAt! >= at)).toBe(true);

      const one = await pawl.client.getEffect({ params: { runId, seq: log[2]!.seq } });
      expect(one).toMatchObject({ request: { what: 'charge' }, output: { op: 'charge' } });
      const lines = (
        await (await pawl.client.exportEffects({ query: { run: runId, arguments: 'true' } })).text()
      )
        .trim()
        .split('\n');
      expect(lines.map((line) => JSON.parse(line)).reverse()).toEqual(
        log.map((effect) => ({ ...effect, request: { what: effect.path } })),
      );
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });
  });
}
