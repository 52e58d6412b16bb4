// Which mistake would this catch? Effects undone in the wrong order, twice, while others still run or are in doubt; a run that
// ends as if everything had been undone when something stays.
import { describe, expect, it, test } from 'vitest';
import { type EffectClass, type NodeConfig, undoPath } from '../../src/index.ts';
import { intentOf, mapOf, node, Scene } from './scene.ts';

const by = 'ada';
const tool = (id: string, more: Partial<NodeConfig> = {}) =>
  node(id, { kind: 'tool', tool: 't@1', ...more } as never);

class Saga extends Scene {
  /** An effect that can be undone, sent and answered. */
  effect(path: string, effect: EffectClass = 'idempotent') {
    this.sent(path, effect);
    return this.succeed(path);
  }

  sent(
    path: string,
    effect: EffectClass = 'idempotent',
    compensates: { compensates?: true } = { compensates: true },
  ) {
    return this.tell({
      ...this.claimed(path),
      type: 'intent',
      intent: { ...intentOf(path, effect), ...compensates },
    });
  }

  undo(path: string) {
    this.sent(undoPath(path), 'idempotent', {});
    return this.succeed(undoPath(path));
  }

  get undone(): string[] {
    return [...this.rows.byPath.values()]
      .filter((row) => row.status === 'compensated')
      .map((row) => row.path);
  }
}

const saga = (nodes: readonly NodeConfig[], edges = chained(nodes)) =>
  new Saga(nodes, edges, {}, { onFailure: 'compensate' });
const chained = (nodes: readonly NodeConfig[]) =>
  nodes.slice(1).map((to, i) => ({ from: nodes[i]!.id, to: to.id }));
const typesOf = (events: readonly { type: string; path: string }[]) =>
  events.map(({ type, path }) => (path ? `${type} ${path}` : type));

describe('compensation', () => {
  it('S2, S3: undoes what completed, the last first and one at a time, and then fails with what made it', () => {
    const run = saga([tool('reserve'), tool('charge'), node('note'), tool('ship')]);
    run.effect('reserve');
    run.effect('charge', 'non_repeatable');
    run.succeed('note');
    expect(typesOf(run.fail('ship').events)).toEqual(['outcome.failed ship', 'compensation.planned']);
    expect(run.run.status).toBe('compensating');
    expect(run.statuses()).toMatchObject({
      charge: 'compensating',
      'charge/undo': 'ready',
      reserve: 'succeeded',
      'reserve/undo': 'pending',
    });
    run.undo('charge');
    expect(run.statuses()).toMatchObject({
      charge: 'compensated',
      reserve: 'compensating',
      'reserve/undo': 'ready',
    });
    expect(typesOf(run.undo('reserve').events)).toEqual([
      'outcome.succeeded reserve/undo',
      'compensation.done',
      'run.statusChanged',
    ]);
    expect(run.run).toMatchObject({
      status: 'failed',
      failure: { code: 'is_permanent' },
      more: { compensation: { planned: 2, left: [] } },
    });
    expect(run.fold().run).toEqual(run.run);
  });

  it('S2: order of completion counts, not the order in which they were drawn', () => {
    const run = saga(
      [tool('a'), tool('b'), tool('end', { join: 'every' })],
      [
        { from: 'a', to: 'end' },
        { from: 'b', to: 'end' },
      ],
    );
    run.effect('b');
    run.effect('a');
    run.fail('end');
    run.undo('a');
    run.undo('b');
    expect(run.run.status).toBe('failed');
  });

  it('S1: nothing that can be undone: the run fails at once', () => {
    const run = saga([tool('a'), tool('b')]);
    run.sent('a', 'idempotent', {});
    run.succeed('a');
    run.fail('b');
    expect(run.run.status).toBe('failed');
  });

  it('S1: a flow that does not ask for it undoes nothing', () => {
    const run = new Saga([tool('a'), tool('b')], [{ from: 'a', to: 'b' }]);
    run.effect('a');
    run.fail('b');
    expect(run.run.status).toBe('failed');
    expect(run.statuses()).toMatchObject({ a: 'succeeded' });
  });

  it('S1: a failed effect that a fallback stands in for is not undone', () => {
    const run = saga([tool('a', { onError: { do: 'fallback', value: 1 } } as never), tool('b')]);
    run.sent('a');
    run.fail('a');
    run.fail('b');
    expect(run.run.status).toBe('failed');
  });

  it('S4: never while an effect runs, or while one is in doubt', () => {
    const run = saga([tool('done'), tool('runs'), tool('doubt'), tool('fails')], []);
    run.effect('done');
    run.sent('runs', 'non_repeatable');
    run.sent('doubt', 'non_repeatable');
    run.fail('fails');
    expect(run.run.status).toBe('running');
    run.fail('doubt', 'timed_out', { isAmbiguous: true });
    run.succeed('runs');
    expect(run.statuses()).toMatchObject({ doubt: 'uncertain', runs: 'succeeded' });
    run.tell({ type: 'settle', path: 'doubt', verdict: 'happened', output: 1, by });
    expect(run.run.status).toBe('compensating');
    expect(run.statuses()).toMatchObject({ doubt: 'compensating' });
    for (const path of ['doubt', 'runs', 'done']) run.undo(path);
    expect(run.run.status).toBe('failed');
  });

  it('S1: effects of map items are undone too', () => {
    const run = saga([mapOf('each', [tool('put')]), tool('end')]);
    run.tell({ ...run.claimed('each'), type: 'expanded', count: 2, itemsHash: 'h' });
    for (const path of ['each/0/put', 'each/1/put']) run.effect(path);
    for (const path of ['each/0', 'each/1', 'each']) run.succeed(path);
    run.fail('end');
    run.undo('each/1/put');
    run.undo('each/0/put');
    expect(run.undone).toEqual(['each/0/put', 'each/1/put']);
    expect(run.run.status).toBe('failed');
  });

  it('S4: an undo that fails is tried again, then waits for a person', () => {
    const run = saga([tool('a', { retry: { maxAttempts: 2, jitter: 0 } }), tool('b')]);
    run.effect('a');
    run.fail('b');
    run.sent('a/undo', 'idempotent', {});
    run.fail('a/undo', 'transient');
    expect(run.statuses()).toMatchObject({ 'a/undo': 'retry_wait' });
    run.nowMs += 60_000;
    expect(run.tell({ type: 'timerDue', path: 'a/undo' }).verdict).toBe('applied');
    run.fail('a/undo', 'transient');
    expect(run.row('a/undo')).toMatchObject({ status: 'waiting', reason: 'failure' });
    expect(run.tell({ type: 'retryNode', path: 'a/undo', by }).verdict).toBe('applied');
    run.undo('a');
    expect(run.run).toMatchObject({ status: 'failed', more: { compensation: { left: [] } } });
  });

  test.each([
    ['skip', { verdict: 'skip' as const }],
    ['fail', { verdict: 'fail' as const }],
  ])('S5: a person says %s: the effect stays and is named, the others are undone', (_, settlement) => {
    const run = saga([tool('a'), tool('b'), tool('c')]);
    run.effect('a');
    run.effect('b');
    run.fail('c');
    run.fail('b/undo');
    run.tell({ type: 'settle', path: 'b/undo', by, ...settlement });
    expect(run.statuses()).toMatchObject({ b: 'succeeded', 'a/undo': 'ready' });
    run.undo('a');
    expect(run.run).toMatchObject({ status: 'failed', more: { compensation: { planned: 2, left: ['b'] } } });
    expect(run.journal.at(-2)).toMatchObject({ type: 'compensation.done', data: { left: ['b'] } });
  });

  it('V5: an undo that may have happened is in doubt like any effect', () => {
    const run = saga([tool('a'), tool('b')]);
    run.effect('a', 'non_repeatable');
    run.fail('b');
    const { attempt, workerId } = run.claimed('a/undo');
    run.sent('a/undo', 'non_repeatable', {});
    run.tell({ type: 'lost', path: 'a/undo', attempt, workerId, reason: 'died' });
    expect(run.statuses()).toMatchObject({ a: 'compensating', 'a/undo': 'uncertain' });
    run.tell({ type: 'settle', path: 'a/undo', verdict: 'happened', output: null, by });
    expect(run.statuses()).toMatchObject({ a: 'compensated' });
    expect(run.run.status).toBe('failed');
  });

  describe('cancel', () => {
    it('V11: undoes when asked to, and ends as cancelled', () => {
      const run = saga([tool('a'), tool('b')]);
      run.effect('a');
      run.tell({ type: 'cancel', by, compensate: true });
      expect(run.run.status).toBe('compensating');
      run.undo('a');
      expect(run.run.status).toBe('cancelled');
    });

    it('undoes nothing unless asked to', () => {
      const run = saga([tool('a'), tool('b')]);
      run.effect('a');
      run.tell({ type: 'cancel', by });
      expect(run.run.status).toBe('cancelled');
    });

    it('S4: with a doubt open it waits for the person, also after the grace time', () => {
      const run = saga([tool('a'), tool('b'), tool('c')], []);
      run.effect('a');
      run.sent('b', 'non_repeatable');
      run.fail('b', 'timed_out', { isAmbiguous: true });
      run.sent('c', 'non_repeatable');
      run.tell({ type: 'cancel', by, compensate: true });
      expect(run.tell({ type: 'graceOver' }).verdict).toBe('applied');
      expect(run.statuses()).toMatchObject({ b: 'uncertain', c: 'uncertain' });
      expect(run.tell({ type: 'graceOver' })).toEqual({ verdict: 'notMine', events: [] });
      run.tell({ type: 'settle', path: 'c', verdict: 'did_not_happen', by });
      run.tell({ type: 'settle', path: 'b', verdict: 'happened', output: 1, by });
      run.undo('b');
      run.undo('a');
      expect(run.run.status).toBe('cancelled');
    });

    it('while effects are undone it changes only how the run ends, and asking twice is harmless', () => {
      const run = saga([tool('a'), tool('b')]);
      run.effect('a');
      run.fail('b');
      expect(typesOf(run.tell({ type: 'cancel', by }).events)).toEqual(['run.cancelRequested']);
      expect(run.tell({ type: 'cancel', by })).toEqual({ verdict: 'applied', events: [] });
      run.undo('a');
      expect(run.run.status).toBe('cancelled');
      expect(run.fold().run).toEqual(run.run);
    });
  });

  it('G11: a node that is called undo is a node', () => {
    const run = saga([mapOf('each', [tool('undo')]), tool('end')]);
    run.tell({ ...run.claimed('each'), type: 'expanded', count: 1, itemsHash: 'h' });
    run.effect('each/0/undo');
    for (const path of ['each/0', 'each']) run.succeed(path);
    run.fail('end');
    run.undo('each/0/undo');
    expect(run.run.status).toBe('failed');
  });
});
