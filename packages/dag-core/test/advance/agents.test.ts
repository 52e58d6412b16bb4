// Would catch: a turn that goes on before all its calls have ended, a call made twice or for a model that is gone, a failure that the
// model should hear of and that stops the run instead, an agent that nobody can end.
import { afterEach, describe, expect, it, test } from 'vitest';
import type { Fact, NodeConfig, ToolCallFate } from '../../src/index.ts';
import { answerOf, mapOf, node, Scene } from './scene.ts';

const by = 'ada';
const SPEND = { costNanoUsd: 1_000, tokens: 100, modelCalls: 1 };
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

const agentOf = (more: object = {}): NodeConfig =>
  ({
    id: 'agent',
    kind: 'agent',
    model: 'sim:x',
    prompt: 'p',
    tools: [
      { tool: 'crm.find@1', name: 'find' },
      { tool: 'pay@1', name: 'pay', onError: 'fail' },
    ],
    ...more,
  }) as NodeConfig;

/** An agent that has begun its first turn, followed by another node. */
function anAgent(more: object = {}, budget: object = {}): Scene {
  const scene = aScene([agentOf(more), node('after')], [{ from: 'agent', to: 'after' }], budget);
  turn(scene, 0);
  return scene;
}

const turn = (scene: Scene, number: number, path = 'agent') =>
  scene.tell({ ...scene.claimed(path), type: 'continued', turn: number });

const find = (place: number): ToolCallFate => ({ run: `find-${place}` });
const pay = (place: number): ToolCallFate => ({ run: `pay-${place}` });

/** The model of a turn asks for calls. */
function asks(scene: Scene, number: number, calls: ToolCallFate[], path = 'agent') {
  const fact = { ...scene.claimed(`${path}/turn-${number}/model`), type: 'succeeded', output: '' } as const;
  return scene.tell({ ...fact, answer: answerOf(0, 0), calls });
}

describe('an agent (E13)', () => {
  it('begins with turn 0: a turn that waits for its parts, and its model call', () => {
    const scene = aScene([agentOf()]);
    expect(turn(scene, 0).events).toMatchObject([
      { type: 'agent.continued', path: 'agent', data: { turn: 0 } },
    ]);
    expect(scene.statuses()).toEqual({
      agent: 'waiting',
      'agent/turn-0': 'waiting',
      'agent/turn-0/model': 'ready',
    });
    expect(scene.row('agent/turn-0')).toMatchObject({
      kind: 'turn',
      nodeId: 'agent',
      itemIndex: 0,
      openCount: 1,
    });
    expect(scene.row('agent/turn-0/model')).toMatchObject({ kind: 'llm', nodeId: 'agent' });
  });

  it('makes the calls of a turn all at once, and ends the turn when the last has ended', () => {
    const scene = anAgent();
    asks(scene, 0, [find(0), pay(1), find(2)]);
    expect(scene.statuses()).toMatchObject({
      'agent/turn-0': 'waiting',
      'agent/turn-0/find-0': 'ready',
      'agent/turn-0/pay-1': 'ready',
      'agent/turn-0/find-2': 'ready',
    });
    expect(scene.row('agent/turn-0/pay-1')).toMatchObject({ kind: 'tool', nodeId: 'agent' });
    for (const [path, open] of [
      ['find-2', 2],
      ['pay-1', 1],
    ] as const) {
      scene.succeed(`agent/turn-0/${path}`);
      expect(scene.row('agent/turn-0')).toMatchObject({ status: 'waiting', openCount: open });
    }
    scene.succeed('agent/turn-0/find-0');
    expect(scene.row('agent/turn-0').status).toBe('ready');
    scene.succeed('agent/turn-0');
    expect(scene.row('agent')).toMatchObject({ status: 'ready', itemCount: 1 });
    turn(scene, 1);
    asks(scene, 1, []);
    scene.succeed('agent/turn-1');
    scene.succeed('agent');
    expect(scene.statuses()).toMatchObject({ agent: 'succeeded', after: 'ready' });
  });

  it('has no node run for a call that is refused', () => {
    const scene = anAgent();
    const refused = { code: 'tool_unknown', message: 'There is no tool "x".', class: 'permanent' } as const;
    asks(scene, 0, [{ refused }, find(1)]);
    expect(scene.row('agent/turn-0')).toMatchObject({ openCount: 1 });
    expect(scene.rows.get('agent/turn-0/find-0')).toBeUndefined();
  });

  it.each([1, 5])('V3: turn %s is not the next one, so nothing is begun', (number) => {
    const scene = aScene([agentOf()]);
    expect(turn(scene, number)).toEqual({ verdict: 'notMine', events: [] });
  });

  it('V2: a second answer of a turn changes nothing', () => {
    const scene = anAgent();
    const held = scene.claimed('agent/turn-0/model');
    scene.intent('agent/turn-0/model', 'model', SPEND);
    scene.tell({ ...held, type: 'lost', reason: 'died' });
    scene.intent('agent/turn-0/model', 'model', SPEND);
    asks(scene, 0, [find(0)]);
    const late: Fact = { ...held, type: 'succeeded', output: '', answer: answerOf(0, 0), calls: [pay(0)] };
    expect(scene.tell(late).verdict).toBe('late');
    expect(scene.rows.get('agent/turn-0/pay-0')).toBeUndefined();
  });

  it('stands in a map like any node', () => {
    const scene = aScene([mapOf('m', [agentOf()])]);
    scene.tell({ ...scene.claim('m'), type: 'expanded', count: 2, itemsHash: 'h' });
    turn(scene, 0, 'm/1/agent');
    asks(scene, 0, [find(0)], 'm/1/agent');
    scene.succeed('m/1/agent/turn-0/find-0');
    scene.succeed('m/1/agent/turn-0');
    expect(scene.row('m/1/agent').status).toBe('ready');
    expect(scene.row('m/0/agent').status).toBe('ready');
  });
});

describe('failures of calls (K18)', () => {
  const calling = (more: object = {}): Scene => {
    const scene = anAgent(more);
    asks(scene, 0, [find(0), pay(1)]);
    return scene;
  };

  it('a failed call is told, whatever the class of its failure; the run is not partial for it', () => {
    for (const kind of ['permanent', 'transient'] as const) {
      const scene = calling({
        tools: [
          { tool: 'crm.find@1', name: 'find', retry: { maxAttempts: 1 } },
          { tool: 'pay@1', name: 'pay' },
        ],
      });
      expect(scene.fail('agent/turn-0/find-0', kind).events).toMatchObject([
        { type: 'outcome.failed', data: { next: 'tell' } },
      ]);
      scene.succeed('agent/turn-0/pay-1');
      expect(scene.row('agent/turn-0').status).toBe('ready');
      expect(scene.run.isPartial).toBe(false);
      expect(scene.run.failure).toBeUndefined();
    }
  });

  it('T8: a transient one is tried again first', () => {
    const scene = calling();
    scene.fail('agent/turn-0/find-0', 'transient');
    expect(scene.row('agent/turn-0/find-0').status).toBe('retry_wait');
  });

  it('onError: fail stops the turn and the agent, by the name of the turn', () => {
    const scene = calling();
    scene.fail('agent/turn-0/pay-1');
    expect(scene.statuses()).toMatchObject({
      'agent/turn-0/find-0': 'cancelled',
      'agent/turn-0': 'failed',
      agent: 'failed',
    });
    expect(scene.row('agent').failure?.message).toBe('Turn 0 failed: It fails.');
    expect(scene.run.status).toBe('failed');
  });

  it('onError: fail: a transient failure waits for a person, who can have that call made again', () => {
    const scene = calling();
    for (let i = 0; i < 4; i++) {
      scene.fail('agent/turn-0/pay-1', 'transient');
      const { wakeAt } = scene.row('agent/turn-0/pay-1');
      if (wakeAt === undefined) break;
      scene.nowMs = wakeAt;
      scene.tell({ type: 'timerDue', path: 'agent/turn-0/pay-1' });
    }
    expect(scene.row('agent/turn-0/pay-1')).toMatchObject({ status: 'waiting', reason: 'failure' });
    expect(scene.tell({ type: 'retryNode', path: 'agent/turn-0/pay-1', by }).verdict).toBe('applied');
  });

  it('arguments that cannot be used are told even where onError says fail', () => {
    const scene = calling();
    const failure = { code: 'tool_input_invalid', message: 'No.', class: 'permanent' } as const;
    const fact = { ...scene.claimed('agent/turn-0/pay-1'), type: 'failed', failure, random: 0 } as const;
    expect(scene.tell({ ...fact, tells: true }).events).toMatchObject([{ data: { next: 'tell' } }]);
  });

  it('only a call of an agent can have its failure told', () => {
    const scene = aScene([node('a')]);
    const failure = { code: 'x', message: 'No.', class: 'permanent' } as const;
    scene.tell({ ...scene.claimed('a'), type: 'failed', failure, random: 0, tells: true });
    expect(scene.run.status).toBe('failed');
  });

  it('V5: a doubt about a call keeps the turn waiting for a person; what they say is what the model hears', () => {
    for (const [verdict, status] of [
      ['happened', 'succeeded'],
      ['skip', 'skipped'],
    ] as const) {
      const scene = calling();
      scene.succeed('agent/turn-0/find-0');
      scene.intent('agent/turn-0/pay-1', 'non_repeatable');
      scene.fail('agent/turn-0/pay-1', 'lost', { isAmbiguous: true });
      expect(scene.run.status).toBe('waiting');
      scene.tell({ type: 'settle', path: 'agent/turn-0/pay-1', verdict, output: 'paid', by } as never);
      expect(scene.row('agent/turn-0/pay-1').status).toBe(status);
      expect(scene.row('agent/turn-0').status).toBe('ready');
    }
  });

  it('the model call fails the agent, or pauses where the agent says so; onError of the agent follows', () => {
    const failing = anAgent({ onError: { do: 'continue' } });
    failing.fail('agent/turn-0/model', 'transient');
    expect(failing.row('agent/turn-0/model').status).toBe('retry_wait');
    const continuing = anAgent({ onError: { do: 'continue' }, retry: { maxAttempts: 1 } });
    continuing.fail('agent/turn-0/model', 'transient');
    expect(continuing.statuses()).toMatchObject({ agent: 'failed', after: 'skipped' });
    const pausing = anAgent({ onError: { do: 'pause' } });
    pausing.fail('agent/turn-0/model');
    expect(pausing.row('agent/turn-0/model')).toMatchObject({ status: 'waiting', reason: 'failure' });
    pausing.tell({ type: 'retryNode', path: 'agent/turn-0/model', by });
    asks(pausing, 0, []);
    expect(pausing.row('agent/turn-0').status).toBe('ready');
  });
});

describe('budget, cancel and losses', () => {
  it('V6: a model call that does not fit blocks its turn, not what came before; raising the budget goes on', () => {
    const scene = anAgent({}, { tokens: 150 });
    scene.intent('agent/turn-0/model', 'model', SPEND);
    asks(scene, 0, [find(0)]);
    scene.succeed('agent/turn-0/find-0');
    scene.succeed('agent/turn-0');
    turn(scene, 1);
    expect(scene.intent('agent/turn-1/model', 'model', { ...SPEND, tokens: 200 }).verdict).toBe('blocked');
    expect(scene.run.status).toBe('paused');
    scene.tell({ type: 'raiseBudget', limits: { tokens: 1_000 }, by });
    expect(scene.row('agent/turn-1/model').status).toBe('ready');
  });

  it('V11: a cancel ends open calls; what runs is waited for, and an answer that comes asks for nothing any more', () => {
    const scene = anAgent();
    scene.intent('agent/turn-0/model', 'model', SPEND);
    scene.tell({ type: 'cancel', by });
    asks(scene, 0, [find(0)]);
    expect(scene.statuses()).toEqual({
      agent: 'cancelled',
      'agent/turn-0': 'cancelled',
      'agent/turn-0/model': 'succeeded',
    });
    expect(scene.run.status).toBe('cancelled');
  });

  it('E9: in a scope that stops an answer asks for nothing any more', () => {
    const scene = aScene([agentOf(), node('b')]);
    turn(scene, 0);
    scene.claim('agent/turn-0/model');
    scene.fail('b');
    asks(scene, 0, [find(0)]);
    expect(scene.rows.get('agent/turn-0/find-0')).toBeUndefined();
    expect(scene.run.status).toBe('failed');
  });

  test.each([
    ['the agent', 'agent', false, 'ready'],
    ['the turn', 'agent/turn-0', false, 'ready'],
    ['the model call', 'agent/turn-0/model', true, 'ready'],
    ['an idempotent call', 'agent/turn-0/find-0', true, 'ready'],
    ['a non-repeatable call', 'agent/turn-0/pay-1', true, 'uncertain'],
  ] as const)('V5: the worker of %s dies', (_, path, hasIntent, status) => {
    const scene = path === 'agent' ? aScene([agentOf()]) : anAgent();
    if (path.includes('-0/f') || path.includes('pay')) asks(scene, 0, [find(0), pay(1)]);
    if (path === 'agent/turn-0') asks(scene, 0, []);
    if (hasIntent)
      scene.intent(
        path,
        path.endsWith('model') ? 'model' : path.includes('pay') ? 'non_repeatable' : 'idempotent',
      );
    scene.tell({ ...scene.claimed(path), type: 'lost', reason: 'died' });
    expect(scene.row(path).status).toBe(status);
  });
});
