import type { FlowDocument } from '@pawl/dag-core';
import { changeGraph, everyNode, graphAt, innerGraph, nodesById } from '../document/graph.ts';
import { isMembers, without } from '../document/json-path.ts';
import { changeLayout, DRAWINGS, setMember, withoutMembers } from '../document/layout.ts';
import type { RemoveNodes } from './operation.ts';
import { type Changed, refuse } from './refusal.ts';

/** Takes nodes away with their edges, what they hold, and how all of it was drawn. */
export function removeNodes(document: FlowDocument, { graph, ids }: RemoveNodes): Changed<FlowDocument> {
  const found = graphAt(document, graph);
  if (!found) return refuse({ code: 'graph_unknown', graph });
  const gone = new Set(ids);
  const drawn = new Set(ids);
  for (const id of gone) {
    const node = nodesById(found).get(id);
    if (!node) return refuse({ code: 'node_unknown', node: id, graph });
    const body = innerGraph(node);
    if (body) for (const inner of everyNode(body)) drawn.add(inner.node.id);
  }
  const removed = changeGraph(document, graph, (old) => ({
    ...old,
    nodes: without(old.nodes, (node) => gone.has(node?.id)),
    edges: without(old.edges, (edge) => gone.has(edge?.from) || gone.has(edge?.to)),
  }));
  return forgetDrawn(removed, drawn);
}

/** The layout without these nodes, and without what was drawn inside them. */
function forgetDrawn(document: FlowDocument, ids: ReadonlySet<string>): FlowDocument {
  return changeLayout(document, (layout) => {
    let changed = withoutMembers(layout, ids);
    for (const key of Object.values(DRAWINGS)) {
      const drawings = changed[key];
      if (!isMembers(drawings)) continue;
      const kept = Object.entries(drawings).filter(
        ([, value]) => !(isMembers(value) && ids.has(String(value.in))),
      );
      if (kept.length < Object.keys(drawings).length)
        changed = setMember(changed, key, Object.fromEntries(kept));
    }
    return changed;
  });
}
