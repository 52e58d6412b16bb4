// Would catch: an attempt that is counted twice, not at all, or though it was fenced off; a wait that nobody sees.
import { beforeEach, describe, expect, it } from 'vitest';
import type { AttemptNote } from '../src/attempt-note.ts';
import { readDecision } from '../src/read-decision.ts';
import { byWorker, fails, intends, succeeds, ToldRun, WORKER } from './support/told-run.ts';

const tool = (id: string, more: object = {}) => ({ id, kind: 'tool' as const, tool: 't@1', ...more });
const step = (id: string) => ({ id, kind: 'transform' as const, value: id });
const chain = (...ids: string[]) => ids.slice(1).map((to, i) => ({ from: ids[i]!, to }));
const note = (path: string, attempt = 1, more: Partial<AttemptNote> = {}): AttemptNote => ({
  path,
  attempt,
  startedAtMs: 900,
  endedAtMs: 950,
  waitedMs: 7,
  workerId: WORKER,
  ...more,
});

/** Attempts and waits in short: `a #1 succeeded`. */
function short(decision: Parameters<typeof readDecision>[0]) {
  const { attempts, waits, late, containers, end } = readDecision(decision);
  return [
    ...attempts.map(({ path, attempt, outcome }) => `${path} #${attempt} ${outcome}`),
    ...waits.map((wait) => `${wait.path} waited for ${wait.for}`),
    ...late.map(({ path, attempt }) => `${path} #${attempt} late`),
    ...containers.map(({ path, status }) => `${path} as a whole ${status}`),
    ...(end ? [`run ${end.status}`] : []),
  ];
}

describe('what a commit means', () => {
  let run: ToldRun;
  beforeEach(() => {
    run = new ToldRun({ nodes: [tool('a', { retry: { maxAttempts: 3 } })] });
  });

  it("when an attempt succeeds, its times are the worker's own, as far as it noted them", async () => {
    run.claim('a').nowMs = 2_000;
    const decision = await run.tell([succeeds('a')], [note('a')]);
    expect(readDecision(decision).attempts).toEqual([
      {
        path: 'a',
        nodeId: 'a',
        kind: 'tool',
        attempt: 1,
        outcome: 'succeeded',
        effect: 'pure',
        startMs: 900,
        endMs: 950,
        workerId: WORKER,
        note: note('a'),
      },
    ]);
  });

  it('when nobody noted it, it began when it was taken up and ended now, by the clock of the database', async () => {
    run.claim('a').nowMs = 2_000;
    const [attempt] = readDecision(await run.tell([succeeds('a')])).attempts;
    expect(attempt).toMatchObject({ startMs: 1_000, endMs: 2_000, workerId: WORKER });
  });

  it('when an attempt fails and is tried again, the attempt ends, and later the wait does', async () => {
    run.claim('a');
    const failed = await run.tell([fails('a')]);
    expect(short(failed)).toEqual(['a #1 failed']);
    expect(readDecision(failed).attempts[0]).toMatchObject({ next: 'retry', failure: { code: 'http_503' } });
    run.nowMs = 100_000;
    const due = await run.tell([{ type: 'timerDue', path: 'a' }]);
    expect(short(due)).toEqual(['a waited for retry']);
    expect(readDecision(due).waits[0]).toMatchObject({ startMs: 1_000, endMs: 100_000, attempt: 1 });
  });

  it('V3: when an attempt was fenced off, nothing has ended', async () => {
    run.claim('a');
    await run.tell([{ type: 'lost', path: 'a', attempt: 1, workerId: WORKER, reason: 'gone' }]);
    run.claim('a');
    expect(short(await run.tell([succeeds('a', 1)], [note('a')]))).toEqual([]);
  });

  it('V2: when it comes too late and is kept, it is late and ends nothing', async () => {
    run.claim('a');
    await run.tell([intends('a')]);
    await run.tell([{ type: 'lost', path: 'a', attempt: 1, workerId: WORKER, reason: 'gone' }]);
    run.claim('a');
    const late = await run.tell([succeeds('a', 1)], [note('a')]);
    expect(short(late)).toEqual(['a #1 late']);
    expect(readDecision(late).late[0]).toMatchObject({ startMs: 900, endMs: 1_000 });
  });

  it('when an attempt is lost, whoever found it tells, and names the worker that made it', async () => {
    run.claim('a');
    await run.tell([intends('a')]);
    const lost = await run.tell([{ type: 'lost', path: 'a', attempt: 1, workerId: WORKER, reason: 'gone' }]);
    expect(short(lost)).toEqual(['a #1 lost']);
    expect(readDecision(lost).attempts[0]).toMatchObject({
      workerId: WORKER,
      effect: 'idempotent',
      intentSeq: 2,
      next: 'ready',
    });
  });

  it('T11: when it was lost too often, that is one attempt, not two', async () => {
    let seen: string[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      run.claim('a');
      seen = short(await run.tell([{ type: 'lost', path: 'a', attempt, workerId: WORKER, reason: 'gone' }]));
    }
    expect(seen).toEqual(['a #10 lost']);
  });

  it('V5: when an effect is in doubt, the attempt ends so; a decision ends the wait and is no attempt', async () => {
    run.claim('a');
    await run.tell([intends('a', { effect: 'non_repeatable' })]);
    expect(short(await run.tell([fails('a', { isAmbiguous: true })]))).toEqual(['a #1 uncertain']);
    const settled = await run.tell([{ type: 'settle', path: 'a', verdict: 'happened', output: 1, by: 'me' }]);
    expect(short(settled)).toEqual(['a waited for uncertain']);
  });

  it('V6: when the budget has no room, the attempt ends blocked, and raising it ends the wait', async () => {
    run = new ToldRun({ nodes: [tool('a')], budget: { modelCalls: 0 } });
    run.claim('a');
    const reserved = { costNanoUsd: 0, tokens: 0, modelCalls: 1 };
    const open = note('a', 1, { endedAtMs: undefined });
    const blocked = await run.tell([intends('a', { effect: 'model', reserved })], [open]);
    expect(short(blocked)).toEqual(['a #1 blocked']);
    const raised = await run.tell([{ type: 'raiseBudget', limits: { modelCalls: 1 }, by: 'me' }]);
    expect(short(raised)).toEqual(['a waited for budget']);
  });

  it('when a worker gives a node run back, that ends an attempt', async () => {
    run.claim('a');
    expect(short(await run.tell([byWorker('a', { type: 'released' })]))).toEqual(['a #1 given_back']);
  });

  it('V11: when a run is cancelled, what was running ends and what waited waits no longer', async () => {
    run = new ToldRun({ nodes: [tool('a'), tool('b', { retry: { maxAttempts: 3 } }), step('c')] });
    run.claim('a', 'b');
    await run.tell([fails('b')]);
    expect(short(await run.tell([{ type: 'cancel', by: 'me' }]))).toEqual(['b waited for retry']);
    expect(short(await run.tell([{ type: 'graceOver' }]))).toEqual(['a #1 cancelled', 'run cancelled']);
  });

  it('when a worker ran ahead, each attempt ends once, also those of a map whose items were all in one commit', async () => {
    const body = { nodes: [step('x')], edges: [] };
    run = new ToldRun({
      nodes: [step('a'), { id: 'each', kind: 'map', over: [1, 2], body }, step('b')],
      edges: chain('a', 'each', 'b'),
    });
    run.claim('a');
    const facts = [
      succeeds('a'),
      byWorker('each', { type: 'expanded', count: 2, itemsHash: 'h' }),
      ...['each/0/x', 'each/0', 'each/1/x', 'each/1'].map((path) => succeeds(path)),
      succeeds('each', 2),
      succeeds('b'),
      { type: 'runEnded' as const, output: null },
    ];
    const notes = [
      note('a'),
      note('each'),
      ...['each/0/x', 'each/0', 'each/1/x', 'each/1'].map((path) => note(path)),
      note('each', 2),
      note('b'),
    ];
    expect(short(await run.tell(facts, notes))).toEqual([
      'a #1 succeeded',
      'each #1 laid_out',
      'each/0/x #1 succeeded',
      'each/0 #1 succeeded',
      'each/1/x #1 succeeded',
      'each/1 #1 succeeded',
      'each #2 succeeded',
      'b #1 succeeded',
      'each as a whole succeeded',
      'run succeeded',
    ]);
  });

  it('E9: when an item stops its map, the map ends once, and only what ran is an attempt', async () => {
    const body = { nodes: [tool('x', { retry: { maxAttempts: 1 }, onError: { do: 'fail' } })], edges: [] };
    run = new ToldRun({ nodes: [{ id: 'each', kind: 'map', over: [1, 2], body, onError: { do: 'fail' } }] });
    run.claim('each');
    await run.tell([byWorker('each', { type: 'expanded', count: 2, itemsHash: 'h' })]);
    run.claim('each/0/x', 'each/1/x');
    expect(short(await run.tell([fails('each/0/x')]))).toEqual(['each/0/x #1 failed']);
    expect(short(await run.tell([fails('each/1/x')]))).toEqual([
      'each/1/x #1 failed',
      'each as a whole failed',
      'run failed',
    ]);
  });
});
