import type { NodeEffect } from './node-effect.ts';
import type { OutputOrigin, TestPart } from './test-setup.ts';

/** What a test run does with a node. */
export interface PlannedNode extends NodeEffect {
  readonly node: string;
  /** It is computed, calls something outside, has an output given, or takes no part. */
  readonly does: 'computes' | 'calls' | 'given' | 'nothing';
  readonly origin?: OutputOrigin['origin'];
  /** It is given, stands before the part that is tried, and is there to be read. */
  readonly isBefore?: true;
  /** Why it takes no part: it is none of the part, is off, needs a node that takes none, or holds one that is off. */
  readonly why?: 'outside' | 'off' | 'needs' | 'holds';
  /** The node that it needs or holds. */
  readonly because?: string;
  /** Nodes that it reads, which neither run nor have an output: it reads nothing there. */
  readonly lacks?: readonly string[];
}

/** What a test run would do. */
export interface TestPlan {
  readonly part: TestPart;
  /** Every node of the document, containers before what they hold. */
  readonly nodes: readonly PlannedNode[];
  /** Nodes that would call what must not be repeated, and that nobody has allowed to. */
  readonly undecided: readonly string[];
  /** Why there is nothing to try: there is no such node, it would take no part, or nothing would. */
  readonly refusal?: {
    readonly code: 'node_unknown' | 'node_left_out' | 'nothing_runs';
    readonly because?: string;
  };
}
