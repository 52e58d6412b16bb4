import { type AgentTool, callNameOf, type Json, kinds } from '@pawl/dag-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AGENT_TOOL_ROWS,
  agentToolIs,
  newAgentTool,
  otherMembers,
} from '../../../src/inspecting/agent-tools.ts';

// Would catch: a member of an agent's tool that the document may have and no row shows, and a tool added under a name that is taken.

/** What the core lets an entry have, by what it is. */
const { then: question, else: call } = (
  kinds.agent.fields.properties.tools as unknown as {
    items: Record<'then' | 'else', { properties: Record<string, unknown> }>;
  }
).items;

describe('rows of an entry among the tools of an agent', () => {
  it('are there for every member that the core knows, and for no other', () => {
    expect([...AGENT_TOOL_ROWS.call].toSorted()).toEqual(Object.keys(call.properties).toSorted());
    expect(['ask', ...AGENT_TOOL_ROWS.question].toSorted()).toEqual(
      Object.keys(question.properties).toSorted(),
    );
  });

  it('leave out nothing: what no row shows is among the others', () => {
    const name = fc.constantFrom('tool', 'ask', 'name', 'approve', 'form', 'who', 'retry', 'odd', '__x');
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), (entry) => {
        const is = agentToolIs(entry as never);
        if (is === 'unknown') return;
        const rows = is === 'question' ? ['ask', ...AGENT_TOOL_ROWS.question] : [...AGENT_TOOL_ROWS.call];
        const shown = Object.keys(entry).filter((each) => rows.includes(each as never));
        expect([...shown, ...otherMembers(entry as never)].toSorted()).toEqual(Object.keys(entry).toSorted());
      }),
    );
  });

  it('are told by what the core looks at: ask before tool', () => {
    expect(agentToolIs({ tool: 'files.read@1' })).toBe('call');
    expect(agentToolIs({ ask: 'person', tool: 'files.read@1' })).toBe('question');
    expect(otherMembers({ ask: 'person', tool: 'files.read@1' })).toEqual(['tool']);
    const others: Json[] = ['files.read@1', null, [], {}];
    for (const entry of [...others, { tool: 7 }]) expect(agentToolIs(entry)).toBe('unknown');
  });
});

describe('a tool that is added', () => {
  it('says nothing of its name while nobody else has it', () => {
    expect(newAgentTool([{ ask: 'person' }], { tool: 'files.read@1' })).toEqual({ tool: 'files.read@1' });
  });

  it('gets a name that no other has and a model may call, however many there are', () => {
    const ref = fc.constantFrom('files.read@1', 'files.read@2', `${'long.'.repeat(20)}read@1`);
    const entry = fc.oneof(
      ref.map((tool) => ({ tool })),
      fc.constant({ ask: 'person' as const }),
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 15 }), (added) => {
        const tools: AgentTool[] = [];
        for (const each of added) tools.push(newAgentTool(tools as never, each) as unknown as AgentTool);
        const names = tools.map(callNameOf);
        expect(new Set(names).size).toBe(names.length);
        for (const each of names) expect(each).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
      }),
    );
  });
});
