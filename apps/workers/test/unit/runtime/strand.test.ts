// Would catch: a value that a worker computed and that was not accepted, read by what comes after in place of the accepted one.
import { compileGraph, type Fact, type NodeConfig, type NodeView } from '@pawl/dag-core';
import type { FactResult, NodeRunHandle } from '@pawl/run-store/work';
import { describe, expect, it } from 'vitest';
import { LimitedCalls } from '../../../src/runtime/limited-calls.ts';
import { RunContext } from '../../../src/runtime/run-context.ts';
import type { Done, PureExecutor } from '../../../src/runtime/step.ts';
import { Strand, type StrandHost } from '../../../src/runtime/strand.ts';

const ACCEPTED: NodeView = { status: 'succeeded', output: 'what the store holds' };
const handle: NodeRunHandle = { path: 'a', nodeId: 'a', kind: 'transform', attempt: 1, failures: 0 };

const never = async () => {
  throw new Error('Nothing limits these calls.');
};
const NO_LIMITS = { covering: () => [], ask: never, ended: () => {}, pause: never };

/** Runs one pure node; the commit answers as told. */
async function strandOf(
  done: Done,
  commit: (facts: readonly Fact[]) => FactResult['verdicts'],
  config: Partial<NodeConfig> = {},
  claimed: NodeRunHandle = handle,
) {
  const node = { id: 'a', kind: 'transform', value: null, ...config } as NodeConfig;
  const graph = compileGraph({ format: 'pawl/1', name: 'f', nodes: [node], edges: [] });
  const asked: string[] = [];
  const reader = {
    async read(_runId: string, path: string) {
      asked.push(path);
      return ACCEPTED;
    },
  };
  const about = {
    runId: 'r',
    workspaceId: 'w',
    versionId: 'v',
    graph,
    input: null,
    seed: 's',
    startedAtMs: 0,
  };
  const context = new RunContext(about, reader);
  const host = {
    workerId: 'w1',
    isDraining: false,
    commit: async ({ facts }) => ({
      verdicts: commit(facts),
      claimed: [],
      rung: 0,
      isEndDue: false,
      run: undefined,
    }),
    putAside: async (_runId, fact) => fact,
    pure: (): PureExecutor => () => done,
    takeNotes: () => [],
    calls: new LimitedCalls(NO_LIMITS, 'w1', () => {}),
  } as Partial<StrandHost> as StrandHost;
  const running = new Strand(host, context, [claimed], false).run([claimed]);
  return { context, asked, running };
}

describe('what a worker believes (W4)', () => {
  it('counts when the commit says so: nothing is read again', async () => {
    const { context, asked, running } = await strandOf({ type: 'succeeded', output: 'mine' }, () => [
      'applied',
    ]);
    await running;
    expect(await context.view('a')).toEqual({ status: 'succeeded', output: 'mine' });
    expect(asked).toEqual([]);
  });

  it.each(['late', 'notMine', 'stopped'] as const)('is forgotten when the answer is %s', async (verdict) => {
    const { context, running } = await strandOf({ type: 'succeeded', output: 'mine' }, () => [verdict]);
    await running;
    expect(await context.view('a')).toEqual(ACCEPTED);
  });

  it('is forgotten when there is no answer', async () => {
    const { context, running } = await strandOf({ type: 'succeeded', output: 'mine' }, () => {
      throw new Error('The connection is gone.');
    });
    await expect(running).rejects.toThrow('gone');
    expect(await context.view('a')).toEqual(ACCEPTED);
  });

  const failure = { code: 'broken', message: 'It is broken.', class: 'permanent' } as const;
  it.each([
    [{ do: 'continue' }, { status: 'failed', failure }],
    [
      { do: 'fallback', value: 'instead' },
      { status: 'succeeded', output: 'instead', failure },
    ],
  ] as const)('holds failures too: onError %j', async (onError, view) => {
    const { context, asked, running } = await strandOf({ type: 'failed', failure }, () => ['applied'], {
      onError,
    });
    await running;
    expect(await context.view('a')).toEqual(view);
    expect(asked).toEqual([]);
  });

  it('holds failures that the model of an agent is told', async () => {
    const agent = { id: 'a', kind: 'agent', model: 'sim:x', prompt: 'p', tools: [{ tool: 't@1' }] } as const;
    const call = { ...handle, path: 'a/turn-0/t-0', kind: 'tool' };
    const { context, asked, running } = await strandOf(
      { type: 'failed', failure },
      () => ['applied'],
      agent,
      call,
    );
    await running;
    expect(await context.view('a/turn-0/t-0')).toEqual({ status: 'failed', failure });
    expect(asked).toEqual([]);
  });

  it('holds nothing of a failure that is tried again or waits for a person', async () => {
    for (const config of [{ retry: { maxAttempts: 2 } }, { onError: { do: 'pause' } }] as const) {
      const transient = { ...failure, class: 'transient' } as const;
      const { context, asked, running } = await strandOf(
        { type: 'failed', failure: transient },
        () => ['applied'],
        config,
      );
      await running;
      await context.view('a');
      expect(asked).toEqual(['a']);
    }
  });
});
