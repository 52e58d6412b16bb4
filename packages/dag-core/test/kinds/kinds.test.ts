// Catches: a kind whose ports, templates or class are not what the canvas, the workers and publish take for granted.
import { describe, expect, it } from 'vitest';
import { isKindName, KIND_NAMES, kindOf, kinds, type NodeConfig, portsOf } from '../../src/index.ts';

const route = {
  id: 's',
  kind: 'switch',
  cases: [
    { port: 'a', when: 'true' },
    { port: 'b', when: 'true' },
  ],
} as NodeConfig;

describe('the table of kinds', () => {
  it('K1: names each kind by its key', () => {
    for (const name of KIND_NAMES) expect(kinds[name].name).toBe(name);
    expect(isKindName('constructor')).toBe(false);
    expect(isKindName('llm')).toBe(true);
  });

  it('K1: tells which kinds need a worker', () => {
    expect(KIND_NAMES.filter((name) => kinds[name].dispatches)).toEqual(['llm', 'tool', 'code', 'emit']);
  });

  it('K2: tells what repeating a node does', () => {
    const effects = Object.fromEntries(
      KIND_NAMES.map((name) => [
        name,
        kindOf({ kind: name } as NodeConfig).effect({ kind: name } as NodeConfig),
      ]),
    );
    expect(effects).toMatchObject({
      llm: 'model',
      tool: 'tool',
      switch: 'pure',
      transform: 'pure',
      code: 'pure',
      join: 'pure',
      map: 'container',
      flow: 'container',
      wait: 'pure',
      approval: 'pure',
      emit: 'idempotent',
    });
  });

  it('K3: gives a switch the ports of its cases and default, the others the normal port', () => {
    expect(portsOf(route)).toEqual(['a', 'b', 'default']);
    expect(portsOf({ id: 't', kind: 'transform', value: 1 })).toEqual(['']);
    expect(portsOf({ id: 'a', kind: 'approval', subject: 'May it?' })).toEqual(['', 'rejected']);
  });

  it('K4: adds the port error where a node continues', () => {
    expect(portsOf({ ...route, onError: { do: 'continue' } })).toEqual(['a', 'b', 'default', 'error']);
    expect(portsOf({ id: 't', kind: 'transform', value: 1, onError: { do: 'pause' } })).toEqual(['']);
  });

  it('K5: points at every text of a prompt', () => {
    const llm = {
      id: 'l',
      kind: 'llm',
      model: 'sim:x',
      prompt: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'u' },
      ],
    } as NodeConfig;
    expect(kindOf(llm).templates(llm)).toEqual([
      { pointer: '/prompt/0/content', template: 's', as: 'text' },
      { pointer: '/prompt/1/content', template: 'u', as: 'text' },
    ]);
  });

  it('K11: fills the list of a map once and its output per item', () => {
    const map = {
      id: 'm',
      kind: 'map',
      over: '{{ input }}',
      output: '{{ item }}',
      body: { nodes: [], edges: [] },
    } as NodeConfig;
    expect(kindOf(map).templates(map)).toMatchObject([
      { pointer: '/over', schema: { type: 'array' } },
      { pointer: '/output', scope: 'item' },
    ]);
    expect(kindOf(map).defaultRetry.maxAttempts).toBe(1);
  });

  it('K15: asks a loop for its end and its output once per turn', () => {
    const loop = {
      id: 'l',
      kind: 'loop',
      until: 'nodes.x.output.done',
      output: '{{ nodes.x.output }}',
      body: { nodes: [], edges: [] },
    } as NodeConfig;
    expect(kindOf(loop).templates(loop)).toMatchObject([
      { pointer: '/until', as: 'expression', scope: 'item' },
      { pointer: '/output', scope: 'item' },
    ]);
    expect(kindOf(loop).defaultRetry.maxAttempts).toBe(1);
  });
});
