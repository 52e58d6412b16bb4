// Would catch: a late answer that counts twice, or not at all; an effect that is undone though nobody asked; a holder of an effect
// that is forgotten while it may still send.
import { describe, expect, it, test } from 'vitest';
import { type Fact, holderOf, type RecordedEvent } from '../../src/index.ts';
import { failureOf, intentOf, node, Scene } from './scene.ts';

const by = 'ada';
const settle = (verdict: object): Fact => ({ type: 'settle', path: 'pay', by, ...verdict }) as Fact;

/** A payment that may have happened, after something that can be undone and before something else. */
function doubt({ canUndo = true, ...document }: { canUndo?: boolean; onFailure?: 'compensate' } = {}): Scene {
  const scene = new Scene(
    [node('hold', { kind: 'tool' }), node('pay', { kind: 'tool' }), node('after')],
    [
      { from: 'hold', to: 'pay' },
      { from: 'pay', to: 'after' },
    ],
    {},
    document,
  );
  const compensates = { compensates: true as const };
  scene.tell({
    ...scene.claimed('hold'),
    type: 'intent',
    intent: { ...intentOf('hold', 'idempotent'), ...compensates },
  });
  scene.succeed('hold');
  const intent = { ...intentOf('pay', 'non_repeatable'), ...(canUndo && compensates) };
  scene.tell({ ...scene.claimed('pay'), type: 'intent', intent });
  scene.fail('pay', 'timed_out', { isAmbiguous: true });
  return scene;
}

const types = ({ events }: { events: readonly { type: string; path: string }[] }) =>
  events.map(({ type, path }) => `${type} ${path}`.trim());

describe('adopting a late answer (T9)', () => {
  const late = 9;

  it('what it gave counts, and the place it came from is named', () => {
    const scene = doubt();
    const { events } = scene.tell(settle({ verdict: 'adopt', late, output: { id: 7 } }));
    expect(events).toMatchObject([
      { type: 'inbox.answered', data: { decision: 'adopt', by, late } },
      { type: 'outcome.succeeded', path: 'pay', data: { output: { id: 7 }, settledBy: by } },
    ]);
    expect(scene.statuses()).toMatchObject({ pay: 'succeeded', after: 'ready' });
  });

  it('a refusal fails the node run, as the flow says, and never asks again', () => {
    const scene = doubt();
    const failure = failureOf('permanent');
    scene.tell(settle({ verdict: 'adopt', late, failure }));
    expect(scene.row('pay')).toMatchObject({ status: 'failed', failure });
  });

  it('a failure that proves that nothing happened lets it be sent again', () => {
    const scene = doubt();
    scene.tell(settle({ verdict: 'adopt', late, failure: failureOf('transient') }));
    expect(scene.row('pay')).toMatchObject({ status: 'ready', intentSeq: undefined });
  });

  test.each(['adopt', 'compensate'] as const)(
    '%s is about doubts only, and the second is refused',
    (verdict) => {
      const scene = doubt();
      scene.tell(settle({ verdict: 'skip' }));
      expect(scene.tell(settle({ verdict, late, output: 1 })).verdict).toBe('refused');
      const paused = new Scene([node('pay', { onError: { do: 'pause' } })]);
      paused.fail('pay');
      expect(paused.tell(settle({ verdict, late, output: 1 })).verdict).toBe('refused');
    },
  );
});

describe('settling a doubt as compensate (T9, S1)', () => {
  it('counts it as happened, cancels the run and undoes what was done, the last first', () => {
    const scene = doubt();
    expect(types(scene.tell(settle({ verdict: 'compensate', output: 5 })))).toEqual([
      'run.cancelRequested',
      'inbox.answered pay',
      'outcome.succeeded pay',
      'compensation.planned',
    ]);
    expect(scene.run).toMatchObject({ status: 'compensating', more: { undoOnCancel: true } });
    for (const path of ['pay/undo', 'hold/undo']) scene.succeed(path);
    expect(scene.run.status).toBe('cancelled');
    expect(scene.statuses()).toMatchObject({ hold: 'compensated', pay: 'compensated' });
  });

  it('does not turn a failure that undoes anyway into a cancel', () => {
    const scene = doubt({ onFailure: 'compensate' });
    scene.tell({ type: 'timedOut' });
    const { events } = scene.tell(settle({ verdict: 'compensate', output: null }));
    expect(events.map(({ type }) => type)).not.toContain('run.cancelRequested');
    for (const path of ['pay/undo', 'hold/undo']) scene.succeed(path);
    expect(scene.run.status).toBe('failed');
  });

  it('is refused while the run is being cancelled without undoing', () => {
    const scene = new Scene([node('pay', { kind: 'tool' }), node('other')]);
    const intent = { ...intentOf('pay', 'non_repeatable'), compensates: true as const };
    scene.tell({ ...scene.claimed('pay'), type: 'intent', intent });
    scene.claimed('other');
    scene.tell({ type: 'cancel', by });
    scene.fail('pay', 'timed_out', { isAmbiguous: true });
    expect(scene.row('pay').status).toBe('uncertain');
    expect(scene.tell(settle({ verdict: 'compensate', output: 5 }))).toEqual({
      verdict: 'refused',
      events: [],
    });
  });

  it('is refused for an effect that cannot be undone', () => {
    const scene = doubt({ canUndo: false });
    expect(scene.tell(settle({ verdict: 'compensate', output: 5 }))).toEqual({
      verdict: 'refused',
      events: [],
    });
  });
});

describe('J10: who may still send', () => {
  const at = (type: string, data: object, attempt = 1) =>
    ({ type, path: 'pay', attempt, data: { v: 1, ...data } }) as unknown as RecordedEvent;
  const intent = at('intent.recorded', { workerId: 'w1' });
  const lost = at('attempt.lost', { workerId: 'w1', next: 'uncertain', reason: 'gone' });
  const doubtful = { status: 'uncertain', reason: 'timed_out' };

  test.each<[string, RecordedEvent[], string | undefined]>([
    ['while it runs: its worker', [intent], 'w1'],
    ['after its worker was found dead: that worker, as far as the journal can tell', [intent, lost], 'w1'],
    [
      'after its worker gave it up by its own word: nobody',
      [intent, at('attempt.lost', { ...lost.data, ended: true })],
      undefined,
    ],
    ['after a failure that leaves a doubt: nobody', [intent, at('nodeRun.waiting', doubtful)], undefined],
    [
      'after one that did not end when it was told to',
      [intent, at('nodeRun.waiting', { ...doubtful, stillRuns: true })],
      'w1',
    ],
    ['until its late answer comes', [intent, lost, at('outcome.late', { output: 1 })], undefined],
    ['a late failure that still runs is none', [intent, lost, at('outcome.late', { stillRuns: true })], 'w1'],
    ['what another attempt says is nothing', [intent, lost, at('outcome.late', {}, 2)], 'w1'],
    ['what a person says is nothing', [intent, lost, at('outcome.succeeded', { settledBy: by })], 'w1'],
  ])('%s', (_, events, holder) => {
    expect(holderOf(events, 1)).toBe(holder);
  });

  it('a timed-out attempt that did not obey says so, in the doubt and in its late failure', () => {
    const scene = new Scene([node('pay', { kind: 'tool' })]);
    scene.intent('pay', 'non_repeatable');
    const claimed = scene.claimed('pay');
    const failed = {
      ...claimed,
      type: 'failed',
      failure: failureOf('timed_out'),
      random: 0,
      isAmbiguous: true,
    } as const;
    expect(scene.tell({ ...failed, stillRuns: true }).events).toMatchObject([
      { type: 'nodeRun.waiting', data: { status: 'uncertain', stillRuns: true } },
    ]);
    expect(scene.tell(failed).events).toEqual([
      expect.objectContaining({
        type: 'outcome.late',
        data: { v: 1, failure: failed.failure, ambiguous: true },
      }),
    ]);
  });

  it('the grace time of a cancel that undoes leaves running effects in doubt, and running', () => {
    const scene = new Scene([node('pay', { kind: 'tool' })]);
    scene.intent('pay', 'non_repeatable');
    scene.tell({ type: 'cancel', by, compensate: true });
    expect(scene.tell({ type: 'graceOver' }).events).toMatchObject([
      { type: 'nodeRun.waiting', data: { reason: 'grace', stillRuns: true } },
    ]);
  });
});
