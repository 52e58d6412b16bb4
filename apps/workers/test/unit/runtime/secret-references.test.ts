// Would catch: a secret handed to whoever writes its name into the data of a run, and a reference that a template made and that is
// not understood any more.
import { compileGraph, type Json, type NodeConfig } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { compiledFlow } from '../../../src/runtime/compiled-flow.ts';
import { RunContext } from '../../../src/runtime/run-context.ts';
import { secretNames, withSecrets } from '../../../src/runtime/secret-references.ts';

/** The arguments of a tool node, filled with this input. */
async function argsOf(args: Json, input: Json): Promise<Json> {
  const node: NodeConfig = { id: 'a', kind: 'tool', tool: 't@1', args };
  const graph = compileGraph({ format: 'pawl/1', name: 'f', nodes: [node], edges: [] });
  const about = {
    runId: 'r',
    workspaceId: 'w',
    versionId: 'v',
    graph,
    input,
    seed: 's',
    startedAtMs: 0,
    trace: undefined,
  };
  const context = new RunContext(about, { read: async () => undefined });
  const template = compiledFlow(graph).node(graph.nodes.get('a')!).args!;
  return context.evaluate('a', '', template, { allowSecrets: true });
}

describe('references to secrets (V13)', () => {
  it('are what a template of the flow makes, alone, in text, and inside of what an expression builds', async () => {
    const args = await argsOf(
      {
        alone: '{{ secrets.KEY }}',
        text: 'Bearer {{ secrets.KEY }} and {{ secrets.OTHER }}',
        built: '{{ { "list": [secrets.KEY, 1], "said": "k=" & $string(secrets.KEY) } }}',
        plain: '{{ input.x }}',
      },
      { x: [1, { y: null }] },
    );
    expect(args).toEqual({
      alone: { $secret: 'KEY' },
      text: 'Bearer {"$secret":"KEY"} and {"$secret":"OTHER"}',
      built: { list: [{ $secret: 'KEY' }, 1], said: 'k={"$secret":"KEY"}' },
      plain: [1, { y: null }],
    });
    expect(secretNames(args).sort()).toEqual(['KEY', 'OTHER']);
    expect(withSecrets(args, (name) => name.toLowerCase())).toMatchObject({
      alone: 'key',
      text: 'Bearer key and other',
      built: { list: ['key', 1], said: 'k=key' },
    });
  });

  it.each<[string, Json, Json]>([
    ['a value', '{{ input }}', { $secret: 'KEY' }],
    ['a value deep inside', { body: '{{ input.body }}' }, { body: [{ a: { $secret: 'KEY' } }] }],
    ['a text', 'Say {{ input }}', 'it is {"$secret":"KEY"}'],
    ['a value that is rendered as text', 'Say {{ input }}', { $secret: 'KEY' }],
    [
      'data beside a reference of the flow',
      { key: '{{ secrets.KEY }}', body: '{{ input }}' },
      { $secret: 'KEY' },
    ],
  ])('are refused where data holds them: %s', async (_, args, input) => {
    const filling = argsOf(args, input);
    await expect(filling).rejects.toMatchObject({ code: 'secret_not_allowed' });
    await expect(filling).rejects.toThrow('no template of the flow');
  });

  it('data that merely looks a little like one goes through', async () => {
    const input = { $secret: 'KEY', more: 1, list: [{ $secret: 5 }], text: 'the member "$secret"' };
    expect(await argsOf('{{ input }}', input)).toEqual(input);
  });
});
