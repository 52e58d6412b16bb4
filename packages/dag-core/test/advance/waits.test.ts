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
