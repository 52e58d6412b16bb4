import type { EdgeConfig } from '@pawl/dag-core';
import type { GraphPath } from '../document/graph.ts';

/** Why something cannot be done, as data: the texts say it in words and offer the way out. Codes are those of SPEC G where it has one. */
export type Refusal =
  /** `loop`: the nodes that the edge would join to a circle, in order, the first one again at the end; `between`: all that are on some way round, which a loop could hold. */
  | { readonly code: 'cycle'; readonly loop: readonly string[]; readonly between: readonly string[] }
  | { readonly code: 'edge_duplicate'; readonly edge: EdgeConfig }
  | { readonly code: 'edge_self_loop'; readonly node: string }
  | { readonly code: 'edge_unknown'; readonly edge: EdgeConfig }
  /** An inner graph is entered and left through its container only. */
  | {
      readonly code: 'edge_crosses_scope';
      readonly node: string;
      readonly graph: GraphPath;
      readonly other: string;
      readonly otherGraph: GraphPath;
    }
  | {
      readonly code: 'port_unknown';
      readonly node: string;
      readonly port: string;
      readonly ports: readonly string[];
    }
  /** Two cases of a switch would have one name, or one that every node may have. */
  | { readonly code: 'port_duplicate' | 'port_reserved'; readonly node: string; readonly port: string }
  | { readonly code: 'node_unknown'; readonly node: string; readonly graph: GraphPath }
  | { readonly code: 'graph_unknown'; readonly graph: GraphPath }
  | { readonly code: 'id_duplicate' | 'id_malformed' | 'id_reserved'; readonly id: string }
  /** Not a setting: an id is renamed, a body is edited as a graph, a kind is chosen once. */
  | { readonly code: 'setting_fixed'; readonly pointer: string }
  /** The pointer leads through something that has no members. */
  | { readonly code: 'setting_unreachable'; readonly pointer: string }
  /** A way leads from the chosen nodes out and back in; `between` are the nodes on it. */
  | { readonly code: 'wraps_apart'; readonly between: readonly string[] }
  | { readonly code: 'nothing_chosen' }
  /** What writes expressions anew is not here. */
  | { readonly code: 'rewrite_missing' };

/** A document, or why there is none. */
export type Changed<T> = T | { readonly refused: Refusal };

export const refuse = (refused: Refusal): { readonly refused: Refusal } => ({ refused });

export const isRefused = (changed: object): changed is { readonly refused: Refusal } => 'refused' in changed;
