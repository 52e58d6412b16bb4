import type { FlowDocument, NodeConfig } from './document.ts';

// Rules kept here: G10 the compiled graph says nothing the document does not.

/** A drawn edge between compiled nodes. `port` is '' for the normal port. */
export interface GraphEdge {
  readonly from: GraphNode;
  readonly port: string;
  readonly to: GraphNode;
  /** `from->to` or `from:port->to`: how a skip names what killed it (E5). */
  readonly name: string;
}

/** A node with its edges resolved. */
export interface GraphNode {
  readonly id: string;
  readonly config: NodeConfig;
  readonly inbound: GraphEdge[];
  readonly outbound: GraphEdge[];
  readonly scope: GraphScope;
  /** The inner graph of a container; of an agent that of a turn. */
  readonly body?: GraphScope;
  /** The pool whose workers run it; absent: the default pool (G12). */
  readonly pool?: string;
  /** Of an agent: its tools, by the names its model calls them. */
  readonly calls?: ReadonlyMap<string, GraphNode>;
  /** A failure is told to the model of the agent around it, and nothing else follows (K18). */
  readonly tells?: true;
}

/** One graph of nodes that start and end together: the run, one item of a map, or one turn of a loop or an agent. */
export interface GraphScope {
  /** The container node; absent for the run itself. */
  readonly container?: GraphNode;
  readonly nodes: readonly GraphNode[];
  /** Nodes without inbound edges. */
  readonly roots: readonly GraphNode[];
  /** Nodes without outbound edges. */
  readonly leaves: readonly GraphNode[];
}

/** A flow document compiled for running: immutable, shared by every run of the version. */
export interface FlowGraph {
  readonly document: FlowDocument;
  readonly root: GraphScope;
  readonly nodes: ReadonlyMap<string, GraphNode>;
}
