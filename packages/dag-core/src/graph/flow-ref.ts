import { bodyOf, type FlowDocument, type InnerGraph, type NodeConfig } from './document.ts';

// Rules kept here: K12 what a node names as the flow that it runs, and what publish makes of it.

/** JSON Schema pattern of what a `flow` node names. */
export const FLOW_REF_PATTERN = '^[a-z][a-z0-9_-]{0,63}(?:@(?:latest|self|[1-9][0-9]{0,8}|[0-9a-f]{64}))?$';

/** A flow as a node names it. */
export interface FlowRef {
  readonly name: string;
  /** `latest` the version that starts run now · `self` the version that the node itself belongs to · a number, or the id, of a version. */
  readonly version: 'latest' | 'self' | { readonly number: number } | { readonly id: string };
}

/** Reads what a node names; undefined when it is malformed. */
export function parseFlowRef(text: string): FlowRef | undefined {
  if (!new RegExp(FLOW_REF_PATTERN).test(text)) return undefined;
  const [name = '', version = 'latest'] = text.split('@');
  if (version === 'latest' || version === 'self') return { name, version };
  return { name, version: version.length === 64 ? { id: version } : { number: Number(version) } };
}

/** A version that a node may mean, or what is missing. */
export type FoundFlow =
  | {
      readonly versionId: string;
      readonly input?: FlowDocument['input'];
      /** The tools that it may call; what flows that it runs itself may call is not looked at. */
      readonly tools?: readonly string[];
      /** It runs other flows, which were not looked at. */
      readonly runsFlows?: true;
    }
  | { readonly missing: 'flow' | 'version' | 'published_version' };

/** True when `ref` in a flow called `name` means the version it stands in: a flow may run itself. */
export const isOwnVersion = (ref: FlowRef, name: unknown): boolean =>
  ref.name === name && (ref.version === 'self' || ref.version === 'latest');

/** What the `flow` nodes of a document name, inner graphs included, itself not; of a document that nobody has checked yet. */
export function flowRefsIn(document: unknown): string[] {
  const found = new Set<string>();
  const { name } = (document ?? {}) as { name?: unknown };
  const open: unknown[] = [document];
  for (let graph = open.pop(); graph !== undefined; graph = open.pop()) {
    const { nodes } = (graph ?? {}) as { nodes?: unknown };
    if (!Array.isArray(nodes)) continue;
    for (const node of nodes as { kind?: unknown; flow?: unknown; body?: unknown }[]) {
      if (typeof node !== 'object' || node === null) continue;
      if (node.body !== undefined) open.push(node.body);
      const ref = node.kind === 'flow' && typeof node.flow === 'string' ? parseFlowRef(node.flow) : undefined;
      if (ref && !isOwnVersion(ref, name)) found.add(node.flow as string);
    }
  }
  return [...found];
}

/**
 * The document with each flow that it names pinned to a version, `<name>@<version id>`, and itself as `<name>@self`. The same
 * document when it names none.
 *
 * @param flows what the document names, found; see {@link flowRefsIn}
 */
export function pinFlows(document: FlowDocument, flows: ReadonlyMap<string, FoundFlow>): FlowDocument {
  const pin = (node: NodeConfig): NodeConfig => {
    const body = bodyOf(node);
    if (body) return { ...node, body: graph(body) } as NodeConfig;
    if (node.kind !== 'flow') return node;
    const ref = parseFlowRef(node.flow)!;
    if (isOwnVersion(ref, document.name)) return { ...node, flow: `${ref.name}@self` };
    const found = flows.get(node.flow);
    return found && 'versionId' in found ? { ...node, flow: `${ref.name}@${found.versionId}` } : node;
  };
  const graph = (inner: InnerGraph): InnerGraph => ({ ...inner, nodes: inner.nodes.map(pin) });
  return hasFlows(document) ? { ...document, nodes: document.nodes.map(pin) } : document;
}

const hasFlows = ({ nodes }: Pick<InnerGraph, 'nodes'>): boolean =>
  nodes.some((node) => {
    const body = bodyOf(node);
    return node.kind === 'flow' || (body !== undefined && hasFlows(body));
  });
