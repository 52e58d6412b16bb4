import type { Json } from '../json.ts';

// Rules kept here: Y1 what makes a document that of a test run.

/** The part of a flow that a test run tries: all of it, what leads to a node, what follows from it, or the node alone. */
export type TestPart =
  | { readonly do: 'all' }
  | { readonly do: 'to' | 'from' | 'only'; readonly node: string };

/** Where an output comes from for which nothing was called. */
export interface OutputOrigin {
  /** Kept with the node by a person, given by a node run of an earlier run, or made up for this test. */
  readonly origin: 'pinned' | 'recorded' | 'mocked';
  /** Of a recorded one: the node run that gave it. */
  readonly runId?: string;
  readonly path?: string;
}

/** An output that stands for what a node would give. */
export interface TestOutput extends OutputOrigin {
  readonly output: Json;
  /** Live ports when not just the normal one. */
  readonly ports?: readonly string[];
  /** Its node stands before the part: what reads it need not wait for it. */
  readonly isBefore?: true;
}

/** What makes a document that of a test run; nothing that is published has it. */
export interface TestSetup {
  readonly part: TestPart;
  /** By node: for each of its node runs. By path: for that one. */
  readonly outputs: Readonly<Record<string, TestOutput>>;
}
