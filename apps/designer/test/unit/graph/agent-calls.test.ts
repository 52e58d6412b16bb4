// Which mistake would this catch? An agent that may send money and looks as harmless as one that only reads; a draft that cannot be drawn
// because one of its tools is half written.
import type { ToolInfo } from '@pawl/api';
import type { EffectClass, NodeConfig } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { callsOf, callsShown, changeLayout, sizeOf } from '../../../src/editor/index.ts';
import { worstTool } from '../../../src/graph/agent-calls.tsx';
import { draft, map, node } from '../editor/drafts.ts';

const agent = (...tools: unknown[]): NodeConfig =>
  node('helper', { kind: 'agent', model: 'sim:a', prompt: 'Help.', tools });
const offered = (...effects: EffectClass[]) =>
  new Map(effects.map((effect) => [`${effect}@1`, { effect } as ToolInfo]));

describe('what an agent may call', () => {
  it('shows at worst what repeating it does: of several tools the one that must not be repeated', () => {
    const tools = offered('pure', 'non_repeatable', 'idempotent');
    expect(worstTool(agent({ tool: 'pure@1' }, { tool: 'idempotent@1' }), tools)?.effect).toBe('idempotent');
    expect(worstTool(agent({ tool: 'pure@1' }, { tool: 'non_repeatable@1' }), tools)?.effect).toBe(
      'non_repeatable',
    );
    expect(worstTool(agent({ ask: 'person' }, { tool: 'gone@1' }), tools)).toBeUndefined();
    expect(worstTool(node('a', { kind: 'tool', tool: 'pure@1' }), tools)?.effect).toBe('pure');
    expect(worstTool(node('a'), tools)).toBeUndefined();
  });

  it('is read as far as a draft can be read', () => {
    const known = [{ tool: 'pure@1' }, { ask: 'person' }];
    expect(callsOf(agent(known[0], null, 7, { tool: 3 }, {}, known[1]))).toEqual(known);
    expect(callsOf(node('a', { kind: 'agent', tools: 'none' }))).toEqual([]);
    expect(callsOf(map('m', []))).toEqual([]);
  });

  it('is closed until somebody opens it, and makes the agent larger by a row for each', () => {
    const one = agent({ tool: 'pure@1' }, { ask: 'person' });
    const closed = draft([one]);
    const opened = changeLayout(closed, (layout) => ({ ...layout, helper: { collapsed: false } }));
    expect([callsShown(closed, one), callsShown(opened, one)]).toEqual(['closed', 'open']);
    expect(sizeOf(opened, one).height - sizeOf(closed, one).height).toBe(48);
    expect(callsShown(opened, agent())).toBeUndefined();
  });
});
