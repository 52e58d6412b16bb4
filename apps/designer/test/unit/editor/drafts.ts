import type { EdgeConfig, FlowDocument, NodeConfig } from '@pawl/dag-core';
import {
  type Applied,
  apply as applyWith,
  type Changed,
  type Done,
  type History,
  isRefused,
  type Operation,
  perform as performWith,
  type Refusal,
} from '../../../src/editor/index.ts';
import { rewrite } from '../../../src/editor/operations/rewrite.ts';

type Fields = Record<string, unknown>;

/** A transform with a constant value, or whatever `fields` say. */
export const node = (id: string, fields: Fields = {}): NodeConfig =>
  ({ id, ...('kind' in fields ? {} : { kind: 'transform', value: 1 }), ...fields }) as unknown as NodeConfig;

export const reads = (id: string, template: unknown): NodeConfig => node(id, { value: template });

/** `a -> b`, `a:port -> b`. */
export const edge = (text: string): EdgeConfig => {
  const [source = '', to = ''] = text.split('->').map((part) => part.trim());
  const [from = '', port] = source.split(':');
  return port === undefined ? { from, to } : { from, port, to };
};

export const edges = (...texts: string[]): EdgeConfig[] => texts.map(edge);

export const route = (id: string, ...ports: string[]): NodeConfig =>
  node(id, { kind: 'switch', cases: ports.map((port) => ({ port, when: 'true' })) });

export const map = (
  id: string,
  nodes: NodeConfig[],
  inner: EdgeConfig[] = [],
  fields: Fields = {},
): NodeConfig =>
  node(id, { kind: 'map', over: '{{ input.items }}', body: { nodes, edges: inner }, ...fields });

export const draft = (nodes: NodeConfig[], drawn: EdgeConfig[] = [], fields: Fields = {}): FlowDocument =>
  ({ format: 'pawl/1', name: 'a-flow', nodes, edges: drawn, ...fields }) as FlowDocument;

/** With everything loaded. */
export const apply = (document: FlowDocument, operation: Operation): Changed<Applied> =>
  applyWith(document, operation, rewrite);

/** With everything loaded. */
export const perform = (history: History, operation: Operation, field?: string): Done =>
  performWith(history, operation, { field, rewrite });

/** Does it, and fails when it was refused. */
export function done(document: FlowDocument, operation: Operation): Applied {
  const applied = apply(document, operation);
  if (isRefused(applied)) throw new Error(`refused: ${JSON.stringify(applied.refused)}`);
  return applied;
}

/** Why it was refused; fails when it was not. */
export function refusalOf(document: FlowDocument, operation: Operation): Refusal {
  const applied = apply(document, operation);
  if (!isRefused(applied)) throw new Error(`done: ${JSON.stringify(applied.document)}`);
  return applied.refused;
}

/** The edges of a graph as they are written in tests. */
export const drawn = ({ edges: list }: { readonly edges: readonly EdgeConfig[] }): string[] =>
  list.map(({ from, port, to }) => `${from}${port === undefined ? '' : `:${port}`} -> ${to}`);
