import type { NodeConfig } from '@pawl/dag-core';

/** What the expressions of a node read. */
export type Reads = (node: NodeConfig) => readonly string[];

/** Loads what reads expressions, which is large; undefined when it does not come. */
export const loadReads = (): Promise<Reads | undefined> =>
  import('./reads.ts').then(
    ({ readsOf }) => readsOf,
    () => undefined,
  );
