import type { FlowDocument, NodeConfig } from '@pawl/dag-core';
import { changeGraph, type Graph, graphAt, idsOf, nodesById } from '../document/graph.ts';
import { isMembers, mapShared } from '../document/json-path.ts';
import { changeLayout, DRAWINGS, setMember } from '../document/layout.ts';
import { idFault } from '../document/new-id.ts';
import { renameInGraph, renameInTemplate } from './follow-references.ts';
import type { RenameNode } from './operation.ts';
import { type Changed, refuse } from './refusal.ts';

/** Gives a node another id; whatever names it follows. */
export function renameNode(document: FlowDocument, { graph, id, to }: RenameNode): Changed<FlowDocument> {
  const found = graphAt(document, graph);
  if (!found) return refuse({ code: 'graph_unknown', graph });
  const node = nodesById(found).get(id);
  if (!node) return refuse({ code: 'node_unknown', node: id, graph });
  if (id === to) return document;
  const code = idFault(to) ?? (idsOf(document).has(to) ? 'id_duplicate' : undefined);
  if (code) return refuse({ code, id: to });
  const renamed = changeGraph(document, graph, (old) => renameHere(old, node, to));
  return renameInLayout(renameReferences(renamed, new Map([[id, to]])), id, to);
}

function renameHere(graph: Graph, node: NodeConfig, to: string): Graph {
  const end = (id: string) => (id === node.id ? to : id);
  return {
    ...graph,
    nodes: graph.nodes.map((each) => (each === node ? { ...each, id: to } : each)),
    edges: mapShared(graph.edges, (edge) =>
      edge?.from === node.id || edge?.to === node.id
        ? { ...edge, from: end(edge.from), to: end(edge.to) }
        : edge,
    ),
  };
}

function renameReferences(document: FlowDocument, renames: ReadonlyMap<string, string>): FlowDocument {
  const renamed = renameInGraph(document, renames);
  if (renamed.output === undefined) return renamed;
  const output = renameInTemplate(renamed.output, renames);
  return output === renamed.output ? renamed : { ...renamed, output };
}

function renameInLayout(document: FlowDocument, id: string, to: string): FlowDocument {
  return changeLayout(document, (layout) => {
    let changed = layout;
    if (Object.hasOwn(layout, id))
      changed = Object.fromEntries(
        Object.entries(layout).map(([key, value]) => [key === id ? to : key, value]),
      );
    for (const key of Object.values(DRAWINGS)) {
      const drawings = changed[key];
      if (!isMembers(drawings)) continue;
      for (const [name, drawing] of Object.entries(drawings))
        if (isMembers(drawing) && drawing.in === id)
          changed = setMember(changed, key, {
            ...(changed[key] as object),
            [name]: { ...drawing, in: to },
          });
    }
    return changed;
  });
}
