// Would catch: any moment in the life of an agent at which the death of its worker repeats an effect, takes two answers for one turn,
// or has the model hear another story than before.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeOpenAi, startFakeOpenAi } from '../support/fake-openai.ts';
import { gate } from '../support/ledger.ts';
import { rehearsedAgent } from '../support/rehearsal.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { journalOf, publishFlow } from '../support/watch-run.ts';

/** What the model asks for, turn by turn; then it says that it is done. */
const TURNS = [
  [
    ['pure', 'a'],
    ['put', 'b'],
  ],
  [['charge', 'c']],
  [
    ['put', 'd'],
    ['put', 'e'],
  ],
] as const;
const CALLS = ['turn-0/pure-0', 'turn-0/put-1', 'turn-1/charge-0', 'turn-2/put-0', 'turn-2/put-1'];
const MODELS = [0, 1, 2, 3].map((turn) => `turn-${turn}/model`);
/** Requests to the outside of a run without faults: four of the model, five of tools. */
const REQUESTS = CALLS.length + MODELS.length;

describe('SIGKILL of the only worker at each step of an agent', () => {
  let pawl: PawlWithLedger;
  let model: FakeOpenAi;
  let flow: string;
  /** Where the commits of a run without faults end. */
  let commits: number[];
  const answerTo = (messages: readonly { role: string }[]) => {
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    const toolCalls = TURNS[turn]?.map(([name, what], i) => ({
      id: `${turn}-${i}`,
      name,
      arguments: JSON.stringify({ what }),
    }));
    return { text: toolCalls ? '' : 'Done.', ...(toolCalls && { toolCalls }) };
  };
  const messagesOf = ({ body }: FakeOpenAi['requests'][number]) => body.messages as { role: string }[];

  beforeAll(async () => {
    model = await startFakeOpenAi();
    model.decideBy((request) => answerTo(messagesOf(request)));
    const server = { baseUrl: model.baseUrl, apiKey: 'test-key' };
    pawl = await startWithLedger({ env: { PAWL_COMPATIBLE: JSON.stringify({ fake: server }) } });
    const { system: _, ...agent } = rehearsedAgent([], {
      model: 'compatible:fake/m',
      // A clock and a random number: what is said first must be said again, not computed again.
      prompt: 'It is {{ $now() }}; the number is {{ $random() }}.',
    });
    flow = await publishFlow(pawl, [agent], { output: '{{ nodes.agent.output }}' });
    const { runId } = await pawl.client.startRun({ body: { flow } });
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: 'Done.' });
    expect(pawl.ledger.of({ key: runId })).toHaveLength(CALLS.length);
    commits = events
      .filter((event, i) => events[i + 1] && events[i + 1]!.at !== event.at)
      .map(({ seq }) => seq);
    expect(commits.length).toBeGreaterThan(8);
  });
  afterAll(async () => {
    await pawl?.stop();
    await model?.close();
  });

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
      if (type !== 'attempt.lost' || data.next !== 'uncertain') continue;
      expect(path).toBe('agent/turn-1/charge-0');
      const happened = pawl.ledger.of({ key: `${runId}:${path}` }).find((row) => row.isApplied);
      await pawl.client.settleNodeRun({
        params: { runId },
        query: { path },
        body: happened
          ? { verdict: 'happened', output: { nonce: happened.at } }
          : { verdict: 'did_not_happen' },
      });
    }
    const run = await pawl.client.getRun({ params: { runId } });
    expect(run).toMatchObject({ status: 'succeeded', output: 'Done.' });
    for (const [key, count] of pawl.ledger.effects({ key: runId })) expect([key, count]).toEqual([key, 1]);
    const applied = [...pawl.ledger.effects({ key: runId }).keys()].map((key) => key.slice(37));
    const wanted = CALLS.filter((path) => !path.includes('pure')).map((path) => `agent/${path}:0`);
    expect(applied.filter((key) => !key.includes('pure')).sort()).toEqual(wanted.sort());
    const journal = await journalOf(pawl, runId);
    expect(journal.map(({ seq }) => seq)).toEqual(journal.map((_, i) => i + 1));
    for (const path of [...CALLS, ...MODELS, 'turn-0', 'turn-1', 'turn-2', 'turn-3'])
      expect(
        journal.filter((event) => event.type === 'outcome.succeeded' && event.path === `agent/${path}`),
        path,
      ).toHaveLength(1);
    // Whoever asks, and however often: the model hears the same story, and each turn goes on where the one before ended.
    const asked = model.requests.filter(({ key }) => key?.startsWith(runId));
    for (const [turn, path] of MODELS.entries()) {
      const told = asked.filter(({ key }) => key === `${runId}:agent/${path}:0`).map(messagesOf);
      expect(told.length, path).toBeGreaterThan(0);
      for (const messages of told) expect(messages).toEqual(told[0]);
      const next = asked.find(({ key }) => key === `${runId}:agent/turn-${turn + 1}/model:0`);
      if (next) expect(messagesOf(next).slice(0, told[0]!.length)).toEqual(told[0]);
    }
  }

  it('V1–V5, K19: killed while the k-th request is held, before and after its effect, for every k', async () => {
    // One death for all: each run is held at a step of its own when the worker dies.
    const steps = Array.from({ length: REQUESTS }, (_, i) => i + 1).flatMap((k) => [
      { k, appliesFirst: false },
      { k, appliesFirst: true },
    ]);
    const held = gate();
    const plans: { k: number; appliesFirst: boolean; runId?: string; seen: number }[] = steps.map((step) => ({
      ...step,
      seen: 0,
    }));
    /** The plan of a run is the first that no run has yet. */
    const planOf = (key: string) => {
      const runId = key.slice(0, 36);
      const plan = plans.find((each) => each.runId === runId) ?? plans.find((each) => !each.runId);
      if (plan) plan.runId ??= runId;
      return plan;
    };
    const isHeld = (key: string) => {
      const plan = planOf(key);
      return plan !== undefined && ++plan.seen === plan.k ? plan : undefined;
    };
    let holding = 0;
    const all = gate();
    const hold = () => {
      if (++holding === steps.length) all.open();
      return held.opened;
    };
    model.decideBy((request) => {
      const answer = answerTo(messagesOf(request));
      return isHeld(request.key!) ? { ...answer, hold: hold() } : answer;
    });
    pawl.ledger.decideBy((row) => {
      const plan = isHeld(row.key);
      return plan && { hold: hold(), cut: 'before', ...(plan.appliesFirst && { appliesFirst: true }) };
    });
    const started = steps.map(() => pawl.client.startRun({ body: { flow } }));
    const runIds = (await Promise.all(started)).map(({ runId }) => runId);
    await all.opened;
    model.decideBy((request) => answerTo(messagesOf(request)));
    pawl.ledger.decideBy(undefined);
    await replaceWorker();
    held.open();
    await Promise.all(runIds.map((runId) => endsRight(runId)));
    expect(await pawl.rowsEqualFold()).toEqual([]);
  }, 300_000);

  it('V8, V9: killed when the k-th commit is seen in the journal, for every k', async () => {
    for (const seq of commits) {
      const { runId } = await pawl.client.startRun({ body: { flow } });
      for await (const signal of pawl.client.runEvents(runId))
        if (signal.kind === 'event' && signal.event.seq >= seq) break;
      await replaceWorker();
      await endsRight(runId);
    }
    expect(await pawl.rowsEqualFold()).toEqual([]);
  }, 300_000);
});
