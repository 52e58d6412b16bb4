// Which mistake would this catch? A run that goes on although a person holds it up, or that one reason to go on frees from
// another; a run that waits for ever although its flow gives it a time.
import { describe, expect, it, test } from 'vitest';
import { intentOf, node, Scene } from './scene.ts';

const by = 'ada';
const chain = (more: object = {}, flow: object = {}) =>
  new Scene([node('a', more), node('b')], [{ from: 'a', to: 'b' }], {}, flow);

describe('T15: a run that a person holds up', () => {
  it('says who and goes on by a word only', () => {
    const run = chain();
    expect(run.tell({ type: 'pauseRun', by, reason: 'the printer burns' }).events).toMatchObject([
      { data: { status: 'paused', reason: 'person', by, why: 'the printer burns' } },
    ]);
    expect(run.run).toMatchObject({ status: 'paused', more: { pause: { reason: 'person', by } } });
    expect(run.tell({ type: 'pauseRun', by: 'bob' })).toEqual({ verdict: 'applied', events: [] });
    expect(run.tell({ type: 'resumeRun', by }).verdict).toBe('applied');
    expect(run.run.status).toBe('running');
    expect(run.run.more).toBeUndefined();
    expect(run.fold().run).toEqual(run.run);
  });

  it('lets what is claimed end, and what follows becomes ready', () => {
    const run = chain();
    run.claim('a');
    run.tell({ type: 'pauseRun', by });
    run.succeed('a');
    expect(run.statuses()).toEqual({ a: 'succeeded', b: 'ready' });
    expect(run.run.status).toBe('paused');
  });

  it('takes nothing from a worker that ran ahead', () => {
    const run = chain();
    const first = run.claim('a');
    run.tell({ type: 'pauseRun', by });
    const ahead = { path: 'b', attempt: 1, workerId: first.workerId };
    const verdicts = run.tellTogether(
      { ...first, type: 'succeeded', output: 1 },
      { ...ahead, type: 'intent', intent: intentOf('b', 'idempotent') },
    );
    expect(verdicts).toEqual(['applied', 'notMine']);
    expect(run.statuses()).toEqual({ a: 'succeeded', b: 'ready' });
  });

  it('does not end, also when nothing is left to do, until it goes on', () => {
    const run = new Scene([node('a')]);
    run.claim('a');
    run.tell({ type: 'pauseRun', by });
    run.succeed('a');
    expect(run.tell({ type: 'runEnded', output: 1 }).verdict).toBe('notMine');
    run.tell({ type: 'resumeRun', by });
    expect(run.tell({ type: 'runEnded', output: 1 }).verdict).toBe('applied');
  });

  it('is not freed by a raised budget, and without room waits for one after it was freed', () => {
    const run = new Scene([node('a'), node('b')], [], { tokens: 10 });
    const wish = { costNanoUsd: 0, tokens: 20, modelCalls: 1 };
    run.tell({ type: 'pauseRun', by });
    const intent = intentOf('a', 'model', wish);
    expect(run.tell({ ...run.claimed('a'), type: 'intent', intent }).verdict).toBe('blocked');
    run.tell({ type: 'resumeRun', by });
    expect(run.run).toMatchObject({ status: 'paused', more: { pause: { reason: 'budget' } } });
    expect(run.tell({ type: 'resumeRun', by }).verdict).toBe('refused');
    run.tell({ type: 'pauseRun', by });
    run.tell({ type: 'raiseBudget', limits: { tokens: 100 }, by });
    expect(run.statuses()).toMatchObject({ a: 'ready' });
    expect(run.run).toMatchObject({ status: 'paused', more: { pause: { reason: 'person' } } });
    run.tell({ type: 'resumeRun', by });
    expect(run.run.status).toBe('running');
    expect(run.fold().run).toEqual(run.run);
  });

  it('can be cancelled, and a failure ends it', () => {
    const cancelled = chain();
    cancelled.tell({ type: 'pauseRun', by });
    cancelled.tell({ type: 'cancel', by });
    expect(cancelled.run.status).toBe('cancelled');
    const failed = chain();
    failed.claim('a');
    failed.tell({ type: 'pauseRun', by });
    failed.fail('a');
    expect(failed.run.status).toBe('failed');
  });

  test.each(['pauseRun', 'resumeRun'] as const)('%s is refused when it cannot mean anything', (type) => {
    const ended = new Scene([node('a')]);
    ended.fail('a');
    expect(ended.tell({ type, by })).toEqual({ verdict: 'refused', events: [] });
    const cancelling = chain();
    cancelling.claim('a');
    cancelling.tell({ type: 'cancel', by });
    expect(cancelling.tell({ type, by }).verdict).toBe('refused');
  });
});

describe('T16: the time that a flow gives its runs', () => {
  const timed = () => chain({}, { timeoutMs: 1_000 });

  it('is over: what waits is cancelled, what runs ends by itself, and the run fails', () => {
    const run = timed();
    run.claim('a');
    expect(run.tell({ type: 'timedOut' }).verdict).toBe('applied');
    expect(run.run).toMatchObject({
      status: 'running',
      failure: { code: 'run_timed_out' },
      more: { timedOut: true },
    });
    run.fail('a', 'cancelled');
    expect(run.run).toMatchObject({
      status: 'failed',
      failure: { code: 'run_timed_out', class: 'timed_out' },
    });
    expect(run.fold().run).toEqual(run.run);
  });

  it('counts while it is paused, and once', () => {
    const run = timed();
    run.tell({ type: 'pauseRun', by });
    run.tell({ type: 'timedOut' });
    expect(run.run.status).toBe('failed');
    expect(run.tell({ type: 'timedOut' })).toEqual({ verdict: 'notMine', events: [] });
  });

  it('S2: a flow that undoes does so', () => {
    const run = new Scene(
      [node('a', { kind: 'tool', tool: 't@1' } as never), node('b')],
      [{ from: 'a', to: 'b' }],
      {},
      {
        onFailure: 'compensate',
        timeoutMs: 1,
      },
    );
    run.tell({
      ...run.claimed('a'),
      type: 'intent',
      intent: { ...intentOf('a', 'idempotent'), compensates: true },
    });
    run.succeed('a');
    run.tell({ type: 'timedOut' });
    expect(run.run.status).toBe('compensating');
  });
});
