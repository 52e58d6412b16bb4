import {
  compileTemplate,
  type NodeConfig,
  quoteName,
  type Reference,
  readingsOf,
  type Template,
} from '@pawl/dag-core';
import { type Graph, innerGraph, nodesOf } from '../document/graph.ts';
import { changeAt, mapShared, pointerParts, valueAt } from '../document/json-path.ts';

type Renames = ReadonlyMap<string, string>;

/** A graph whose expressions, inner graphs included, name nodes by their new ids. Nothing named, the same graph comes back. */
export function renameInGraph<G extends Graph>(graph: G, renames: Renames): G {
  const known = new Set(nodesOf(graph));
  const nodes = mapShared(graph.nodes, (node) => (known.has(node) ? renameInNode(node, renames) : node));
  return nodes === graph.nodes ? graph : { ...graph, nodes };
}

/** A node whose expressions, and those of what it holds, name nodes by their new ids. */
function renameInNode(node: NodeConfig, renames: Renames): NodeConfig {
  const renamed = write(node, readingsOf(node), renames);
  const body = innerGraph(renamed);
  if (!body) return renamed;
  const inner = renameInGraph(body, renames);
  return inner === body ? renamed : ({ ...renamed, body: inner } as NodeConfig);
}

/** A template that names nodes by their new ids. */
export const renameInTemplate = (template: Template, renames: Renames): Template =>
  write(template, compileTemplate(template).references, renames);

/** Writes from the end of each text, so that the places of what comes before stay true. */
function write<T>(value: T, references: readonly Reference[], renames: Renames): T {
  const named = references.filter((each) => each.idAt && renames.has(each.node as string));
  return named
    .toSorted((one, other) => other.idAt!.position - one.idAt!.position)
    .reduce((changed, { pointer, node, idAt }) => {
      const path = pointerParts(pointer);
      if (typeof valueAt(changed, path) !== 'string') return changed;
      return changeAt(changed, path, (text) =>
        replaced(text as string, idAt!.position, idAt!.length, quoteName(renames.get(node as string)!)),
      );
    }, value);
}

const replaced = (text: string, at: number, length: number, by: string): string =>
  text.slice(0, at) + by + text.slice(at + length);
