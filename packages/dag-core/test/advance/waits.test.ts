// Which mistake would this catch? A node run that waits and is woken twice, too early or never, or holds a worker meanwhile.
import { afterEach, describe, expect, it } from 'vitest';
import type { NodeRunState } from '../../src/index.ts';
import { mapOf, node, Scene } from './scene.ts';

let scenes: Scene[] = [];
function aScene(...args: ConstructorParameters<typeof Scene>): Scene {
  const scene = new Scene(...args);
  scenes.push(scene);
  return scene;
}
/** J2 holds for every scene: the journal alone tells the same state, claims aside. */
afterEach(() => {
  const told = (row: NodeRunState) => ({
    ...row,
    workerId: undefined,
    attempt: undefined,
    status: row.status === 'running' ? 'ready' : row.status,
  });
  for (const scene of scenes) {
    const fold = scene.fold();
    expect(fold.run).toEqual(scene.run);
    expect([...fold.rows.byPath.values()].map(told)).toEqual([...scene.rows.byPath.values()].map(told));
  }
  scenes = [];
});

const waitThenGo = (more: object = {}) =>
  aScene(
    [node('w', { kind: 'wait', for: 1, ...more } as never), node('after')],
    [{ from: 'w', to: 'after' }],
  );
const hour = { months: 0, ms: 3_600_000 };

describe('a wait for a time (K14, T13)', () => {
  it('holds no worker, and goes on once when its instant has come', () => {
    const scene = waitThenGo();
    expect(scene.tell({ ...scene.claimed('w'), type: 'waits', for: hour })).toMatchObject({
      verdict: 'applied',
      events: [{ type: 'nodeRun.waiting', data: { status: 'waiting', reason: 'timer', wakeAt: 4_600_000 } }],
    });
    expect(scene.row('w')).toMatchObject({ status: 'waiting', wakeAt: 4_600_000, workerId: undefined });
    expect(scene.run.status).toBe('waiting');
    scene.nowMs = 4_599_999;
    expect(scene.tell({ type: 'timerDue', path: 'w' }).verdict).toBe('notMine');
    scene.nowMs = 4_600_007;
    expect(scene.tell({ type: 'timerDue', path: 'w' })).toMatchObject({
      verdict: 'applied',
      events: [
        {
          type: 'outcome.succeeded',
          data: { output: { until: '1970-01-01T01:16:40.000Z', at: '1970-01-01T01:16:40.007Z' } },
        },
      ],
    });
    expect(scene.statuses()).toEqual({ w: 'succeeded', after: 'ready' });
    expect(scene.tell({ type: 'timerDue', path: 'w' }).verdict).toBe('notMine');
  });

  it('does not wait for an instant that has passed', () => {
    const scene = waitThenGo();
    expect(scene.tell({ ...scene.claimed('w'), type: 'waits', until: 999_999, clock: 7 })).toMatchObject({
      events: [{ type: 'outcome.succeeded', data: { clock: 7 } }],
    });
    expect(scene.statuses()).toEqual({ w: 'succeeded', after: 'ready' });
  });

  it('lasts ten years of the calendar, and no longer', () => {
    const most = waitThenGo();
    expect(most.tell({ ...most.claimed('w'), type: 'waits', for: { months: 120, ms: 0 } }).verdict).toBe(
      'applied',
    );
    expect(most.row('w').status).toBe('waiting');
    const more = waitThenGo();
    more.tell({ ...more.claimed('w'), type: 'waits', for: { months: 120, ms: 1 } });
    expect(more.row('w')).toMatchObject({ status: 'failed', failure: { code: 'wait_too_long' } });
    expect(more.run.status).toBe('failed');
  });

  it('ends with the run that is cancelled, and with the scope that stops (E9, V11)', () => {
    const cancelled = waitThenGo();
    cancelled.tell({ ...cancelled.claimed('w'), type: 'waits', for: hour });
    cancelled.tell({ type: 'cancel', by: 'ada' });
    expect(cancelled.run.status).toBe('cancelled');
    expect(cancelled.row('w').status).toBe('cancelled');

    const stopped = aScene([mapOf('m', [node('w', { kind: 'wait', for: 1 } as never), node('bad')])]);
    stopped.tell({ ...stopped.claimed('m'), type: 'expanded', count: 1, itemsHash: '' });
    stopped.tell({ ...stopped.claimed('m/0/w'), type: 'waits', for: hour });
    stopped.fail('m/0/bad');
    expect(stopped.row('m/0/w').status).toBe('cancelled');
    expect(stopped.run.status).toBe('failed');
    stopped.nowMs += hour.ms;
    expect(stopped.tell({ type: 'timerDue', path: 'm/0/w' }).verdict).toBe('notMine');
  });

  it('is not begun in a scope that stops', () => {
    const scene = aScene([node('w', { kind: 'wait', for: 1 } as never), node('bad')]);
    const held = scene.claimed('w');
    scene.fail('bad');
    expect(scene.tell({ ...held, type: 'waits', for: hour }).verdict).toBe('stopped');
    expect(scene.run.status).toBe('failed');
  });
});

const signal = { id: 's-1', name: 'paid', key: 'o-1', payload: { ok: true }, by: 'key:shop', sentAt: 5_000 };
const awaiting = { name: 'paid', key: 'o-1', waitKey: 'k' };

describe('a wait for a signal (K14, T18)', () => {
  const waitForSignal = (more: object = {}, time: object = {}) => {
    const scene = waitThenGo({ for: undefined, signal: { name: 'paid', key: 'o-1' }, ...more });
    scene.tell({ ...scene.claimed('w'), type: 'waits', signal: awaiting, ...time });
    return scene;
  };
  const deliver = (scene: Scene, more: object = {}) =>
    scene.tell({ type: 'signal', path: 'w', waitKey: 'k', signal, ...more });

  it('goes on with the signal, which is named in the journal before its payload', () => {
    const scene = waitForSignal();
    expect(scene.row('w')).toMatchObject({
      status: 'waiting',
      reason: 'signal',
      waitKey: 'k',
      wakeAt: undefined,
      more: { awaits: { name: 'paid', key: 'o-1' } },
    });
    expect(deliver(scene).events).toMatchObject([
      {
        type: 'signal.received',
        data: { signal: 's-1', name: 'paid', key: 'o-1', by: 'key:shop', sentAt: 5_000 },
      },
      {
        type: 'outcome.succeeded',
        data: { output: { payload: { ok: true }, id: 's-1', sentAt: '1970-01-01T00:00:05.000Z' } },
      },
    ]);
    expect(scene.row('w')).toMatchObject({
      status: 'succeeded',
      waitKey: undefined,
      more: { signal: 's-1' },
    });
    expect(scene.statuses()).toMatchObject({ after: 'ready' });
  });

  it('a signal that is told again changes nothing, and is no other one', () => {
    const scene = waitForSignal();
    deliver(scene);
    expect(deliver(scene)).toEqual({ verdict: 'applied', events: [] });
    expect(deliver(scene, { signal: { ...signal, id: 's-2' } })).toEqual({ verdict: 'notMine', events: [] });
  });

  it('takes no signal that it does not wait for', () => {
    const scene = waitForSignal();
    expect(deliver(scene, { waitKey: 'other' }).verdict).toBe('notMine');
    expect(scene.tell({ type: 'signal', path: 'after', waitKey: 'k', signal }).verdict).toBe('notMine');
    expect(scene.row('w').status).toBe('waiting');
  });

  it('takes none when its run stops, nor after its deadline', () => {
    const cancelled = waitForSignal();
    cancelled.tell({ type: 'cancel', by: 'ada' });
    expect(deliver(cancelled).verdict).toBe('notMine');

    const late = waitForSignal({ deadline: 'PT1H' }, { for: hour });
    late.nowMs += hour.ms;
    late.tell({ type: 'timerDue', path: 'w' });
    expect(late.row('w')).toMatchObject({ status: 'failed', failure: { code: 'deadline_passed' } });
    expect(late.row('w').failure!.message).toContain('paid');
    expect(deliver(late).verdict).toBe('notMine');
  });

  it('a deadline that continues takes the port timeout', () => {
    const scene = aScene(
      [
        node('w', { kind: 'wait', signal: { name: 'paid' }, deadline: 1, onDeadline: 'continue' } as never),
        node('in_time'),
        node('late'),
      ],
      [
        { from: 'w', to: 'in_time' },
        { from: 'w', port: 'timeout', to: 'late' },
      ],
    );
    scene.tell({ ...scene.claimed('w'), type: 'waits', signal: awaiting, for: hour });
    scene.nowMs += hour.ms;
    scene.tell({ type: 'timerDue', path: 'w' });
    expect(scene.statuses()).toEqual({ w: 'succeeded', in_time: 'skipped', late: 'ready' });
  });

  it('a deadline that pauses waits for a person, and for no signal any more', () => {
    const scene = waitForSignal({ onError: { do: 'pause' } }, { for: hour });
    scene.nowMs += hour.ms;
    scene.tell({ type: 'timerDue', path: 'w' });
    expect(scene.row('w')).toMatchObject({
      status: 'waiting',
      reason: 'failure',
      waitKey: undefined,
      wakeAt: undefined,
    });
    expect(scene.row('w').more).toEqual({ question: expect.any(Number) });
    expect(deliver(scene).verdict).toBe('notMine');
  });
});
