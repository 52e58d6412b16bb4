// Which mistake would this catch? Two runs that are one piece of work and of which one ends, stops or goes on without the other.
import { afterEach, describe, expect, it } from 'vitest';
import {
  compileGraph,
  Decider,
  type JournalEvent,
  type NodeConfig,
  type ParentRun,
  type WordUp,
  wordDown,
  wordUp,
} from '../../src/index.ts';
import { answerOf, intentOf, mapOf, node, Scene } from './scene.ts';

let scenes: Scene[] = [];
function aScene(...args: ConstructorParameters<typeof Scene>): Scene {
  const scene = new Scene(...args);
  scenes.push(scene);
  return scene;
}
/** J2 holds for every scene: the journal alone tells the same state. */
afterEach(() => {
  for (const scene of scenes) {
    const fold = scene.fold();
    expect(fold.run).toEqual(scene.run);
    for (const row of scene.rows.byPath.values()) {
      const told = fold.rows.get(row.path)!;
      if (row.status !== 'running') expect({ ...told, attempt: row.attempt }).toEqual(row);
    }
  }
  scenes = [];
});

const flowNode = (id: string, more: Partial<NodeConfig> = {}) =>
  node(id, { kind: 'flow', flow: 'inner@self', ...more } as Partial<NodeConfig>);
const graph = compileGraph({ format: 'pawl/1', name: 'inner', nodes: [node('a')], edges: [] });
const start = { type: 'startsFlow', flow: 'inner', versionId: 'v2', graph, input: null, budget: {} } as const;
const below = (path: string, depth = 1): ParentRun => ({ runId: 'outer', path, versionId: 'v', depth });

/** Starts the sub-flow of a node run; the scene of its run. */
function starts(
  outer: Scene,
  path: string,
  runId = 'inner',
  nodes: readonly NodeConfig[] = [node('a')],
): Scene {
  expect(outer.tell({ ...outer.claimed(path), ...start, runId }).verdict).toBe('applied');
  return aScene(nodes, [], {}, {}, below(path));
}

/** What the inner run says, told to the outer one. */
function saysUp(inner: Scene, outer: Scene, path: string, runId = 'inner') {
  const { endSeq, ...word } = wordUp(runId, inner.run);
  const ended = endSeq === undefined ? undefined : inner.journal[endSeq - 1];
  if (ended?.type !== 'run.statusChanged') throw new Error('the inner run has not ended');
  const { status, output, failure } = ended.data;
  const end: WordUp['end'] = { status, ...(output !== undefined && { output }), ...(failure && { failure }) };
  return outer.tell({ type: 'subFlowSaid', path, word: { ...word, end } });
}
const saysDown = (outer: Scene, inner: Scene, path: string) =>
  inner.tell({ type: 'parentSaid', word: wordDown(outer.run, outer.row(path)) });
const told = (scene: Scene) => {
  const paths = [...scene.view.tell];
  scene.view.tell.clear();
  return paths;
};
const ends = (inner: Scene, output = 'out') => inner.tell({ type: 'runEnded', output });
const types = (events: readonly JournalEvent[]) => events.map(({ type }) => type);

describe('a sub-flow that ends well', () => {
  it('F1, F2: its node run waits without a worker, and the run waits with it', () => {
    const outer = aScene([flowNode('f'), node('after')], [{ from: 'f', to: 'after' }]);
    starts(outer, 'f');
    expect(outer.row('f')).toMatchObject({ status: 'waiting', reason: 'flow', workerId: undefined });
    expect(outer.row('f').more?.subFlow).toMatchObject({ runId: 'inner', flow: 'inner', versionId: 'v2' });
    expect(outer.run).toMatchObject({ status: 'waiting', more: { subFlows: 1 } });
  });

  it('F3, F6: gives its output once, and what it spent is spent above', () => {
    const outer = aScene([flowNode('f'), node('after')], [{ from: 'f', to: 'after' }]);
    const inner = starts(outer, 'f');
    inner.intent('a', 'model', { costNanoUsd: 9, tokens: 90, modelCalls: 1 });
    inner.succeed('a', { answer: answerOf(7, 70) });
    ends(inner);
    expect(told(inner)).toEqual(['']);
    const { verdict, events } = saysUp(inner, outer, 'f');
    expect(verdict).toBe('applied');
    expect(types(events)).toEqual(['flow.ended', 'outcome.succeeded']);
    expect(outer.statuses()).toEqual({ f: 'succeeded', after: 'ready' });
    expect(outer.run.spent).toEqual({ costNanoUsd: 7, tokens: 70, modelCalls: 1 });
    expect(outer.run.more?.subFlows).toBeUndefined();
    expect(saysUp(inner, outer, 'f')).toEqual({ verdict: 'notMine', events: [] });
    expect(outer.run.spent.tokens).toBe(70);
  });

  it('F3: a partial run degrades the node run, and the run above', () => {
    const outer = aScene([flowNode('f')]);
    const inner = starts(outer, 'f', 'inner', [node('a', { onError: { do: 'continue' } })]);
    inner.fail('a');
    ends(inner);
    saysUp(inner, outer, 'f');
    expect(outer.row('f').status).toBe('succeeded');
    expect(outer.run.degraded).toEqual([{ path: 'f', reason: 'the run inner of inner ended partial' }]);
  });

  it('F1: runs lie 16 deep below each other and no deeper', () => {
    const deep = (depth: number) => aScene([flowNode('f')], [], {}, {}, below('f', depth));
    expect(deep(15).tell({ ...scenes.at(-1)!.claimed('f'), ...start, runId: 'r' }).verdict).toBe('applied');
    const deepest = deep(16);
    deepest.tell({ ...deepest.claimed('f'), ...start, runId: 'r' });
    expect(deepest.row('f')).toMatchObject({ status: 'failed', failure: { code: 'flow_nesting_limit' } });
    expect(deepest.run.status).toBe('failed');
  });

  it('F1: a paused run starts none: the node run is given back', () => {
    const outer = aScene([flowNode('f')]);
    const by = outer.claimed('f');
    outer.tell({ type: 'pauseRun', by: 'ada' });
    expect(outer.tell({ ...by, ...start, runId: 'r' })).toMatchObject({ verdict: 'stopped', events: [] });
    expect(outer.row('f').status).toBe('ready');
  });
});

describe('a sub-flow that fails', () => {
  const failing = (more: Partial<NodeConfig> = {}) => {
    const outer = aScene([flowNode('f', more)]);
    const inner = starts(outer, 'f');
    inner.fail('a');
    expect(inner.run.status).toBe('failed');
    return { outer, inner, ...saysUp(inner, outer, 'f') };
  };

  it('F3: fails its node run with its code, the run named, and the run above', () => {
    const { outer } = failing();
    expect(outer.row('f').failure).toEqual({
      code: 'is_permanent',
      message: 'The run inner of inner failed: It fails.',
      class: 'permanent',
    });
    expect(outer.run).toMatchObject({ status: 'failed', failure: { code: 'is_permanent' } });
  });

  it('F3, E8: onError says what follows', () => {
    expect(failing({ onError: { do: 'fallback', value: 1 } }).outer.row('f').status).toBe('succeeded');
    expect(failing({ onError: { do: 'continue' } }).outer.run.isPartial).toBe(true);
    const { outer } = failing({ onError: { do: 'pause' } });
    expect(outer.row('f')).toMatchObject({ status: 'waiting', reason: 'failure' });
    outer.tell({ type: 'retryNode', path: 'f', by: 'ada' });
    const second = starts(outer, 'f', 'second');
    second.succeed('a');
    ends(second);
    saysUp(second, outer, 'f', 'second');
    expect(outer.row('f').status).toBe('succeeded');
  });

  it('T8: its own retry makes a new run of each try; the word of an earlier one changes nothing', () => {
    const outer = aScene([flowNode('f', { retry: { maxAttempts: 2, initialMs: 1_000 } })]);
    const inner = starts(outer, 'f', 'inner', [
      node('a', { retry: { maxAttempts: 1 }, onError: { do: 'fail' } }),
    ]);
    inner.fail('a', 'transient');
    saysUp(inner, outer, 'f');
    expect(outer.row('f').status).toBe('retry_wait');
    outer.nowMs += 2_000;
    outer.tell({ type: 'timerDue', path: 'f' });
    starts(outer, 'f', 'second');
    expect(saysUp(inner, outer, 'f').verdict).toBe('notMine');
    expect(outer.row('f').more?.subFlow?.runId).toBe('second');
  });

  it('F3: one that a person cancelled is a failure of the node run', () => {
    const outer = aScene([flowNode('f')]);
    const inner = starts(outer, 'f');
    inner.tell({ type: 'cancel', by: 'ada' });
    saysUp(inner, outer, 'f');
    expect(outer.row('f').failure).toMatchObject({ code: 'flow_cancelled', class: 'permanent' });
    expect(outer.run.status).toBe('failed');
  });
});

describe('a run that stops', () => {
  it('F5, C08: a cancel reaches every run below, and names the one request; the run above ends last', () => {
    const outer = aScene([flowNode('f'), node('other')]);
    const middle = starts(outer, 'f', 'middle', [flowNode('g')]);
    expect(middle.tell({ ...middle.claimed('g'), ...start, runId: 'inner' }).verdict).toBe('applied');
    const inner = aScene([node('a')], [], {}, {}, { runId: 'middle', path: 'g', versionId: 'v', depth: 2 });
    const holding = inner.claimed('a');
    const { events } = outer.tell({ type: 'cancel', by: 'ada' });
    expect(types(events)).toEqual(['run.cancelRequested', 'flow.stopAsked', 'nodeRun.cancelled']);
    const origin = {
      runId: 'outer',
      seq: outer.journal.findIndex((e) => e.type === 'run.cancelRequested') + 1,
    };
    expect(outer.run.status).toBe('cancelling');
    expect(outer.tell({ type: 'graceOver' }).verdict).toBe('notMine');
    saysDown(outer, middle, 'f');
    saysDown(middle, inner, 'g');
    for (const scene of [middle, inner])
      expect(scene.journal.find((e) => e.type === 'run.cancelRequested')?.data).toMatchObject({ origin });
    expect([outer, middle, inner].map(({ run }) => run.status)).toEqual(Array(3).fill('cancelling'));
    inner.tell({ ...holding, type: 'succeeded', output: 1 });
    expect(inner.run.status).toBe('cancelled');
    saysUp(inner, middle, 'g', 'inner');
    expect(middle.run.status).toBe('cancelled');
    saysUp(middle, outer, 'f', 'middle');
    expect(outer.run.status).toBe('cancelled');
    expect(outer.row('f').status).toBe('cancelled');
  });

  it('E9, F5: a failure elsewhere stops the sub-flow; the run fails when that has ended', () => {
    const outer = aScene([flowNode('f'), node('other')]);
    const inner = starts(outer, 'f');
    const { events } = outer.fail('other');
    expect(types(events)).toEqual(['outcome.failed', 'flow.stopAsked']);
    expect(outer.run.status).toBe('waiting');
    expect(told(outer)).toEqual(['f']);
    saysDown(outer, inner, 'f');
    expect(inner.run.status).toBe('cancelled');
    saysUp(inner, outer, 'f');
    expect(outer.statuses()).toMatchObject({ f: 'cancelled', other: 'failed' });
    expect(outer.run.status).toBe('failed');
  });

  it('E9: an item that fails stops the sub-flows of the map only', () => {
    const each = mapOf('m', [flowNode('f')], { concurrency: 2 } as never);
    const outer = aScene([each, node('other')]);
    outer.tell({ ...outer.claimed('m'), type: 'expanded', count: 2, itemsHash: 'h' });
    const [first, second] = ['m/0/f', 'm/1/f'].map((path, i) => starts(outer, path, `r${i}`)) as [
      Scene,
      Scene,
    ];
    first.fail('a');
    saysUp(first, outer, 'm/0/f', 'r0');
    expect(outer.row('m/1/f').more?.subFlow?.stop?.reason).toBe('stop');
    expect(outer.row('m').status).toBe('waiting');
    saysDown(outer, second, 'm/1/f');
    saysUp(second, outer, 'm/1/f', 'r1');
    expect(outer.statuses()).toMatchObject({ m: 'failed', 'm/1/f': 'cancelled' });
  });

  it('T16: a run whose time is over stops its sub-flows', () => {
    const outer = aScene([flowNode('f')], [], {}, { timeoutMs: 1 });
    const inner = starts(outer, 'f');
    outer.tell({ type: 'timedOut' });
    saysDown(outer, inner, 'f');
    saysUp(inner, outer, 'f');
    expect(outer.run).toMatchObject({ status: 'failed', failure: { code: 'run_timed_out' } });
  });

  it('V2: one that had succeeded when the stop reached it counts as what it is', () => {
    const outer = aScene([flowNode('f')]);
    const inner = starts(outer, 'f');
    inner.succeed('a');
    ends(inner);
    outer.tell({ type: 'cancel', by: 'ada' });
    expect(saysDown(outer, inner, 'f')).toEqual({ verdict: 'notMine', events: [] });
    saysUp(inner, outer, 'f');
    expect(outer.row('f').status).toBe('succeeded');
    expect(outer.run.status).toBe('cancelled');
  });
});

describe('a run that is held up', () => {
  const pair = () => {
    const outer = aScene([flowNode('f')]);
    return { outer, inner: starts(outer, 'f') };
  };
  const pause = (scene: Scene) => scene.tell({ type: 'pauseRun', by: 'ada' });
  const resume = (scene: Scene) => scene.tell({ type: 'resumeRun', by: 'ada' });

  it('F4, T15: holds up the runs below, and lets them go on', () => {
    const { outer, inner } = pair();
    pause(outer);
    expect(told(outer)).toEqual(['f']);
    saysDown(outer, inner, 'f');
    expect(inner.run).toMatchObject({ status: 'paused', more: { pause: { reason: 'parent' } } });
    expect(resume(inner).verdict).toBe('refused');
    resume(outer);
    expect(told(outer)).toEqual(['f']);
    saysDown(outer, inner, 'f');
    expect(inner.run.status).toBe('running');
  });

  it('F4: a word that comes after a newer one changes nothing', () => {
    const { outer, inner } = pair();
    pause(outer);
    const early = wordDown(outer.run, outer.row('f'));
    resume(outer);
    saysDown(outer, inner, 'f');
    expect(inner.tell({ type: 'parentSaid', word: early })).toEqual({ verdict: 'notMine', events: [] });
    expect(inner.run.status).not.toBe('paused');
  });

  it('T15: what a person held up stays so until a person lets it go on, and then for the run above', () => {
    const { outer, inner } = pair();
    pause(inner);
    pause(outer);
    saysDown(outer, inner, 'f');
    expect(inner.run.more?.pause?.reason).toBe('person');
    resume(inner);
    expect(inner.run).toMatchObject({ status: 'paused', more: { pause: { reason: 'parent' } } });
    pause(inner);
    resume(outer);
    saysDown(outer, inner, 'f');
    expect(inner.run).toMatchObject({ status: 'paused', more: { pause: { reason: 'person' } } });
    resume(inner);
    expect(inner.run.status).toBe('running');
  });
});

describe('a budget over several runs (F7, V6)', () => {
  const RESERVED = { costNanoUsd: 100, tokens: 100, modelCalls: 1 };
  const says = (more: Partial<NodeConfig> = {}) =>
    node('a', { kind: 'llm', model: 'm:m', prompt: 'x', ...more } as never);
  /** An outer run with a limit of tokens, and the run of a sub-flow with two model calls. */
  function limited(tokens: number) {
    const outer = aScene(
      [flowNode('f'), node('own', { kind: 'llm', model: 'm:m', prompt: 'x' } as never)],
      [],
      { tokens },
    );
    outer.tell({ ...outer.claimed('f'), ...start, runId: 'inner' });
    const allowance = outer.row('f').more!.subFlow!.allowance!;
    const inner = aScene(
      [says(), node('b', { kind: 'llm', model: 'm:m', prompt: 'x' } as never)],
      [],
      {},
      {},
      below('f'),
      allowance,
    );
    return { outer, inner };
  }
  const ask = (inner: Scene, outer: Scene) =>
    outer.tell({ type: 'subFlowSaid', path: 'f', word: wordUp('inner', inner.run) as WordUp });
  const call = (scene: Scene, path: string) => scene.intent(path, 'model', RESERVED).verdict;

  it('a call waits until the run above has set something aside for it; the rest is free when the sub-flow ends', () => {
    const { outer, inner } = limited(1_000);
    expect(call(inner, 'a')).toBe('blocked');
    expect(inner.run.status).toBe('running');
    expect(told(inner)).toEqual(['']);
    expect(types(ask(inner, outer).events)).toEqual(['flow.asked', 'flow.granted']);
    expect(outer.run.reserved.tokens).toBe(100);
    expect(told(outer)).toEqual(['f']);
    saysDown(outer, inner, 'f');
    expect(inner.row('a').status).toBe('ready');
    expect(inner.run.more?.asks).toBeUndefined();
    expect(call(inner, 'a')).toBe('applied');
    inner.succeed('a', { answer: answerOf(1, 30) });
    expect(call(inner, 'b')).toBe('blocked');
    ask(inner, outer);
    expect(outer.run).toMatchObject({ spent: { tokens: 30 }, reserved: { tokens: 100 } });
    saysDown(outer, inner, 'f');
    expect(call(inner, 'b')).toBe('applied');
    inner.succeed('b', { answer: answerOf(1, 50) });
    ends(inner);
    saysUp(inner, outer, 'f');
    expect(outer.run).toMatchObject({ spent: { tokens: 80, modelCalls: 2 }, reserved: { tokens: 0 } });
  });

  it('two calls at once ask for both; told again, and late, it changes nothing', () => {
    const { outer, inner } = limited(1_000);
    call(inner, 'a');
    const early = wordUp('inner', inner.run) as WordUp;
    call(inner, 'b');
    expect(inner.run.more?.asks?.tokens).toBe(200);
    ask(inner, outer);
    expect(outer.run.reserved.tokens).toBe(200);
    expect(outer.tell({ type: 'subFlowSaid', path: 'f', word: early }).verdict).toBe('notMine');
    expect(ask(inner, outer).verdict).toBe('notMine');
    saysDown(outer, inner, 'f');
    expect([call(inner, 'a'), call(inner, 'b')]).toEqual(['applied', 'applied']);
  });

  it('without room the run above is paused and holds up the sub-flow; raising its budget lets both go on', () => {
    const { outer, inner } = limited(150);
    call(inner, 'a');
    call(inner, 'b');
    ask(inner, outer);
    expect(outer.run).toMatchObject({ status: 'paused', more: { pause: { reason: 'budget' } } });
    expect(outer.run.reserved.tokens).toBe(0);
    saysDown(outer, inner, 'f');
    expect(inner.run.status).toBe('paused');
    outer.tell({ type: 'raiseBudget', limits: { tokens: 300 }, by: 'ada' });
    expect(outer.run.status).toBe('running');
    saysDown(outer, inner, 'f');
    expect(inner.run.status).toBe('running');
    expect([call(inner, 'a'), call(inner, 'b')]).toEqual(['applied', 'applied']);
  });

  it.each([150, 1_000])('F5: one that was asked to stop gets nothing more, of a limit of %i', (tokens) => {
    const { outer, inner } = limited(tokens);
    call(inner, 'a');
    call(inner, 'b');
    outer.tell({ type: 'cancel', by: 'ada' });
    expect(types(ask(inner, outer).events)).toEqual(['flow.asked']);
    expect(outer.run).toMatchObject({ status: 'cancelling', reserved: { tokens: 0 } });
    saysDown(outer, inner, 'f');
    expect(inner.run.status).toBe('cancelled');
    saysUp(inner, outer, 'f');
    expect(outer.row('f').status).toBe('cancelled');
  });

  it('what is set aside for a sub-flow is not spent by the run above', () => {
    const { outer, inner } = limited(150);
    call(inner, 'a');
    ask(inner, outer);
    expect(call(outer, 'own')).toBe('blocked');
    expect(outer.run.status).toBe('paused');
  });

  it('a run between asks further up, and says what it got down', () => {
    const outer = aScene([flowNode('f')], [], { tokens: 1_000 });
    outer.tell({ ...outer.claimed('f'), ...start, runId: 'middle' });
    const middle = aScene([flowNode('g')], [], {}, {}, below('f'), outer.row('f').more!.subFlow!.allowance);
    middle.tell({ ...middle.claimed('g'), ...start, runId: 'inner' });
    const parent = { runId: 'middle', path: 'g', versionId: 'v', depth: 2 };
    const inner = aScene([says()], [], {}, {}, parent, middle.row('g').more!.subFlow!.allowance);
    call(inner, 'a');
    const heard = middle.tell({ type: 'subFlowSaid', path: 'g', word: wordUp('inner', inner.run) as WordUp });
    expect(types(heard.events)).toEqual(['flow.asked', 'flow.passedOn']);
    expect(told(middle)).toEqual(['']);
    outer.tell({ type: 'subFlowSaid', path: 'f', word: wordUp('middle', middle.run) as WordUp });
    saysDown(outer, middle, 'f');
    expect(middle.run.more).toMatchObject({ allowance: { tokens: 100 }, subFlows: 1 });
    expect(middle.run.more?.asks).toBeUndefined();
    saysDown(middle, inner, 'g');
    expect(call(inner, 'a')).toBe('applied');
    expect([outer, middle].map(({ run }) => run.reserved.tokens)).toEqual([100, 100]);
  });

  it('a call that had no room is tried again when others left some before the run above was asked, though that sets nothing more aside', () => {
    const { outer, inner } = limited(1_000);
    call(inner, 'a');
    ask(inner, outer);
    saysDown(outer, inner, 'f');
    expect(call(inner, 'a')).toBe('applied');
    const smaller = { costNanoUsd: 60, tokens: 60, modelCalls: 1 };
    expect(inner.intent('b', 'model', smaller).verdict).toBe('blocked');
    inner.succeed('a', { answer: answerOf(1, 30) });
    ask(inner, outer);
    expect(outer.row('f').more!.subFlow!.allowance).toEqual(inner.run.more!.allowance);
    saysDown(outer, inner, 'f');
    expect(inner.row('b').status).toBe('ready');
    expect(inner.intent('b', 'model', smaller).verdict).toBe('applied');
  });

  it('without a limit anywhere nobody asks', () => {
    const outer = aScene([flowNode('f')]);
    const inner = starts(outer, 'f', 'inner', [says()]);
    expect(call(inner, 'a')).toBe('applied');
    expect(told(inner)).toEqual([]);
  });

  it('T21: four fifths of a limit are told once, also when a sub-flow spent them, and again for a raised one', () => {
    const { outer, inner } = limited(100);
    call(inner, 'a');
    ask(inner, outer);
    saysDown(outer, inner, 'f');
    call(inner, 'a');
    inner.succeed('a', { answer: answerOf(1, 90) });
    call(inner, 'b');
    const { events } = ask(inner, outer);
    expect(events.find(({ type }) => type === 'run.budgetWarned')?.data).toEqual({
      v: 1,
      unit: 'tokens',
      limit: 100,
      spent: 90,
    });
    expect(outer.run.more?.warned).toEqual(['tokens']);
    outer.tell({ type: 'raiseBudget', limits: { tokens: 200 }, by: 'ada' });
    expect(outer.run.more?.warned).toBeUndefined();
  });
});

describe('undoing over several runs (F8)', () => {
  const effect = (scene: Scene, path: string) => {
    const by = scene.claimed(path);
    scene.tell({ ...by, type: 'intent', intent: { ...intentOf(path, 'idempotent'), compensates: true } });
    scene.tell({ ...by, type: 'succeeded', output: path });
  };
  const pair = (undoes: boolean) => {
    const more = undoes ? { onFailure: 'compensate' as const } : {};
    const outer = aScene([flowNode('f'), node('other')], [], {}, more);
    outer.view.tell.clear();
    const decider = new Decider(outer.view, outer.nowMs);
    decider.decide({ ...outer.claimed('f'), ...start, runId: 'inner' });
    outer.journal.push(...decider.events);
    const parent = { ...below('f'), ...(decider.starts[0]!.undoes && { undoes: true as const }) };
    const inner = aScene([node('a', { kind: 'tool', tool: 't@1' } as never), node('b')], [], {}, {}, parent);
    effect(inner, 'a');
    return { outer, inner };
  };

  it.each([
    [true, 'compensating'],
    [false, 'failed'],
  ])('a run below that fails undoes its effects first when one above undoes: %s', (undoes, status) => {
    const { inner } = pair(undoes);
    inner.fail('b');
    expect(inner.run.status).toBe(status);
  });

  it('a failure above undoes what runs below, and the run above ends after that', () => {
    const { outer, inner } = pair(true);
    outer.fail('other');
    saysDown(outer, inner, 'f');
    expect(inner.run.status).toBe('compensating');
    expect(outer.run.status).toBe('waiting');
    effect(inner, 'a/undo');
    expect(inner.run.status).toBe('cancelled');
    saysUp(inner, outer, 'f');
    expect(outer.run.status).toBe('failed');
  });
});
