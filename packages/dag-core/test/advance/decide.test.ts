// Which mistake would this catch? A fact that is answered wrongly in some state: a late outcome that counts, an effect of which
// nobody knows whether it happened that is sent again, a retry too many, a cancel that misses something, a budget passed.
import { afterEach, describe, expect, it, test } from 'vitest';
import { type Fact, LOSSES_BEFORE_PAUSE, type NodeRunState, type OnError } from '../../src/index.ts';
import { answerOf, failureOf, intentOf, mapOf, node, Scene } from './scene.ts';

const SPEND = { costNanoUsd: 1_000, tokens: 100, modelCalls: 1 };
const NO_SPEND = { costNanoUsd: 0, tokens: 0, modelCalls: 0 };
const by = 'ada';

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

const chain = (more: object = {}) => aScene([node('a', more), node('b')], [{ from: 'a', to: 'b' }]);
const types = ({ events }: { events: readonly { type: string; path: string }[] }) =>
  events.map(({ type, path }) => (path ? `${type} ${path}` : type));

describe('who may speak for a node run (V2, V3, A2)', () => {
  it('takes an outcome of the worker and attempt that hold it', () => {
    const scene = chain();
    expect(scene.succeed('a')).toMatchObject({ verdict: 'applied' });
    expect(scene.statuses()).toEqual({ a: 'succeeded', b: 'ready' });
  });

  const stale: [string, (scene: Scene) => Fact][] = [
    ['another worker', () => ({ path: 'a', attempt: 1, workerId: 'w2', type: 'succeeded', output: 1 })],
    ['an attempt to come', () => ({ path: 'a', attempt: 2, workerId: 'w1', type: 'succeeded', output: 1 })],
    [
      'a node run that was never reached',
      () => ({ path: 'b', attempt: 1, workerId: 'w1', type: 'succeeded', output: 1 }),
    ],
    ['a path the flow does not have', () => ({ path: 'x', attempt: 1, workerId: 'w1', type: 'released' })],
  ];
  test.each(stale)('%s: not theirs, and nothing is written', (_, fact) => {
    const scene = chain();
    scene.claim('a');
    expect(scene.tell(fact(scene))).toEqual({ verdict: 'notMine', events: [] });
    expect(scene.statuses()).toEqual({ a: 'running' });
  });

  it('keeps an outcome of a lost attempt as evidence when something was sent, and changes nothing', () => {
    const scene = chain();
    scene.intent('a', 'idempotent');
    const old = { path: 'a', attempt: 1, workerId: 'w1' };
    scene.tell({ ...old, type: 'lost', reason: 'died' });
    scene.claim('a', 'w2');
    const late = scene.tell({ ...old, type: 'succeeded', output: 'late' });
    expect(late).toMatchObject({
      verdict: 'late',
      events: [{ type: 'outcome.late', attempt: 1, data: { output: 'late' } }],
    });
    expect(scene.tell({ ...old, type: 'failed', failure: failureOf('permanent'), random: 0 })).toMatchObject({
      verdict: 'late',
      events: [{ type: 'outcome.late', data: { failure: { code: 'is_permanent' } } }],
    });
    expect(scene.row('a')).toMatchObject({ status: 'running', attempt: 2, workerId: 'w2', failures: 0 });
    scene.succeed('a');
    expect(scene.statuses()).toEqual({ a: 'succeeded', b: 'ready' });
  });

  it('forgets an outcome of a lost attempt that had sent nothing', () => {
    const scene = chain();
    const old = scene.claim('a');
    scene.tell({ ...old, type: 'lost', reason: 'died' });
    scene.claim('a', 'w2');
    expect(scene.tell({ ...old, type: 'succeeded', output: 'late' })).toEqual({
      verdict: 'notMine',
      events: [],
    });
  });

  it('takes the second of two outcomes of one attempt as evidence only (V2)', () => {
    const scene = chain();
    scene.intent('a', 'idempotent');
    scene.succeed('a');
    const again = scene.tell({ path: 'a', attempt: 1, workerId: 'w1', type: 'succeeded', output: 'other' });
    expect(again.verdict).toBe('late');
    expect(scene.statuses()).toEqual({ a: 'succeeded', b: 'ready' });
  });

  test.each(['intent', 'answered', 'expanded', 'released', 'artifact'] as const)(
    'refuses %s after the node run was taken over',
    (type) => {
      const scene = chain();
      scene.intent('a', 'idempotent');
      const old = { path: 'a', attempt: 1, workerId: 'w1' };
      scene.tell({ ...old, type: 'lost', reason: 'died' });
      scene.claim('a', 'w2');
      const facts: Record<typeof type, Fact> = {
        intent: { ...old, type: 'intent', intent: intentOf('a', 'idempotent') },
        answered: {
          ...old,
          type: 'answered',
          call: 0,
          answer: answerOf(1, 1),
          problem: failureOf('permanent'),
        },
        expanded: { ...old, type: 'expanded', count: 1, itemsHash: 'h' },
        released: { ...old, type: 'released' },
        artifact: {
          ...old,
          type: 'artifact',
          artifact: { artifactId: 'x', name: 'n', version: 1, mediaType: 't', bytes: 1, hash: 'h' },
        },
      };
      expect(scene.tell(facts[type])).toEqual({ verdict: 'notMine', events: [] });
    },
  );

  it('takes a node run that became ready in this very decision, for a worker that ran ahead', () => {
    const scene = chain();
    const first: Fact = { ...scene.claim('a'), type: 'succeeded', output: 1 };
    const ahead: Fact = { path: 'b', attempt: 1, workerId: 'w1', type: 'succeeded', output: 2 };
    expect(scene.tell(ahead).verdict, 'alone').toBe('notMine');
    expect(scene.tellTogether(first, ahead)).toEqual(['applied', 'applied']);
    expect(scene.statuses()).toEqual({ a: 'succeeded', b: 'succeeded' });
  });

  it('does not take it for the attempt of a worker that did not see it become ready', () => {
    const scene = chain();
    scene.succeed('a');
    expect(scene.tell({ path: 'b', attempt: 1, workerId: 'w1', type: 'succeeded', output: 2 }).verdict).toBe(
      'notMine',
    );
  });
});

describe('an outcome of which nobody knows whether it happened (V5)', () => {
  it('of a non-repeatable effect waits for a person, whatever retries are left', () => {
    const scene = chain({ retry: { maxAttempts: 9 } });
    scene.intent('a', 'non_repeatable');
    expect(types(scene.fail('a', 'transient', { isAmbiguous: true }))).toEqual(['nodeRun.waiting a']);
    expect(scene.row('a')).toMatchObject({ status: 'uncertain', reason: 'is_transient' });
    expect(scene.run.status).toBe('waiting');
  });

  test.each(['pure', 'idempotent', 'model'] as const)('of a %s one is tried again', (effect) => {
    const scene = chain();
    if (effect !== 'pure') scene.intent('a', effect);
    expect(scene.fail('a', 'lost', { isAmbiguous: true }).events).toMatchObject([
      { type: 'outcome.failed', data: { next: 'retry' } },
    ]);
  });

  it('of a non-repeatable one without an intent is tried again: nothing can have been sent', () => {
    const scene = chain();
    expect(scene.fail('a', 'lost', { isAmbiguous: true }).events).toMatchObject([
      { data: { next: 'retry' } },
    ]);
  });

  it('a proven failure of a non-repeatable effect is tried again, with a new intent', () => {
    const scene = chain();
    scene.intent('a', 'non_repeatable');
    expect(scene.fail('a', 'transient').events).toMatchObject([{ data: { next: 'retry' } }]);
    expect(scene.row('a').intentSeq).toBeUndefined();
  });
});

describe('retries (T8)', () => {
  it('wait out the back-off, and then start again', () => {
    const scene = chain();
    scene.fail('a', 'transient');
    expect(scene.row('a')).toMatchObject({ status: 'retry_wait', failures: 1, wakeAt: 1_001_000 });
    expect(scene.run.status).toBe('waiting');
    scene.nowMs = 1_000_999;
    expect(scene.tell({ type: 'timerDue', path: 'a' })).toEqual({ verdict: 'notMine', events: [] });
    scene.nowMs = 1_001_000;
    expect(types(scene.tell({ type: 'timerDue', path: 'a' }))).toEqual(['nodeRun.resumed a']);
    expect(scene.tell({ type: 'timerDue', path: 'a' }).verdict, 'a second timer').toBe('notMine');
    scene.succeed('a');
    expect(scene.statuses()).toEqual({ a: 'succeeded', b: 'ready' });
  });

  test.each(['transient', 'timed_out', 'lost'] as const)(
    'that run out on a %s failure leave it to a person',
    (kind) => {
      const scene = chain({ retry: { maxAttempts: 2, jitter: 0 } });
      scene.fail('a', kind);
      scene.nowMs = scene.row('a').wakeAt!;
      scene.tell({ type: 'timerDue', path: 'a' });
      expect(scene.fail('a', kind).events).toMatchObject([
        { type: 'outcome.failed', data: { next: 'pause' } },
      ]);
      expect(scene.row('a')).toMatchObject({ status: 'waiting', reason: 'failure', failures: 2 });
      expect(scene.run.status).toBe('waiting');
    },
  );

  test.each(['permanent', 'budget', 'cancelled'] as const)('are not spent on a %s failure', (kind) => {
    const scene = chain();
    expect(scene.fail('a', kind).events).toMatchObject([
      { type: 'outcome.failed', data: { next: 'stop' } },
      { type: 'run.statusChanged', data: { status: 'failed', failure: { code: `is_${kind}` } } },
    ]);
  });

  it("take the tool's policy, with the node's own over it", () => {
    const scene = chain({ retry: { maxAttempts: 3 } });
    const fact = { ...scene.claim('a'), type: 'failed', failure: failureOf('transient'), random: 0 } as const;
    const { events } = scene.tell({ ...fact, retry: { maxAttempts: 1, initialMs: 5 } });
    expect(events).toMatchObject([{ data: { next: 'retry', retryAt: 1_000_005 } }]);
  });

  it('obey what the server asked for (C67)', () => {
    const scene = chain();
    const failure = { ...failureOf('transient'), retryAfterMs: 7_000 };
    scene.tell({ ...scene.claim('a'), type: 'failed', failure, random: 0 });
    expect(scene.row('a').wakeAt).toBe(1_007_000);
  });

  it('a person may ask for another after they ran out, with all tries before it again', () => {
    const scene = chain({ retry: { maxAttempts: 1 } });
    scene.fail('a', 'transient');
    expect(scene.tell({ type: 'retryNode', path: 'a', by }).verdict).toBe('applied');
    expect(scene.row('a')).toMatchObject({ status: 'ready', failures: 0, failure: undefined });
    expect(scene.tell({ type: 'retryNode', path: 'a', by }).verdict, 'twice').toBe('refused');
  });
});

describe('what a failure leads to (E8)', () => {
  const cases: [string, OnError | undefined, Record<string, string>, string][] = [
    ['nothing is said', undefined, { a: 'failed', c: 'cancelled' }, 'failed'],
    ['fail', { do: 'fail' }, { a: 'failed', c: 'cancelled' }, 'failed'],
    ['pause', { do: 'pause' }, { a: 'waiting', c: 'ready' }, 'running'],
    ['continue', { do: 'continue' }, { a: 'failed', b: 'skipped', e: 'ready', c: 'ready' }, 'running'],
    [
      'fallback',
      { do: 'fallback', value: 7 },
      { a: 'succeeded', b: 'ready', e: 'skipped', c: 'ready' },
      'running',
    ],
  ];
  test.each(cases)('%s', (_, onError, statuses, run) => {
    const scene = aScene(
      [node('a', onError && { onError }), node('b'), node('e'), node('c')],
      [
        { from: 'a', to: 'b' },
        { from: 'a', port: 'error', to: 'e' },
      ],
    );
    scene.fail('a');
    expect(scene.statuses()).toEqual(statuses);
    expect(scene.run.status).toBe(run);
  });

  it('a fallback is the output, and the node run counts as degraded (E10)', () => {
    const scene = chain({ onError: { do: 'fallback', value: 7 } });
    expect(scene.fail('a').events).toMatchObject([{ data: { next: 'fallback', fallback: 7 } }]);
    expect(scene.run).toMatchObject({ degraded: [{ path: 'a', reason: 'is_permanent' }], isPartial: true });
    expect(scene.row('a').outputSeq).toBe(2);
  });

  describe('a fallback to what was kept (K16)', () => {
    const stale = { output: 'kept', at: 0 };
    const failing = (onError: OnError) => {
      const scene = chain({ onError });
      return {
        scene,
        tell: (more: object) =>
          scene.tell({
            ...scene.claimed('a'),
            type: 'failed',
            failure: failureOf('permanent'),
            random: 0,
            ...more,
          }),
      };
    };

    it('goes before the value of the flow, and says how old it is', () => {
      const { scene, tell } = failing({ do: 'fallback', cached: true, value: 7 });
      expect(tell({ stale }).events).toMatchObject([
        { data: { next: 'fallback', fallback: 'kept', stale: { at: 0 } } },
      ]);
      expect(scene.run.degraded).toEqual([
        { path: 'a', reason: 'kept from 1970-01-01T00:00:00.000Z: is_permanent' },
      ]);
    });

    it('without anything kept the value stands in, and without a value there is no fallback', () => {
      expect(failing({ do: 'fallback', cached: true, value: 7 }).tell({}).events).toMatchObject([
        { data: { fallback: 7 } },
      ]);
      const { scene, tell } = failing({ do: 'fallback', cached: true });
      expect(tell({}).events[0]).toMatchObject({ data: { next: 'stop' } });
      expect(scene.run.status).toBe('failed');
    });

    it('is not used where the flow does not say so', () => {
      expect(failing({ do: 'fallback', value: 7 }).tell({ stale }).events).toMatchObject([
        { data: { fallback: 7 } },
      ]);
    });
  });

  it('running siblings end by themselves before the run fails (E9)', () => {
    const scene = aScene([node('a'), node('b'), node('c')]);
    scene.claim('b');
    scene.fail('a');
    expect(scene.statuses()).toEqual({ a: 'failed', b: 'running', c: 'cancelled' });
    expect(scene.run).toMatchObject({ status: 'running', failure: { code: 'is_permanent' } });
    expect(types(scene.succeed('b'))).toEqual(['outcome.succeeded b', 'run.statusChanged']);
    expect(scene.run.status).toBe('failed');
  });

  test.each(['transient', 'timed_out', 'lost'] as const)(
    'while a run stops, a %s failure is not tried again',
    (kind) => {
      const scene = aScene([node('a'), node('b', { onError: { do: 'pause' } })]);
      scene.claim('b');
      scene.fail('a');
      expect(scene.fail('b', kind).events).toMatchObject([
        { data: { next: 'stop' } },
        { data: { status: 'failed' } },
      ]);
    },
  );

  it('an effect in doubt holds a failing run open until a person has settled it', () => {
    const scene = aScene([node('a'), node('b')]);
    scene.intent('b', 'non_repeatable');
    scene.fail('a');
    scene.fail('b', 'lost', { isAmbiguous: true });
    expect(scene.run.status).toBe('waiting');
    scene.tell({ type: 'settle', path: 'b', verdict: 'happened', output: 1, by });
    expect([scene.run.status, scene.row('b').status]).toEqual(['failed', 'succeeded']);
  });
});

describe('a scope that stops inside a run (E7, E9)', () => {
  /** Two items of which the first fails while the second works; more to come. */
  function aStoppingMap(more: object = {}): Scene {
    const scene = aScene(
      [mapOf('m', [node('x'), node('y')], { concurrency: 2, ...more }), node('after')],
      [{ from: 'm', to: 'after' }],
    );
    scene.tell({ ...scene.claim('m'), type: 'expanded', count: 3, itemsHash: 'h' });
    scene.claim('m/1/x');
    scene.fail('m/0/x');
    return scene;
  }

  it('starts nothing more, cancels what has not started and waits for what runs', () => {
    const scene = aStoppingMap();
    expect(scene.statuses()).toEqual({
      m: 'waiting',
      'm/0': 'failed',
      'm/0/x': 'failed',
      'm/0/y': 'cancelled',
      'm/1': 'cancelled',
      'm/1/x': 'running',
      'm/1/y': 'cancelled',
    });
    scene.succeed('m/1/x');
    expect(scene.row('m').failure?.message).toBe('Item 0 failed: It fails.');
    expect(scene.run.status).toBe('failed');
  });

  test.each([
    ['a transient failure is not tried again', (scene: Scene) => scene.fail('m/1/x', 'transient')],
    [
      'a lost attempt is not started again',
      (scene: Scene) => scene.tell({ ...scene.claimed('m/1/x'), type: 'lost', reason: 'died' }),
    ],
    [
      'a node run given back is not started again',
      (scene: Scene) => scene.tell({ ...scene.claimed('m/1/x'), type: 'released' }),
    ],
    ['an effect is not sent any more', (scene: Scene) => scene.intent('m/1/x', 'idempotent')],
  ])('%s', (_, act) => {
    const scene = aStoppingMap({ onError: { do: 'continue' } });
    act(scene);
    expect(['failed', 'cancelled']).toContain(scene.row('m/1/x').status);
    expect([scene.row('m').status, scene.row('after').status]).toEqual(['failed', 'skipped']);
    expect(scene.run).toMatchObject({ activeCount: 0, openCount: 0, status: 'running' });
  });

  it('a wider stop takes it over: the run ends with what runs in there', () => {
    const scene = aScene([
      mapOf('m', [node('x')], { concurrency: 2, onError: { do: 'continue' } }),
      node('b'),
    ]);
    scene.tell({ ...scene.claim('m'), type: 'expanded', count: 2, itemsHash: 'h' });
    scene.claim('m/1/x');
    scene.fail('m/0/x');
    scene.fail('b');
    expect(scene.row('m').status).toBe('cancelled');
    scene.succeed('m/1/x');
    expect(scene.run.status).toBe('failed');
  });

  it('the same with a cancel', () => {
    const scene = aStoppingMap({ onError: { do: 'continue' } });
    scene.tell({ type: 'cancel', by });
    scene.succeed('m/1/x');
    expect(scene.run.status).toBe('cancelled');
  });

  it('a map whose items were stopped is not laid out again, but may be settled', () => {
    const scene = aStoppingMap({ onError: { do: 'pause' } });
    scene.succeed('m/1/x');
    expect(scene.row('m')).toMatchObject({ status: 'waiting', reason: 'failure' });
    expect(scene.tell({ type: 'retryNode', path: 'm', by }).verdict).toBe('refused');
    expect(scene.tell({ type: 'settle', path: 'm', verdict: 'did_not_happen', by }).verdict).toBe('refused');
    expect(scene.tell({ type: 'settle', path: 'm', verdict: 'happened', output: [], by }).verdict).toBe(
      'applied',
    );
    expect(scene.row('after').status).toBe('ready');
  });

  it('a map that failed before it was laid out is tried again, and its items are not held to be stopping', () => {
    const scene = aScene([{ ...mapOf('m', [node('x')]), retry: { maxAttempts: 2 } }]);
    scene.fail('m', 'transient');
    scene.nowMs = scene.row('m').wakeAt!;
    scene.tell({ type: 'timerDue', path: 'm' });
    scene.tell({ ...scene.claim('m'), type: 'expanded', count: 1, itemsHash: 'h' });
    scene.succeed('m/0/x');
    expect(scene.statuses()).toMatchObject({ 'm/0': 'ready', m: 'waiting' });
  });

  it('K11: a map whose list fails for the moment waits for a person: it is not tried again as a whole', () => {
    const scene = aScene([mapOf('m', [node('x')])]);
    scene.fail('m', 'transient');
    expect(scene.row('m')).toMatchObject({ status: 'waiting', reason: 'failure' });
  });

  it.each(['transient', 'timed_out'] as const)(
    'E8: what an item computes at its end is tried again when it is %s',
    (kind) => {
      const scene = aScene([mapOf('m', [node('x')], { retry: { maxAttempts: 1 } })]);
      scene.tell({ ...scene.claim('m'), type: 'expanded', count: 1, itemsHash: 'h' });
      scene.succeed('m/0/x');
      for (let failures = 1; failures < 4; failures += 1) {
        scene.fail('m/0', kind);
        expect(scene.row('m/0')).toMatchObject({ status: 'retry_wait', failures });
        scene.nowMs = scene.row('m/0').wakeAt!;
        scene.tell({ type: 'timerDue', path: 'm/0' });
      }
      scene.fail('m/0', kind);
      expect(scene.statuses()).toMatchObject({ 'm/0': 'failed', m: 'waiting' });
    },
  );

  it('E8: what an item computed when it was tried again is its output', () => {
    const scene = aScene([mapOf('m', [node('x')])]);
    scene.tell({ ...scene.claim('m'), type: 'expanded', count: 1, itemsHash: 'h' });
    scene.succeed('m/0/x');
    scene.fail('m/0', 'timed_out');
    scene.nowMs = scene.row('m/0').wakeAt!;
    scene.tell({ type: 'timerDue', path: 'm/0' });
    scene.succeed('m/0');
    expect(scene.statuses()).toMatchObject({ 'm/0': 'succeeded', m: 'ready' });
  });

  it('a map laid out to nothing is ready to end at once', () => {
    const scene = aScene([mapOf('m', [node('x')])]);
    scene.tell({ ...scene.claim('m'), type: 'expanded', count: 0, itemsHash: 'h' });
    expect(scene.row('m')).toMatchObject({ status: 'ready', itemCount: 0 });
  });
});

describe('cancel (V11)', () => {
  const reach: [string, (scene: Scene) => void, string][] = [
    ['ready', () => {}, 'cancelled'],
    ['retry_wait', (scene) => scene.fail('a', 'transient'), 'cancelled'],
    ['waiting', (scene) => scene.fail('a', 'permanent'), 'cancelled'],
    [
      'uncertain',
      (scene) => {
        scene.intent('a', 'non_repeatable');
        scene.fail('a', 'lost', { isAmbiguous: true });
      },
      'cancelled',
    ],
    ['blocked', (scene) => scene.intent('a', 'model', { ...SPEND, tokens: 9_999 }), 'cancelled'],
    ['succeeded', (scene) => scene.succeed('a'), 'succeeded'],
  ];
  test.each(reach)('reaches a node run that is %s at once', (status, act, after) => {
    const scene = aScene([node('a', { onError: { do: 'pause' } }), node('b')], [{ from: 'a', to: 'b' }], {
      tokens: 500,
    });
    act(scene);
    expect(scene.row('a').status).toBe(status);
    const told = scene.tell({ type: 'cancel', by, reason: 'enough' });
    expect(told.verdict).toBe('applied');
    expect(told.events[0]).toMatchObject({ type: 'run.cancelRequested', data: { by, reason: 'enough' } });
    expect([scene.run.status, scene.row('a').status]).toEqual(['cancelled', after]);
    if (status === 'uncertain')
      expect(told.events[1]).toMatchObject({ type: 'nodeRun.cancelled', data: { doubt: true } });
  });

  it('reaches a join that waits for more edges, and items of maps', () => {
    const scene = aScene(
      [
        node('a'),
        node('b'),
        node('j', { kind: 'join' } as object),
        mapOf('m', [node('x')], { concurrency: 1 }),
      ],
      [
        { from: 'a', to: 'j' },
        { from: 'b', to: 'j' },
      ],
    );
    scene.succeed('a');
    scene.tell({ ...scene.claim('m'), type: 'expanded', count: 2, itemsHash: 'h' });
    scene.claim('m/0/x');
    scene.tell({ type: 'cancel', by });
    expect(scene.statuses()).toEqual({
      a: 'succeeded',
      b: 'cancelled',
      j: 'cancelled',
      m: 'cancelled',
      'm/0': 'cancelled',
      'm/0/x': 'running',
    });
    expect(scene.run.status).toBe('cancelling');
    const { events } = scene.succeed('m/0/x');
    expect(events).toMatchObject([{ data: { afterCancel: true } }, { data: { status: 'cancelled' } }]);
  });

  it('waits for what runs; what ends meanwhile is kept and marked, and nothing follows from it', () => {
    const scene = aScene([node('a'), node('b'), node('c')], [{ from: 'a', to: 'c' }]);
    scene.claim('a');
    scene.claim('b');
    scene.tell({ type: 'cancel', by });
    expect(scene.tell({ type: 'cancel', by }), 'asked twice').toEqual({ verdict: 'applied', events: [] });
    expect(scene.succeed('a').events).toMatchObject([
      { type: 'outcome.succeeded', data: { afterCancel: true } },
    ]);
    expect(scene.statuses()).toEqual({ a: 'succeeded', b: 'running' });
    expect(scene.fail('b', 'cancelled').events).toMatchObject([
      { type: 'outcome.failed', data: { next: 'stop', afterCancel: true } },
      { type: 'run.statusChanged', data: { status: 'cancelled' } },
    ]);
    expect(scene.row('b').status).toBe('cancelled');
  });

  it('starts no effect any more: the intent is answered with stopped', () => {
    const scene = chain();
    scene.claim('a');
    scene.tell({ type: 'cancel', by });
    expect(scene.intent('a', 'idempotent').verdict).toBe('stopped');
    expect([scene.run.status, scene.row('a').status]).toEqual(['cancelled', 'cancelled']);
  });

  it('an effect that ends in doubt after the cancel is kept as doubt', () => {
    const scene = chain();
    scene.intent('a', 'non_repeatable');
    scene.tell({ type: 'cancel', by });
    expect(scene.fail('a', 'lost', { isAmbiguous: true }).events).toMatchObject([
      { type: 'nodeRun.waiting' },
      { type: 'nodeRun.cancelled', data: { doubt: true } },
      { data: { status: 'cancelled' } },
    ]);
  });

  it('ends after the grace time whatever runs; a non-repeatable effect that was sent stays in doubt', () => {
    const scene = aScene([node('a'), node('b')]);
    scene.intent('a', 'non_repeatable');
    scene.intent('b', 'idempotent');
    expect(scene.tell({ type: 'graceOver' }), 'before').toEqual({ verdict: 'notMine', events: [] });
    scene.tell({ type: 'cancel', by });
    expect(scene.tell({ type: 'graceOver' }).events).toEqual([
      expect.objectContaining({ path: 'a', data: { v: 1, reason: 'grace', doubt: true } }),
      expect.objectContaining({ path: 'b', data: { v: 1, reason: 'grace' } }),
      expect.objectContaining({ type: 'run.statusChanged', data: { v: 1, status: 'cancelled' } }),
    ]);
    expect(scene.tell({ path: 'a', attempt: 1, workerId: 'w1', type: 'succeeded', output: 1 }).verdict).toBe(
      'late',
    );
    expect(scene.tell({ type: 'graceOver' }).verdict).toBe('notMine');
  });

  it('is refused once the run has ended', () => {
    const scene = aScene([node('a')]);
    scene.fail('a');
    expect(scene.tell({ type: 'cancel', by })).toEqual({ verdict: 'refused', events: [] });
  });
});

describe('settling (V5)', () => {
  function doubt(more: object = {}): Scene {
    const scene = chain(more);
    scene.intent('a', 'non_repeatable', SPEND);
    scene.fail('a', 'lost', { isAmbiguous: true });
    expect(scene.run.reserved).toEqual(SPEND);
    return scene;
  }

  it('happened: the given output counts, and its reservation as spent', () => {
    const scene = doubt();
    const { verdict, events } = scene.tell({ type: 'settle', path: 'a', verdict: 'happened', output: 5, by });
    expect(verdict).toBe('applied');
    expect(events).toMatchObject([
      { type: 'inbox.answered', attempt: 1, data: { question: 3, decision: 'happened', by } },
      { type: 'outcome.succeeded', attempt: 1, data: { output: 5, settledBy: by } },
    ]);
    expect(scene.statuses()).toEqual({ a: 'succeeded', b: 'ready' });
    expect(scene.run).toMatchObject({ reserved: NO_SPEND, spent: SPEND });
  });

  it('did not happen: it is started again with a new intent, and what was reserved is free', () => {
    const scene = doubt();
    expect(types(scene.tell({ type: 'settle', path: 'a', verdict: 'did_not_happen', by }))).toEqual([
      'inbox.answered a',
      'nodeRun.resumed a',
    ]);
    expect(scene.row('a')).toMatchObject({ status: 'ready', intentSeq: undefined });
    expect(scene.run).toMatchObject({ reserved: NO_SPEND, spent: NO_SPEND });
  });

  it('skip: what follows is skipped, and what was reserved counts as spent', () => {
    const scene = doubt();
    const { events } = scene.tell({ type: 'settle', path: 'a', verdict: 'skip', by });
    expect(events).toMatchObject([
      { type: 'inbox.answered', path: 'a', data: { decision: 'skip', by } },
      { type: 'nodeRun.skipped', path: 'a', data: { killedBy: ['settled by ada'] } },
      { type: 'nodeRun.skipped', path: 'b', data: { killedBy: ['a->b'] } },
    ]);
    expect(scene.run).toMatchObject({ reserved: NO_SPEND, spent: SPEND, openCount: 0 });
  });

  it('fail: what the flow says about failures follows', () => {
    const scene = doubt({ onError: { do: 'continue' } });
    const fact: Fact = { type: 'settle', path: 'a', verdict: 'fail', reason: 'The bank says no.', by };
    expect(scene.tell(fact).events[1]).toMatchObject({
      type: 'outcome.failed',
      data: {
        next: 'continue',
        settledBy: by,
        failure: { code: 'settled_as_failed', message: 'The bank says no.' },
      },
    });
    expect(scene.statuses()).toEqual({ a: 'failed', b: 'skipped' });
  });

  it('fail ends it also where the flow says pause: a person has decided', () => {
    const scene = doubt({ onError: { do: 'pause' } });
    scene.tell({ type: 'settle', path: 'a', verdict: 'fail', by });
    expect([scene.run.status, scene.row('a').status]).toEqual(['failed', 'failed']);
  });

  type Verdict = 'happened' | 'did_not_happen' | 'skip' | 'fail';
  const verdicts: (Extract<Fact, { type: 'settle' }> & { verdict: Verdict })[] = [
    { type: 'settle', path: 'a', verdict: 'happened', output: 1, by },
    { type: 'settle', path: 'a', verdict: 'did_not_happen', by },
    { type: 'settle', path: 'a', verdict: 'skip', by },
    { type: 'settle', path: 'a', verdict: 'fail', by },
  ];
  test.each(verdicts)('$verdict: the first decision wins, others are refused', (fact) => {
    const scene = doubt();
    scene.tell(fact);
    for (const other of verdicts) expect(scene.tell(other)).toEqual({ verdict: 'refused', events: [] });
  });

  test.each(verdicts)('$verdict settles a node run that waits for a person after a failure, too', (fact) => {
    const scene = chain({ onError: { do: 'pause' } });
    scene.fail('a');
    expect(scene.tell(fact).verdict).toBe('applied');
    expect(scene.row('a').status).toBe(
      { happened: 'succeeded', did_not_happen: 'ready', skip: 'skipped', fail: 'failed' }[fact.verdict],
    );
  });

  test.each(verdicts)(
    '$verdict is refused while the node run is ready, running or waits for a retry',
    (fact) => {
      const scene = chain();
      expect(scene.tell(fact).verdict).toBe('refused');
      scene.claim('a');
      expect(scene.tell(fact).verdict).toBe('refused');
      scene.fail('a', 'transient');
      expect(scene.tell(fact).verdict).toBe('refused');
    },
  );

  it('did not happen, while the run stops: it is cancelled and the run ends', () => {
    const scene = aScene([node('a'), node('b')]);
    scene.intent('a', 'non_repeatable');
    scene.fail('a', 'lost', { isAmbiguous: true });
    scene.fail('b');
    scene.tell({ type: 'settle', path: 'a', verdict: 'did_not_happen', by });
    expect([scene.run.status, scene.row('a').status]).toEqual(['failed', 'cancelled']);
  });
});

describe('lost attempts (V5)', () => {
  const lose = (scene: Scene, path = 'a') =>
    scene.tell({ ...scene.claimed(path), type: 'lost', reason: 'worker died' });

  test.each([
    ['pure', false, 'ready'],
    ['idempotent', true, 'ready'],
    ['model', true, 'ready'],
    ['non_repeatable', false, 'ready'],
    ['non_repeatable', true, 'uncertain'],
  ] as const)('%s, intent recorded: %s → %s', (effect, hasIntent, next) => {
    const scene = chain();
    if (hasIntent) scene.intent('a', effect);
    expect(lose(scene).events).toMatchObject([
      { type: 'attempt.lost', data: { workerId: 'w1', next, reason: 'worker died' } },
    ]);
    expect(scene.row('a').status).toBe(next);
    expect(scene.row('a').failures, 'a loss is no failed try').toBe(0);
  });

  it('are taken over once: the second sweeper is told that there is nothing to take', () => {
    const scene = chain();
    const fact: Fact = { ...scene.claim('a'), type: 'lost', reason: 'died' };
    expect(scene.tell(fact).verdict).toBe('applied');
    expect(scene.tell(fact)).toEqual({ verdict: 'notMine', events: [] });
    scene.claim('a', 'w2');
    expect(scene.tell(fact)).toEqual({ verdict: 'notMine', events: [] });
  });

  it('count what was reserved as spent: the call may have been answered (V6)', () => {
    const scene = chain();
    scene.intent('a', 'model', SPEND);
    lose(scene);
    expect(scene.run).toMatchObject({ reserved: NO_SPEND, spent: SPEND });
    expect(scene.row('a')).toMatchObject({ costNanoUsd: 1_000, tokens: 100, reserved: undefined });
  });

  it(`leave it to a person after ${LOSSES_BEFORE_PAUSE}: it may be what kills the workers`, () => {
    const scene = chain();
    for (let i = 1; i < LOSSES_BEFORE_PAUSE; i++) expect(types(lose(scene))).toEqual(['attempt.lost a']);
    expect(types(lose(scene))).toEqual(['attempt.lost a', 'outcome.failed a']);
    expect(scene.row('a')).toMatchObject({
      status: 'waiting',
      reason: 'failure',
      failure: { code: 'lost_too_often' },
    });
    expect(scene.run.status).toBe('waiting');
  });

  it('while the run is cancelled: not started again, and the run ends', () => {
    const scene = chain();
    scene.claim('a');
    scene.tell({ type: 'cancel', by });
    lose(scene);
    expect([scene.run.status, scene.row('a').status]).toEqual(['cancelled', 'cancelled']);
  });
});

describe('budget (V6)', () => {
  const aBudget = (limits: object) => aScene([node('a'), node('b')], [], limits);

  it('is reserved with the intent and settled to what the answer cost', () => {
    const scene = aBudget({ tokens: 150 });
    scene.intent('a', 'model', SPEND);
    expect(scene.run).toMatchObject({ reserved: SPEND, spent: NO_SPEND });
    scene.succeed('a', { answer: answerOf(700, 60) });
    expect(scene.run).toMatchObject({
      reserved: NO_SPEND,
      spent: { costNanoUsd: 700, tokens: 60, modelCalls: 1 },
    });
    expect(scene.row('a')).toMatchObject({ costNanoUsd: 700, tokens: 60 });
  });

  test.each([
    ['tokens', { tokens: 150 }, { limit: 150, wanted: 200 }],
    ['costUsd', { costUsd: 0.0000015 }, { limit: 0.0000015, wanted: 0.000002 }],
    ['modelCalls', { modelCalls: 1 }, { limit: 1, wanted: 2 }],
  ])('%s: no room for a second call while the first is under way', (unit, limits, missing) => {
    const scene = aBudget(limits);
    scene.intent('a', 'model', SPEND);
    const { verdict, events } = scene.intent('b', 'model', SPEND);
    expect(verdict).toBe('blocked');
    expect(events).toMatchObject([
      {
        type: 'nodeRun.waiting',
        path: 'b',
        data: { status: 'blocked', reason: 'budget', detail: { [unit]: missing } },
      },
      { type: 'run.statusChanged', data: { status: 'paused', reason: 'budget' } },
    ]);
    expect(scene.run).toMatchObject({ status: 'paused', reserved: SPEND });
    scene.succeed('a', { answer: answerOf(700, 60) });
    expect(scene.run.status, 'what runs ends, what is blocked stays').toBe('paused');
  });

  it('fits exactly', () => {
    const scene = aBudget({ tokens: 200, modelCalls: 2 });
    scene.intent('a', 'model', SPEND);
    expect(scene.intent('b', 'model', SPEND).verdict).toBe('applied');
  });

  it('raised by a recorded decision, the run goes on and the call is asked for again', () => {
    const scene = aBudget({ tokens: 50, costUsd: 1 });
    scene.intent('a', 'model', SPEND);
    expect(scene.tell({ type: 'raiseBudget', limits: { tokens: 100 }, by }).events).toMatchObject([
      { type: 'run.budgetChanged', data: { limits: { tokens: 100, costUsd: 1 }, by } },
      { type: 'nodeRun.resumed', path: 'a', data: { reason: 'budget', by } },
      { type: 'run.statusChanged', data: { status: 'running' } },
    ]);
    expect(scene.intent('a', 'model', SPEND).verdict).toBe('applied');
    expect(scene.run.reserved).toEqual(SPEND);
  });

  it('raised too little, the run pauses again', () => {
    const scene = aBudget({ tokens: 50 });
    scene.intent('a', 'model', SPEND);
    scene.tell({ type: 'raiseBudget', limits: { tokens: 99 }, by });
    expect(scene.intent('a', 'model', SPEND).verdict).toBe('blocked');
    expect(scene.run.status).toBe('paused');
  });

  it('a call whose answer was lost is settled at its reservation, and marked (semantics §5)', () => {
    const scene = aBudget({});
    scene.intent('a', 'model', SPEND);
    expect(scene.fail('a', 'lost', { isAmbiguous: true }).events).toMatchObject([
      { data: { lostSpend: true } },
    ]);
    expect(scene.run).toMatchObject({ reserved: NO_SPEND, spent: SPEND });
  });

  it('a call that failed with an answer costs what it says, one without was still a call', () => {
    const scene = aBudget({});
    scene.intent('a', 'model', SPEND);
    scene.fail('a', 'permanent', { answer: answerOf(5, 7) });
    expect(scene.run.spent).toEqual({ costNanoUsd: 5, tokens: 7, modelCalls: 1 });
    const other = aBudget({});
    other.intent('a', 'model', SPEND);
    other.fail('a', 'transient');
    expect(other.run).toMatchObject({
      reserved: NO_SPEND,
      spent: { costNanoUsd: 0, tokens: 0, modelCalls: 1 },
    });
  });

  it('a repair call is settled on its own', () => {
    const scene = aBudget({ tokens: 150 });
    scene.intent('a', 'model', SPEND);
    scene.tell({
      ...scene.claimed('a'),
      type: 'answered',
      call: 0,
      answer: answerOf(5, 40),
      problem: failureOf('permanent'),
    });
    expect(scene.run).toMatchObject({ reserved: NO_SPEND, spent: { tokens: 40, modelCalls: 1 } });
    scene.intent('a', 'model', SPEND);
    scene.succeed('a', { answer: answerOf(5, 30) });
    expect(scene.run.spent).toMatchObject({ tokens: 70, modelCalls: 2 });
    expect(scene.row('a').tokens).toBe(70);
  });

  it('given back before sending and prepared again, a call is reserved for once', () => {
    const scene = aBudget({ tokens: 150 });
    scene.intent('a', 'model', SPEND);
    scene.tell({ ...scene.claimed('a'), type: 'released' });
    expect(scene.intent('a', 'model', SPEND).verdict).toBe('applied');
    expect(scene.run.reserved).toEqual(SPEND);
  });

  it('a cancelled call counts as spent', () => {
    const scene = aBudget({});
    scene.intent('a', 'model', SPEND);
    scene.tell({ type: 'cancel', by });
    scene.tell({ type: 'graceOver' });
    expect(scene.run).toMatchObject({ status: 'cancelled', reserved: NO_SPEND, spent: SPEND });
  });

  it('of time: the run pauses, ready work waits, and more time lets it go on', () => {
    const scene = aBudget({ wallClockMs: 1_000 });
    expect(scene.tell({ type: 'overtime' }).events).toMatchObject([
      { data: { status: 'paused', reason: 'wall_clock' } },
    ]);
    expect(scene.tell({ type: 'overtime' }), 'twice').toEqual({ verdict: 'notMine', events: [] });
    expect(scene.tell({ type: 'raiseBudget', limits: { wallClockMs: 9_000 }, by }).verdict).toBe('applied');
    expect(scene.run.status).toBe('running');
  });

  it('is not raised once the run has ended', () => {
    const scene = aBudget({});
    scene.fail('a');
    expect(scene.tell({ type: 'raiseBudget', limits: { tokens: 1 }, by })).toEqual({
      verdict: 'refused',
      events: [],
    });
  });
});

describe('the end of a run (E10, E11)', () => {
  it('is due when every node has ended, and is told once', () => {
    const scene = aScene([node('a')]);
    expect(scene.tell({ type: 'runEnded', output: 1 }), 'too early').toEqual({
      verdict: 'notMine',
      events: [],
    });
    scene.succeed('a');
    expect(scene.run).toMatchObject({ status: 'running', openCount: 0, activeCount: 0 });
    expect(scene.tell({ type: 'runEnded', output: { all: 1 } }).events).toEqual([
      {
        type: 'run.statusChanged',
        path: '',
        attempt: 0,
        data: { v: 1, status: 'succeeded', output: { all: 1 } },
      },
    ]);
    expect(scene.run.outputSeq).toBe(3);
    expect(scene.tell({ type: 'runEnded', output: 2 })).toEqual({ verdict: 'notMine', events: [] });
  });

  it('is partial with what is degraded named', () => {
    const scene = aScene([node('a', { onError: { do: 'fallback', value: 1 } })]);
    scene.fail('a');
    expect(scene.tell({ type: 'runEnded', output: 1 }).events).toMatchObject([
      { data: { status: 'partial', degraded: [{ path: 'a' }] } },
    ]);
  });

  it('is partial when something failed and was continued past', () => {
    const scene = aScene([node('a', { onError: { do: 'continue' } })]);
    scene.fail('a');
    scene.tell({ type: 'runEnded', output: 1 });
    expect(scene.run).toMatchObject({ status: 'partial', degraded: [{ path: 'a', hasFailed: true }] });
  });

  it('succeeds also when everything after the roots was skipped', () => {
    const scene = chain();
    scene.succeed('a', { ports: [] });
    scene.tell({ type: 'runEnded', output: {} });
    expect(scene.run.status).toBe('succeeded');
  });

  it('fails when its output cannot be computed', () => {
    const scene = aScene([node('a')]);
    scene.succeed('a');
    const { events } = scene.tell({ type: 'runEnded', failure: failureOf('permanent') });
    expect(events).toMatchObject([{ data: { status: 'failed', failure: { code: 'is_permanent' } } }]);
    expect(events[0]!.data).not.toHaveProperty('output');
  });

  it('waits while the run is paused', () => {
    const scene = aScene([node('a')]);
    scene.claim('a');
    scene.tell({ type: 'overtime' });
    scene.succeed('a');
    expect(scene.tell({ type: 'runEnded', output: 1 }).verdict).toBe('notMine');
  });
});
