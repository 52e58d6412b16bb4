// Which mistake would this catch? What a sub-flow did stays when the run above undoes, is undone twice or out of order, or its run,
// which has ended, changes again.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTerminalRun, type NodeConfig } from '../../src/index.ts';
import { RunTree, type TreeFlow } from './run-tree.ts';
import { mapOf, node } from './scene.ts';

const once = { retry: { maxAttempts: 1 }, onError: { do: 'fail' } };
const tool = (id: string) => node(id, { kind: 'tool', tool: 't@1', ...once } as never);
const end = node('end', once as never);
const flow = (id: string, name: string, more: Partial<NodeConfig> = {}) =>
  node(id, { kind: 'flow', flow: `${name}@self`, ...more } as never);

/** J2: the journal of every run alone tells its state. */
function demandFolds(tree: RunTree): void {
  for (const { scene } of tree.runs.values()) {
    const fold = scene.fold();
    expect(fold.run).toEqual(scene.run);
    for (const row of scene.rows.byPath.values())
      if (row.status !== 'running') expect({ ...fold.rows.get(row.path), attempt: row.attempt }).toEqual(row);
  }
}

/** Works on what is ready, in order, until a node run of this path is ready or nothing is. */
function worksUntil(tree: RunTree, path: string): void {
  for (;;) {
    for (const key of tree.words.keys()) tree.deliver(key);
    tree.pass();
    const [next] = tree.ready();
    if (!next || next.row?.path === path) return;
    tree.work(next.id, next.row);
  }
}
const fails = (tree: RunTree, path: string, id = 'top') => tree.work(id, tree.scene(id).row(path), 'wrong');

const onFailure = 'compensate' as const;
const inner: TreeFlow = { nodes: [tool('a'), tool('b')] };

describe('a sub-flow that ended well, below a run that undoes (F9)', () => {
  it('S2, F9: is undone in its place by completion, by a run of its own; its run never changes again', () => {
    const top = { nodes: [tool('first'), flow('sub', 'inner'), tool('last'), end], onFailure };
    const tree = new RunTree({ top, inner });
    worksUntil(tree, 'end');
    fails(tree, 'end');
    expect(tree.top.run).toMatchObject({ status: 'compensating', more: { compensation: { planned: 3 } } });
    tree.settle();
    expect(tree.undone).toEqual(['top:last', 'r1:b', 'r1:a', 'top:first']);
    expect(tree.top.run).toMatchObject({ status: 'failed', more: { compensation: { left: [] } } });
    expect(tree.top.row('sub')).toMatchObject({ status: 'compensated' });
    expect(tree.scene('r1').run.status).toBe('succeeded');
    expect(tree.scene('r1').statuses()).toEqual({ a: 'succeeded', b: 'succeeded' });
    expect(tree.scene('r2').run).toMatchObject({ status: 'succeeded', more: { undoesRun: 'r1' } });
    demandFolds(tree);
  });

  it('F9: the node run of the undoing waits without a worker, and the undo run begins undoing', () => {
    const tree = new RunTree({ top: { nodes: [flow('sub', 'inner'), end], onFailure }, inner });
    worksUntil(tree, 'end');
    fails(tree, 'end');
    worksUntil(tree, 'b/undo');
    expect(tree.top.row('sub/undo')).toMatchObject({
      status: 'waiting',
      reason: 'flow',
      workerId: undefined,
    });
    expect(tree.scene('r2').statuses()).toEqual({
      b: 'compensating',
      'b/undo': 'ready',
      a: 'succeeded',
      'a/undo': 'pending',
    });
  });

  it('F9: a sub-flow in a sub-flow, and one in each item of a map', () => {
    const top = { nodes: [mapOf('each', [flow('sub', 'middle')]), end], onFailure };
    const middle: TreeFlow = { nodes: [tool('m'), flow('deep', 'inner')] };
    const tree = new RunTree({ top, middle, inner });
    worksUntil(tree, 'end');
    fails(tree, 'end');
    tree.settle();
    expect([...tree.undone].sort()).toEqual([...tree.done].sort());
    expect(tree.undone).toHaveLength(6);
    expect(tree.top.run).toMatchObject({ more: { compensation: { planned: 2, left: [] } } });
    demandFolds(tree);
  });

  it('S1: a cancel that asks for it undoes it, too', () => {
    const tree = new RunTree({ top: { nodes: [flow('sub', 'inner'), end] }, inner });
    worksUntil(tree, 'end');
    tree.tell('top', { type: 'cancel', by: 'ada', compensate: true });
    tree.settle();
    expect(tree.undone).toEqual(['r1:b', 'r1:a']);
    expect(tree.top.run.status).toBe('cancelled');
  });

  it('S1: one that ended without undoing what it did is undone whatever became of its node run', () => {
    const nodes = [flow('sub', 'inner', { onError: { do: 'fallback', value: 1 } }), end];
    const tree = new RunTree({ top: { nodes }, inner });
    worksUntil(tree, 'b');
    fails(tree, 'b', 'r1');
    worksUntil(tree, 'end');
    tree.tell('top', { type: 'cancel', by: 'ada', compensate: true });
    tree.settle();
    expect(tree.undone).toEqual(['r1:a']);
    const stopped = new RunTree({ top: { nodes: [flow('sub', 'inner'), end], onFailure }, inner });
    worksUntil(stopped, 'b');
    stopped.tell('r1', { type: 'cancel', by: 'ada' });
    stopped.settle();
    expect(stopped.undone).toEqual(['r1:a']);
    expect(stopped.top.row('sub').status).toBe('failed');
    demandFolds(stopped);
  });

  it('F9: each try that ended without undoing is undone, the last first', () => {
    const retry = { maxAttempts: 2, initialMs: 1 };
    const tree = new RunTree({ top: { nodes: [flow('sub', 'inner', { retry }), end] }, inner });
    worksUntil(tree, 'b');
    fails(tree, 'b', 'r1');
    worksUntil(tree, 'end');
    tree.tell('top', { type: 'cancel', by: 'ada', compensate: true });
    tree.settle();
    expect(tree.undone).toEqual(['r2:b', 'r2:a', 'r1:a']);
    expect(tree.top.row('sub').status).toBe('compensated');
    demandFolds(tree);
  });

  it('F8: a try that undid itself is not undone again', () => {
    const retry = { maxAttempts: 2, initialMs: 1 };
    const top = { nodes: [flow('sub', 'inner', { retry }), end], onFailure };
    const tree = new RunTree({ top, inner });
    worksUntil(tree, 'b');
    fails(tree, 'b', 'r1');
    worksUntil(tree, 'end');
    fails(tree, 'end');
    tree.settle();
    expect(tree.undone).toEqual(['r1:a', 'r2:b', 'r2:a']);
  });

  it('S5: what is left below is named above, and the node run stays succeeded', () => {
    const tree = new RunTree({ top: { nodes: [flow('sub', 'inner'), end], onFailure }, inner });
    worksUntil(tree, 'end');
    fails(tree, 'end');
    worksUntil(tree, 'b/undo');
    fails(tree, 'b/undo', 'r2');
    tree.settle();
    expect(tree.undone).toEqual(['r1:a']);
    expect(tree.scene('r2').run).toMatchObject({ status: 'partial' });
    expect(tree.top.run).toMatchObject({
      status: 'failed',
      more: { compensation: { planned: 1, left: ['sub/b'] } },
    });
    expect(tree.top.row('sub').status).toBe('succeeded');
    demandFolds(tree);
  });

  it('S5: an undoing that cannot begin waits for a person; skipped, the whole sub-flow is left', () => {
    const tree = new RunTree({ top: { nodes: [flow('sub', 'inner'), end], onFailure }, inner });
    worksUntil(tree, 'end');
    fails(tree, 'end');
    fails(tree, 'sub/undo');
    expect(tree.top.row('sub/undo')).toMatchObject({ status: 'waiting', reason: 'failure' });
    tree.settle();
    expect(tree.top.run.more?.compensation).toEqual({ planned: 1, left: ['sub'] });
  });

  it('F9, V11: an undo run that is cancelled undoes to the end and ends cancelled', () => {
    const tree = new RunTree({ top: { nodes: [flow('sub', 'inner'), end], onFailure }, inner });
    worksUntil(tree, 'end');
    fails(tree, 'end');
    worksUntil(tree, 'b/undo');
    tree.tell('r2', { type: 'cancel', by: 'ada' });
    tree.settle();
    expect(tree.scene('r2').run.status).toBe('cancelled');
    expect(tree.undone).toEqual(['r1:b', 'r1:a']);
    expect(tree.top.row('sub').status).toBe('compensated');
    demandFolds(tree);
  });

  it('S1: without a word for it nothing is undone', () => {
    const tree = new RunTree({ top: { nodes: [flow('sub', 'inner'), end] }, inner });
    worksUntil(tree, 'end');
    fails(tree, 'end');
    tree.settle();
    expect(tree.top.run.status).toBe('failed');
    expect(tree.undone).toEqual([]);
  });
});

/** Flows that run each other: the topmost two, and below them some that run none. */
const someFlows = fc
  .record({
    top: fc.array(fc.constantFrom('tool', 'one', 'two', 'each one', 'each two'), {
      minLength: 1,
      maxLength: 4,
    }),
    one: fc.array(fc.constantFrom('tool', 'two'), { minLength: 1, maxLength: 3 }),
    two: fc.array(fc.constant('tool'), { minLength: 1, maxLength: 3 }),
    undoing: fc.subarray(['top', 'one', 'two'] as const),
  })
  .map(({ undoing, ...flows }) => {
    const treeFlow = (name: 'top' | 'one' | 'two'): TreeFlow => ({
      nodes: [
        ...flows[name].map((what, i) => {
          const id = `n${i}`;
          if (what === 'tool') return tool(id);
          const [first, second] = what.split(' ');
          const retry = { maxAttempts: 2, initialMs: 1 };
          const goesOn = i % 2 === 1 ? { onError: { do: 'fallback', value: 1 } as const } : { retry };
          return second
            ? mapOf(id, [flow(`s${i}`, second)], { onItemError: 'collect' } as never)
            : flow(id, first!, goesOn);
        }),
        end,
      ],
      ...(undoing.includes(name) && { onFailure }),
    });
    return { top: treeFlow('top'), one: treeFlow('one'), two: treeFlow('two') };
  });

/** What happens: which of the things that may, and how it goes. */
const happening = fc.record({
  pick: fc.nat(),
  what: fc.constantFrom(
    'work',
    'work',
    'work',
    'work',
    'word',
    'word',
    'again',
    'wrong',
    'lost',
    'cancel',
    'undo',
  ),
});

describe('trees of runs, at random', () => {
  it('F9, S1–S5, V11: whatever happens, what was done below a run that undoes is undone once or named as left', () => {
    let undidBelow = 0;
    fc.assert(
      fc.property(
        someFlows,
        fc.array(happening, { maxLength: 80 }),
        fc.boolean(),
        (flows, happenings, endsWell) => {
          const tree = new RunTree(flows);
          for (const { what, pick } of happenings) happens(tree, what, pick);
          tree.settle(endsWell ? undefined : 'end');
          demandFolds(tree);
          expect([...tree.runs.values()].filter(({ scene }) => !isTerminalRun(scene.run.status))).toEqual([]);
          expect(new Set(tree.undone).size).toBe(tree.undone.length);
          demandUndone(tree);
          if ([...tree.runs.values()].some(({ undoes }) => undoes)) undidBelow += 1;
        },
      ),
      { numRuns: 500 },
    );
    expect(undidBelow).toBeGreaterThan(50); // what never happened proves nothing
  });
});

function happens(tree: RunTree, what: string, pick: number): void {
  const keys = [...tree.words.keys()];
  const ready = tree.ready();
  const open = [...tree.runs.values()].filter(({ scene }) => !isTerminalRun(scene.run.status));
  if ((what === 'word' || what === 'again') && keys.length > 0)
    tree.deliver(keys[pick % keys.length]!, what === 'again');
  else if ((what === 'cancel' || what === 'undo') && pick % 8 === 0 && open.length > 0)
    tree.tell(open[pick % open.length]!.id, { type: 'cancel', by: 'ada', compensate: what === 'undo' });
  else if (ready.length === 0) tree.pass();
  else {
    const { id, row } = ready[pick % ready.length]!;
    const goes = what === 'lost' ? 'lost' : what === 'wrong' && pick % 3 === 0 ? 'wrong' : 'well';
    tree.work(id, row, goes);
  }
}

/** Every effect below a run that undoes was undone, or it is named as left where it stays. */
function demandUndone(tree: RunTree): void {
  const undone = new Set(tree.undone);
  const undoes = (id: string): boolean => tree.scene(id).run.more?.compensation !== undefined;
  const isCovered = (id: string): boolean => {
    const { parent } = tree.runs.get(id)!;
    return undoes(id) || (parent !== undefined && isCovered(parent.id));
  };
  const left = new Set<string>();
  for (const { id, scene, undoes: other } of tree.runs.values())
    for (const path of scene.run.more?.compensation?.left ?? []) left.add(`${other ?? id}:${path}`);
  const isLeft = (id: string, path: string): boolean => {
    const { parent } = tree.runs.get(id)!;
    return left.has(`${id}:${path}`) || (parent !== undefined && isLeft(parent.id, parent.path));
  };
  for (const effect of tree.done) {
    const [id = '', path = ''] = effect.split(':');
    const isExpected = isCovered(id) && !isLeft(id, path);
    expect([effect, undone.has(effect)]).toEqual([effect, isExpected]);
  }
  // S2: what one run did is undone in reverse order of completion.
  for (const { id } of tree.runs.values()) {
    const own = (effects: readonly string[]) => effects.filter((each) => each.startsWith(`${id}:`));
    expect(own(tree.undone)).toEqual(
      own(tree.done)
        .filter((each) => undone.has(each))
        .reverse(),
    );
  }
}
