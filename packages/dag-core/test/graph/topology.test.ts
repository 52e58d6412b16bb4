// Would catch: a path that names another node run than its writer meant.
import { describe, expect, it } from 'vitest';
import { compileGraph, drawnId, itemPath, type NodeConfig, parsePath } from '../../src/index.ts';

const transform = (id: string): NodeConfig => ({ id, kind: 'transform', value: 1 });
const body = (...nodes: NodeConfig[]) => ({ nodes, edges: [] });
const agent = (id: string): NodeConfig => ({
  id,
  kind: 'agent',
  model: 'sim:x',
  prompt: 'p',
  tools: [{ tool: 'crm.find@1' }, { tool: 'pay@1', name: 'pay-now', onError: 'fail' }],
});
/** Drawn nodes may have the names that the parts of an agent have. */
const graph = compileGraph({
  format: 'pawl/1',
  name: 'f',
  nodes: [
    agent('agent'),
    transform('model'),
    transform('turn-1'),
    transform('crm_find-0'),
    transform('undo'),
    { id: 'm', kind: 'map', over: [], body: body(agent('inner'), transform('score')) },
    { id: 'l', kind: 'loop', until: 'true', body: body(transform('turn-0')) },
  ],
  edges: [],
});

describe('paths (G11)', () => {
  it.each([
    ['agent', { id: 'agent', kind: 'agent', parent: '' }],
    ['agent/turn-2', { id: 'agent', kind: 'agent', itemIndex: 2, parent: 'agent' }],
    ['agent/turn-2/model', { id: 'model', kind: 'llm', parent: 'agent/turn-2' }],
    ['agent/turn-2/crm_find-0', { id: 'crm_find', kind: 'tool', call: 0, parent: 'agent/turn-2' }],
    ['agent/turn-2/pay-now-11', { id: 'pay-now', kind: 'tool', call: 11, parent: 'agent/turn-2' }],
    [
      'agent/turn-2/pay-now-11/undo',
      { id: 'pay-now', kind: 'tool', isUndo: true, parent: 'agent/turn-2/pay-now-11' },
    ],
    ['m/3/inner/turn-0/model', { id: 'model', kind: 'llm', parent: 'm/3/inner/turn-0' }],
    ['m/3/score', { id: 'score', kind: 'transform', parent: 'm/3' }],
    ['m/3', { id: 'm', kind: 'map', itemIndex: 3, parent: 'm' }],
    ['l/4/turn-0', { id: 'turn-0', kind: 'transform', parent: 'l/4' }],
    ['model', { id: 'model', kind: 'transform', parent: '' }],
    ['turn-1', { id: 'turn-1', kind: 'transform', parent: '' }],
    ['crm_find-0', { id: 'crm_find-0', kind: 'transform', parent: '' }],
    ['undo', { id: 'undo', kind: 'transform', parent: '' }],
  ])('%s', (path, expected) => {
    const { node, ...rest } = parsePath(graph, path)!;
    expect({ id: node.id, kind: node.config.kind, ...rest }).toEqual(expected);
  });

  it.each(['agent/3', 'agent/turn-0/gone-0', 'agent/turn-0/crm_find'])(
    '%s names nothing of an agent',
    (path) => {
      expect(parsePath(graph, path)).toBeUndefined();
    },
  );

  it('of items are made of what the container calls them', () => {
    expect(itemPath(graph.nodes.get('m')!, 'm', 3)).toBe('m/3');
    expect(itemPath(graph.nodes.get('inner')!, 'm/3/inner', 0)).toBe('m/3/inner/turn-0');
  });
});

describe('the parts of an agent (G11, K18)', () => {
  const partOf = (path: string) => parsePath(graph, path)!.node;

  it('are the same nodes for every turn, and none of the flow', () => {
    expect(partOf('agent/turn-0/model')).toBe(partOf('agent/turn-9/model'));
    expect(partOf('agent/turn-0/model')).not.toBe(partOf('m/0/inner/turn-0/model'));
    expect([...graph.nodes.keys()]).toHaveLength(10);
    expect(graph.root.nodes).toHaveLength(7);
  });

  it('belong to the node that was drawn', () => {
    expect(drawnId(partOf('agent/turn-0/model'))).toBe('agent');
    expect(drawnId(partOf('m/0/inner/turn-0/pay-now-0'))).toBe('inner');
    expect(drawnId(partOf('model'))).toBe('model');
  });

  it('tell failures unless the tool says otherwise', () => {
    expect(partOf('agent/turn-0/crm_find-0').tells).toBe(true);
    expect(partOf('agent/turn-0/pay-now-0').tells).toBeUndefined();
    expect(partOf('agent/turn-0/model').tells).toBeUndefined();
  });
});
