// Would catch: an edge of an imported flow that is there and not seen, dropped on the way, or published all the same; a node that is
// drawn anew because it was moved.
import { type FlowDocument, validateFlow } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { drawEdges, drawNodes, handleOf, isDrawnAlike } from '../../../src/canvas/draw-flow.ts';
import { changeLayout } from '../../../src/editor/index.ts';
import { readFlowText } from '../../../src/flow-files/read-flow-text.ts';

/** Six edges, of which two leave by ports that the nodes do not have: one was renamed, one is not offered as the node is set. */
const OLD = `
format: pawl/1
name: sort
nodes:
  - { id: read, kind: transform, value: "{{ input }}" }
  - { id: decide, kind: switch, cases: [{ port: repay, when: "true" }, { port: answer, when: "false" }] }
  - { id: pay, kind: transform, value: paid }
  - { id: reply, kind: transform, value: replied }
  - { id: end, kind: transform, value: ended }
edges:
  - { from: read, to: decide }
  - { from: decide, port: refund, to: pay }
  - { from: decide, port: answer, to: reply }
  - { from: pay, port: error, to: end }
  - { from: pay, to: reply }
  - { from: reply, to: end }
`;

describe('C80: an imported flow whose nodes have other ports by now', () => {
  it('keeps every edge, draws and flags those whose port is not there, and cannot be published before they are mended', async () => {
    const document = (await readFlowText(OLD)).document as unknown as FlowDocument;
    expect(document.edges).toHaveLength(6);
    const nodes = drawNodes(document, new Set(), ({ id }) => id, []);
    const edges = drawEdges(document, new Set(), [], { lit: '', error: '' });
    expect(edges).toHaveLength(6);
    const strayOf = (id: string) => nodes.find((node) => node.id === id)?.data.strayPorts;
    expect([strayOf('decide'), strayOf('pay'), strayOf('reply')]).toEqual([['refund'], ['error'], undefined]);
    for (const { source, sourceHandle } of edges)
      expect(nodes.find(({ id }) => id === source)?.handles?.map(({ id }) => id)).toContain(sourceHandle);
    const decide = nodes.find(({ id }) => id === 'decide')!;
    for (const handle of decide.handles!) expect(handle.y).toBeLessThan(decide.height!);
    const errors = validateFlow(document).issues.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['port_unknown', '/edges/1/port'],
      ['port_unknown', '/edges/3/port'],
    ]);
  });

  it('is drawn as before once the edge leaves by a port that is there', async () => {
    const before = (await readFlowText(OLD)).document as unknown as FlowDocument;
    const drawn = drawNodes(before, new Set(), ({ id }) => id, []);
    const after: FlowDocument = {
      ...before,
      edges: before.edges.map((edge) => (edge.port === 'refund' ? { ...edge, port: 'repay' } : edge)),
    };
    const again = drawNodes(after, new Set(), ({ id }) => id, drawn);
    const [was, is] = [drawn, again].map((nodes) => nodes.find(({ id }) => id === 'decide')!);
    expect(is!.data.strayPorts).toBeUndefined();
    expect(is!.height).toBeLessThan(was!.height!);
    expect(is!.handles!.map(({ id }) => id)).not.toContain(handleOf('refund'));
    expect(again.find(({ id }) => id === 'reply')).toBe(drawn.find(({ id }) => id === 'reply'));
  });
});

describe('a node that is elsewhere now', () => {
  it('shows the same and is not drawn anew, while one that is renamed is', async () => {
    const before = (await readFlowText(OLD)).document as unknown as FlowDocument;
    const drawn = drawNodes(before, new Set(), ({ id }) => id, []);
    const moved = changeLayout(before, (layout) => ({ ...layout, pay: { x: 700, y: 40 } }));
    const nodes = moved.nodes.map((node) => (node.id === 'read' ? { ...node, title: 'Reads' } : node));
    const again = drawNodes({ ...moved, nodes }, new Set(), ({ id }) => id, drawn);
    const of = (id: string) => [drawn, again].map((all) => all.find((node) => node.id === id)!);
    const isAlike = (id: string) => {
      const [one, other] = of(id).map(({ selected = false, data }) => ({ id, data, selected }));
      return isDrawnAlike(one!, other!);
    };
    expect(of('pay')[1]!.position).toEqual({ x: 700, y: 40 });
    expect([isAlike('pay'), isAlike('read')]).toEqual([true, false]);
  });
});
