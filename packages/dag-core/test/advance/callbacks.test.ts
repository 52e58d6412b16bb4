// Would catch: a call that is made again though a service has it, a callback that counts twice or for another attempt, a wait that
// nobody can end.
import { describe, expect, it, test } from 'vitest';
import type { EffectClass, Fact } from '../../src/index.ts';
import { failureOf, intentOf, node, Scene } from './scene.ts';

const by = 'ada';
const DEADLINE_MS = 60_000;

/** A call that its service took. */
function taken(effect: EffectClass = 'non_repeatable', more: object = {}): Scene {
  const scene = new Scene(
    [node('pay', { kind: 'tool', ...more }), node('after')],
    [{ from: 'pay', to: 'after' }],
  );
  scene.intent('pay', effect);
  scene.tell({ ...scene.claimed('pay'), type: 'accepted', deadlineMs: DEADLINE_MS, data: { job: 'j-1' } });
  return scene;
}

const says = (
  scene: Scene,
  what: { output: number } | { failure: ReturnType<typeof failureOf> },
  attempt = 1,
  callback = `${attempt} ${JSON.stringify(what)}`,
) => scene.tell({ type: 'callback', path: 'pay', attempt, callback, random: 0, ...what } as Fact);
const succeeds = (scene: Scene, attempt?: number) => says(scene, { output: 7 }, attempt);
const overdue = (scene: Scene) => {
  scene.nowMs = scene.row('pay').wakeAt!;
  return scene.tell({ type: 'timerDue', path: 'pay' });
};

describe('T22: a call that a service took', () => {
  it('waits without a worker until its deadline', () => {
    const scene = taken();
    expect(scene.row('pay')).toMatchObject({ status: 'waiting', reason: 'callback', workerId: undefined });
    expect(scene.row('pay').wakeAt).toBe(scene.nowMs + DEADLINE_MS);
    expect(scene.run.status).toBe('waiting');
    expect(scene.tell({ type: 'timerDue', path: 'pay' }).verdict).toBe('notMine');
  });

  it('ends with what the service says; what comes after is evidence', () => {
    const scene = taken();
    expect(succeeds(scene).events).toMatchObject([
      { type: 'outcome.succeeded', attempt: 1, data: { output: 7, callback: '1 {"output":7}' } },
    ]);
    expect(scene.statuses()).toEqual({ pay: 'succeeded', after: 'ready' });
    expect(succeeds(scene), 'the same again').toEqual({ verdict: 'applied', events: [] });
    expect(says(scene, { output: 8 })).toMatchObject({
      verdict: 'late',
      events: [{ type: 'outcome.late', data: { output: 8 } }],
    });
  });

  test.each([
    ['permanent', 'failed'],
    ['transient', 'retry_wait'],
  ] as const)('that failed there, %s: %s', (kind, status) => {
    const scene = taken();
    says(scene, { failure: failureOf(kind) });
    expect(scene.row('pay').status).toBe(status);
  });

  it('may end before its worker has said that it was taken', () => {
    const scene = new Scene([node('pay', { kind: 'tool' })]);
    scene.intent('pay', 'non_repeatable');
    const worker = scene.claimed('pay');
    expect(succeeds(scene).verdict).toBe('applied');
    expect(scene.tell({ ...worker, type: 'accepted', deadlineMs: 1 })).toEqual({
      verdict: 'notMine',
      events: [],
    });
    expect(scene.row('pay').status).toBe('succeeded');
  });

  it('whose worker died before it could say so: the service settles the doubt', () => {
    const scene = new Scene([node('pay', { kind: 'tool' })]);
    scene.tell({
      ...scene.claimed('pay'),
      type: 'intent',
      intent: { ...intentOf('pay', 'non_repeatable'), probes: true },
    });
    scene.tell({ ...scene.claimed('pay'), type: 'lost', reason: 'died' });
    expect(says(scene, { failure: failureOf('permanent') }).verdict, 'a failure is evidence').toBe('late');
    expect(succeeds(scene).events).toMatchObject([
      { type: 'outcome.succeeded', data: { settledBy: 'callback' } },
      { type: 'nodeRun.cancelled', path: 'pay/probe-1' },
    ]);
    expect(scene.statuses()).toEqual({ pay: 'succeeded', 'pay/probe-1': 'cancelled' });
  });

  it('past its deadline: an idempotent one is made again, and the service may still tell by the first address', () => {
    const scene = taken('idempotent');
    expect(overdue(scene).events).toMatchObject([
      {
        type: 'outcome.failed',
        data: { next: 'retry', failure: { code: 'callback_overdue', class: 'timed_out' } },
      },
    ]);
    scene.nowMs = scene.row('pay').wakeAt!;
    scene.tell({ type: 'timerDue', path: 'pay' });
    scene.intent('pay', 'idempotent');
    scene.tell({ ...scene.claimed('pay'), type: 'accepted', deadlineMs: DEADLINE_MS });
    expect(succeeds(scene, 1).events).toMatchObject([{ type: 'outcome.succeeded', attempt: 2 }]);
  });

  it('past its deadline: one that must not be repeated is in doubt, and its late callback settles that', () => {
    const scene = taken();
    expect(overdue(scene).events).toMatchObject([
      { type: 'nodeRun.waiting', data: { status: 'uncertain', reason: 'callback_overdue' } },
    ]);
    expect(succeeds(scene).verdict).toBe('applied');
    expect(scene.row('pay').status).toBe('succeeded');
  });

  it('a callback about an earlier call that must not be repeated is evidence only', () => {
    const scene = taken();
    overdue(scene);
    scene.tell({ type: 'settle', path: 'pay', verdict: 'did_not_happen', by });
    expect(succeeds(scene).verdict, 'while it is to be sent again').toBe('late');
    scene.intent('pay', 'non_repeatable');
    scene.tell({ ...scene.claimed('pay'), type: 'accepted', deadlineMs: DEADLINE_MS });
    expect(succeeds(scene, 1).verdict).toBe('late');
    expect(succeeds(scene, 2).verdict).toBe('applied');
    expect(succeeds(scene, 3).verdict, 'nobody has made that address').toBe('notMine');
  });

  it('a run that fails waits for it', () => {
    const scene = new Scene([node('pay', { kind: 'tool' }), node('other')]);
    scene.intent('pay', 'non_repeatable');
    scene.tell({ ...scene.claimed('pay'), type: 'accepted', deadlineMs: DEADLINE_MS });
    scene.fail('other');
    expect(scene.row('pay').status).toBe('waiting');
    succeeds(scene);
    expect([scene.run.status, scene.row('pay').status]).toEqual(['failed', 'succeeded']);
  });

  it('a cancel gives it the grace time, and then leaves it in doubt', () => {
    const scene = taken();
    scene.tell({ type: 'cancel', by });
    expect(scene.run.status).toBe('cancelling');
    expect(scene.tell({ type: 'graceOver' }).events[0]).toMatchObject({
      type: 'nodeRun.cancelled',
      data: { reason: 'grace', doubt: true },
    });
    expect(scene.run.status).toBe('cancelled');
    expect(succeeds(scene).verdict).toBe('late');
  });

  it('its deadline also comes in a run that stops', () => {
    const scene = taken('idempotent');
    scene.tell({ type: 'cancel', by, compensate: true });
    overdue(scene);
    expect(scene.run.status).toBe('cancelled');
  });
});
