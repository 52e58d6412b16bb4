import type { Json } from '../json.ts';

/** What a finished or skipped node shows to expressions. */
export interface NodeView {
  readonly output?: Json;
  readonly status?: string;
  readonly failure?: Json;
}

/** Everything an expression can read (X2). Treated as immutable. */
export interface Scope {
  readonly input: Json;
  readonly nodes: Readonly<Record<string, NodeView>>;
  /** Inside a map: the item; inside a loop: the output of the turn before. */
  readonly item?: Json;
  readonly index?: number;
  readonly run: { readonly id: string; readonly startedAt: string };
  /** Where an agent looks at its last turn only. */
  readonly turn?: Json;
  /** Where it is decided whether a person must allow a call only. */
  readonly args?: Json;
  /** Only where a secret is allowed: the references that stand for the secrets, by name (V13). */
  readonly secrets?: Readonly<Record<string, Json>>;
}

/** Sources of what is not in the scope, and the bounds of one expression (X6, X8). */
export interface ExpressionEnv {
  /** The recorded clock in epoch milliseconds; called only when an expression reads it. */
  now(): number;
  /** The next recorded random number, 0 ≤ r < 1; called only when an expression draws one. */
  random(): number;
  /** Default 50. */
  readonly timeLimitMs?: number;
  /** Default 10 MB, of the result's JSON text. */
  readonly sizeLimitBytes?: number;
}

/** Size limit of one result when the environment names none (X8). */
export const DEFAULT_SIZE_LIMIT_BYTES = 10_000_000;

/** Names an expression may start from (X2). */
export const SCOPE_ROOTS = ['input', 'nodes', 'item', 'index', 'run', 'secrets', 'turn', 'args'] as const;
export type ScopeRoot = (typeof SCOPE_ROOTS)[number];

/** What an expression may read of a node. */
export const NODE_MEMBERS = ['output', 'status', 'failure'] as const;

/** One place where an expression reads the scope. */
export interface Reference {
  readonly root: ScopeRoot;
  /** Node id, for root `nodes`. */
  readonly node?: string;
  /** The names as far as they are plain, joined by dots: `nodes.lookup.output.items`. */
  readonly path: string;
  /** JSON pointer of the string inside its template. */
  readonly pointer: string;
  /** Offset of the reference in that string, in UTF-16 units. */
  readonly position: number;
  /** Where the node's id is written in that string, its quotes included; for root `nodes`. */
  readonly idAt?: { readonly position: number; readonly length: number };
}

/** Something wrong with a template, found without running it. */
export interface TemplateIssue {
  readonly code: string;
  readonly pointer: string;
  readonly position: number;
  readonly message: string;
  readonly hint?: string;
  readonly severity: 'error' | 'warning';
}
