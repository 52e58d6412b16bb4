import type { FlowDocument, NodeConfig } from '@pawl/dag-core';
import { edgesOf, type Graph, innerGraph, nodesOf } from '../document/graph.ts';
import { changeLayout } from '../document/layout.ts';
import { renameInGraph, renameInTemplate } from './follow-references.ts';

type Renames = ReadonlyMap<string, string>;

/** A graph in which many nodes have new ids, and whatever names them too. */
export const renameAllIn = <G extends Graph>(graph: G, renames: Renames): G =>
  renames.size === 0 ? graph : withIds(renameInGraph(graph, renames), renames);

function withIds<G extends Graph>(graph: G, renames: Renames): G {
  const now = (id: string) => renames.get(id) ?? id;
  return {
    ...graph,
    nodes: nodesOf(graph).map((node) => {
      const body = innerGraph(node);
      return { ...node, id: now(node.id), ...(body && { body: withIds(body, renames) }) } as NodeConfig;
    }),
    edges: edgesOf(graph).map((edge) => ({ ...edge, from: now(edge.from), to: now(edge.to) })),
  };
}

/** A document in which many nodes have new ids. */
export function renameAll(document: FlowDocument, renames: Renames): FlowDocument {
  const { output, ...rest } = renameAllIn(document, renames);
  const renamed = output === undefined ? rest : { ...rest, output: renameInTemplate(output, renames) };
  return changeLayout(renamed as FlowDocument, (layout) =>
    Object.fromEntries(Object.entries(layout).map(([id, look]) => [renames.get(id) ?? id, look])),
  );
}
