// Would catch: a turn begun twice or out of order, a loop that goes on after a failed turn, one that nobody can end.
import { afterEach, describe, expect, it } from 'vitest';
import { LOSSES_BEFORE_PAUSE } from '../../src/index.ts';
import { loopOf, mapOf, node, Scene } from './scene.ts';

const by = 'ada';
const scenes: Scene[] = [];

function aScene(...args: ConstructorParameters<typeof Scene>): Scene {
  const scene = new Scene(...args);
  scenes.push(scene);
  return scene;
}

/** V12: whatever a test did, the journal alone tells the same, claims aside. */
afterEach(() => {
  for (const scene of scenes.splice(0)) {
    const { run, rows } = scene.fold();
    expect(run).toEqual(scene.run);
    const told = (row: object) => ({ ...row, attempt: 0, workerId: undefined, status: 0 });
    expect([...rows.byPath.values()].map(told)).toEqual([...scene.rows.byPath.values()].map(told));
  }
});

const turn = (scene: Scene, path: string, number: number) =>
  scene.tell({ ...scene.claimed(path), type: 'continued', turn: number });

/** A loop of one node, followed by another node. */
const aLoop = (more: object = {}): Scene =>
  aScene([loopOf('l', [node('x')], more), node('after')], [{ from: 'l', to: 'after' }]);

function endTurn(scene: Scene, path: string, number: number): void {
  scene.succeed(`${path}/${number}/x`);
  scene.succeed(`${path}/${number}`);
}

describe('a loop (E12)', () => {
  it('begins with turn 0, and each turn that ended makes it ready to begin the next or to end', () => {
    const scene = aLoop();
    expect(turn(scene, 'l', 0).events).toMatchObject([
      { type: 'loop.continued', path: 'l', data: { v: 1, turn: 0 } },
    ]);
    expect(scene.statuses()).toEqual({ l: 'waiting', 'l/0': 'waiting', 'l/0/x': 'ready' });
    expect(scene.row('l/0')).toMatchObject({ kind: 'item', itemIndex: 0, openCount: 1 });
    endTurn(scene, 'l', 0);
    expect(scene.row('l')).toMatchObject({ status: 'ready', itemCount: 1, doneItems: 1 });
    turn(scene, 'l', 1);
    expect(scene.row('l/1/x').status).toBe('ready');
    endTurn(scene, 'l', 1);
    scene.succeed('l');
    expect(scene.statuses()).toMatchObject({ l: 'succeeded', after: 'ready' });
  });

  it.each([1, 2, -1])('V3: turn %s is not the next one, so nothing is begun', (number) => {
    const scene = aLoop();
    expect(turn(scene, 'l', number)).toEqual({ verdict: 'notMine', events: [] });
    turn(scene, 'l', 0);
    endTurn(scene, 'l', 0);
    expect(turn(scene, 'l', 0)).toEqual({ verdict: 'notMine', events: [] });
  });

  it('V3: a worker that lost it begins no turn', () => {
    const scene = aLoop();
    const mine = scene.claim('l', 'w1');
    scene.tell({ ...mine, type: 'lost', reason: 'died' });
    scene.claim('l', 'w2');
    expect(scene.tell({ ...mine, type: 'continued', turn: 0 })).toEqual({ verdict: 'notMine', events: [] });
  });

  it('E7, E9: a failed turn stops it; it fails with the number of the turn', () => {
    const scene = aLoop();
    turn(scene, 'l', 0);
    endTurn(scene, 'l', 0);
    turn(scene, 'l', 1);
    scene.fail('l/1/x');
    expect(scene.row('l').failure?.message).toBe('Turn 1 failed: It fails.');
    expect(scene.run.status).toBe('failed');
  });

  it('E8: what onError says follows', () => {
    const scene = aLoop({ onError: { do: 'fallback', value: 'instead' } });
    turn(scene, 'l', 0);
    scene.fail('l/0/x');
    expect(scene.statuses()).toMatchObject({ l: 'succeeded', 'l/0': 'failed', after: 'ready' });
    expect(scene.run.degraded.map(({ path }) => path)).toEqual(['l']);
  });

  it('E7: one whose turn failed is not gone on with, but may be settled', () => {
    const scene = aLoop({ onError: { do: 'pause' } });
    turn(scene, 'l', 0);
    scene.fail('l/0/x');
    expect(scene.row('l')).toMatchObject({ status: 'waiting', reason: 'failure' });
    expect(scene.tell({ type: 'retryNode', path: 'l', by }).verdict).toBe('refused');
    expect(scene.tell({ type: 'settle', path: 'l', verdict: 'did_not_happen', by }).verdict).toBe('refused');
    scene.tell({ type: 'settle', path: 'l', verdict: 'happened', output: 1, by });
    expect(scene.row('after').status).toBe('ready');
  });

  it('E8: one whose end could not be told waits for a person and is tried again from there', () => {
    const scene = aLoop({ onError: { do: 'pause' } });
    turn(scene, 'l', 0);
    endTurn(scene, 'l', 0);
    scene.fail('l');
    expect(scene.tell({ type: 'retryNode', path: 'l', by }).verdict).toBe('applied');
    turn(scene, 'l', 1);
    endTurn(scene, 'l', 1);
    scene.succeed('l');
    expect(scene.row('l')).toMatchObject({ status: 'succeeded', failure: undefined });
  });

  it('V11: a cancel reaches the turn, and no other is begun', () => {
    const scene = aLoop();
    turn(scene, 'l', 0);
    scene.claim('l/0/x');
    scene.tell({ type: 'cancel', by });
    scene.succeed('l/0/x');
    expect(scene.statuses()).toEqual({ l: 'cancelled', 'l/0': 'cancelled', 'l/0/x': 'succeeded' });
    expect(scene.run.status).toBe('cancelled');
  });

  it('V11: a cancel while its worker decides: the turn it wants is not begun', () => {
    const scene = aLoop();
    scene.claim('l');
    scene.tell({ type: 'cancel', by });
    expect(turn(scene, 'l', 0).verdict).toBe('stopped');
    expect(scene.run.status).toBe('cancelled');
  });

  it('T11: losses are counted between turns, not over all of them', () => {
    const scene = aLoop();
    const lose = () => scene.tell({ ...scene.claimed('l'), type: 'lost', reason: 'died' });
    for (let number = 0; number < 3; number++) {
      for (let i = 1; i < LOSSES_BEFORE_PAUSE; i++) lose();
      turn(scene, 'l', number);
      endTurn(scene, 'l', number);
    }
    expect(scene.row('l').status).toBe('ready');
  });
});

describe('containers in containers (E7, E9, E12)', () => {
  /** A map of a loop of a map. */
  const nested = (inner: object = {}, outer: object = {}): Scene =>
    aScene([
      mapOf('m', [loopOf('l', [mapOf('n', [node('x')], inner)])], {
        concurrency: 2,
        ...outer,
      }),
    ]);
  const layOut = (scene: Scene, path: string, count: number) =>
    scene.tell({ ...scene.claimed(path), type: 'expanded', count, itemsHash: 'h' });

  it('open one window inside the other, each counting its own', () => {
    const scene = nested({ concurrency: 1 });
    layOut(scene, 'm', 3);
    turn(scene, 'm/0/l', 0);
    layOut(scene, 'm/0/l/0/n', 2);
    expect(scene.statuses()).toEqual({
      m: 'waiting',
      'm/0': 'waiting',
      'm/1': 'waiting',
      'm/0/l': 'waiting',
      'm/1/l': 'ready',
      'm/0/l/0': 'waiting',
      'm/0/l/0/n': 'waiting',
      'm/0/l/0/n/0': 'waiting',
      'm/0/l/0/n/0/x': 'ready',
    });
    for (const index of [0, 1]) endTurn(scene, 'm/0/l/0/n', index);
    scene.succeed('m/0/l/0/n');
    scene.succeed('m/0/l/0');
    scene.succeed('m/0/l');
    scene.succeed('m/0');
    expect(scene.row('m/2').status).toBe('waiting');
    expect(scene.rows.get('m/3')).toBeUndefined();
  });

  it.each([
    ['collect', 'ready', undefined],
    ['skip', 'ready', undefined],
    ['fail', 'failed', 'Turn 0 failed: Item 0 failed: It fails.'],
  ] as const)(
    'onItemError: %s of the inner map decides how far a failure goes',
    (policy, status, message) => {
      const scene = nested({ onItemError: policy }, { onItemError: 'collect' });
      layOut(scene, 'm', 2);
      turn(scene, 'm/0/l', 0);
      layOut(scene, 'm/0/l/0/n', 1);
      scene.fail('m/0/l/0/n/0/x');
      expect(scene.row('m/0/l/0/n').status).toBe(status);
      expect(scene.row('m/0/l').failure?.message).toBe(message);
      // The outer map goes on in any case.
      expect(scene.row('m/1/l').status).toBe('ready');
      expect(scene.run.status).toBe('running');
    },
  );

  it('a failure in one stops what runs in the others only as far as it goes', () => {
    const scene = nested();
    layOut(scene, 'm', 2);
    for (const item of [0, 1]) {
      turn(scene, `m/${item}/l`, 0);
      layOut(scene, `m/${item}/l/0/n`, 2);
    }
    scene.claim('m/1/l/0/n/0/x');
    scene.fail('m/0/l/0/n/0/x');
    expect(scene.row('m/0/l').status).toBe('failed');
    expect(scene.row('m/1/l/0/n/1/x').status).toBe('cancelled');
    expect(scene.row('m/1/l/0/n/0/x').status).toBe('running');
    expect(scene.run.status).toBe('running');
    scene.succeed('m/1/l/0/n/0/x');
    expect(scene.run).toMatchObject({ status: 'failed', activeCount: 0 });
    expect(scene.row('m').failure?.message).toBe('Item 0 failed: Turn 0 failed: Item 0 failed: It fails.');
  });
});
