// Would catch: any moment in a small mixed flow at which the death of its worker repeats an effect, loses one or blocks the run.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, journalOf, publishFlow } from '../support/watch-run.ts';

const nodes = [
  { id: 'begin', kind: 'transform', value: { n: '{{ input.n }}' } },
  call('read', 'pure'),
  call('put', 'put'),
  call('charge', 'charge', { args: { what: '{{ nodes.put.output.nonce }}' } }),
  { id: 'say', kind: 'llm', model: 'sim:writer', prompt: 'Say: {{ nodes.charge.output }}' },
  {
    id: 'each',
    kind: 'map',
    over: '{{ [1, 2, 3] }}',
    concurrency: 2,
    body: { nodes: [call('item_put', 'put', { args: { what: '{{ item }}' } })], edges: [] },
    output: '{{ nodes.item_put.output.what }}',
  },
  {
    id: 'again',
    kind: 'loop',
    until: 'index = 1',
    body: { nodes: [call('turn_put', 'put', { args: { what: '{{ item ?? 0 }}' } })], edges: [] },
    output: '{{ nodes.turn_put.output.what + 1 }}',
  },
] as const;

/** Requests of a run without faults: read, put, charge, three items, two turns. */
const REQUESTS = 8;

describe('SIGKILL of the only worker at each step of a mixed flow', () => {
  let pawl: PawlWithLedger;
  let flow: string;
  /** Where the commits of a run without faults end. */
  let commits: number[];
  beforeAll(async () => {
    pawl = await startWithLedger();
    flow = await publishFlow(pawl, nodes, {
      output: {
        said: '{{ nodes.say.output }}',
        each: '{{ nodes.each.output }}',
        again: '{{ nodes.again.output }}',
      },
    });
    const { runId } = await pawl.client.startRun({ body: { flow, input: { n: 1 } } });
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { each: [1, 2, 3], again: 2 } });
    expect(pawl.ledger.of({ key: runId })).toHaveLength(REQUESTS);
    commits = events
      .filter((event, i) => events[i + 1] && events[i + 1]!.at !== event.at)
      .map(({ seq }) => seq);
    expect(commits.length).toBeGreaterThan(6);
  });
  afterAll(() => pawl?.stop());

  /** Kills the worker that works now and starts another; a worker on the same host takes over at once. */
  async function replaceWorker(): Promise<void> {
    const worker = pawl.workers.at(-1)!;
    worker.kill('SIGKILL');
    await worker.ended;
    await pawl.startWorker();
  }

  /** Ends the run, answering a doubt about the charge by what the ledger saw; checks what must hold after any crash. */
  async function endsRight(runId: string): Promise<void> {
    for await (const signal of pawl.client.runEvents(runId)) {
      if (signal.kind !== 'event') continue;
      const { type, path, data } = signal.event;
      const isDoubt = type === 'attempt.lost' && data.next === 'uncertain';
      if (!isDoubt) continue;
      expect(path).toBe('charge');
      const happened = pawl.ledger.of({ key: `${runId}:charge` }).find((row) => row.isApplied);
      await pawl.client.settleNodeRun({
        params: { runId },
        query: { path },
        body: happened
          ? { verdict: 'happened', output: { nonce: happened.at } }
          : { verdict: 'did_not_happen' },
      });
    }
    const run = await pawl.client.getRun({ params: { runId } });
    expect(run).toMatchObject({ status: 'succeeded', output: { each: [1, 2, 3], again: 2 } });
    for (const [key, count] of pawl.ledger.effects({ key: runId })) expect([key, count]).toEqual([key, 1]);
    expect(pawl.ledger.of({ key: `${runId}:charge` }).filter((row) => row.isApplied)).toHaveLength(1);
    const journal = await journalOf(pawl, runId);
    expect(journal.map(({ seq }) => seq)).toEqual(journal.map((_, i) => i + 1));
    for (const path of ['begin', 'read', 'put', 'charge', 'say', 'each', 'again/0', 'again/1', 'again'])
      expect(
        journal.filter((event) => event.type === 'outcome.succeeded' && event.path === path),
      ).toHaveLength(1);
  }

  it('V1–V5, I3: killed while the k-th request is held, before and after the effect, for every k', async () => {
    // One death for all: each run is held at a step of its own when the worker dies.
    const steps = Array.from({ length: REQUESTS }, (_, i) => i + 1).flatMap((k) => [
      { k, appliesFirst: false },
      { k, appliesFirst: true },
    ]);
    const held = gate();
    const plans = new Map<string, { left: number; appliesFirst: boolean }>();
    pawl.ledger.decideBy((row) => {
      const plan = plans.get(row.key.slice(0, 36));
      if (!plan || --plan.left !== 0) return undefined;
      return { hold: held.opened, cut: 'before', ...(plan.appliesFirst && { appliesFirst: true }) };
    });
    const runIds: string[] = [];
    for (const { k, appliesFirst } of steps) {
      // The plan must stand before the first request comes, and the run's id is known only after it was started.
      const opening = gate();
      pawl.ledger.script({ op: 'pure' }, { hold: opening.opened });
      const { runId } = await pawl.client.startRun({ body: { flow, input: { n: k } } });
      await pawl.ledger.arrived(1, { key: runId });
      plans.set(runId, { left: k - 1, appliesFirst });
      if (k > 1) opening.open();
      await pawl.ledger.arrived(k, { key: runId });
      runIds.push(runId);
    }
    await replaceWorker();
    await Promise.all(runIds.map((runId) => endsRight(runId)));
    pawl.ledger.decideBy(undefined);
    held.open();
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V8, V9: killed when the k-th commit is seen in the journal, for every k', async () => {
    for (const seq of commits) {
      const { runId } = await pawl.client.startRun({ body: { flow, input: { n: seq } } });
      for await (const signal of pawl.client.runEvents(runId))
        if (signal.kind === 'event' && signal.event.seq >= seq) break;
      await replaceWorker();
      await endsRight(runId);
    }
    expect(await pawl.rowsEqualFold()).toEqual([]);
  }, 300_000);
});
