import type { NodeConfig, ScopeRoot } from '@pawl/dag-core';

/** Where in a node an expression stands: what it may read follows from that (SPEC X2, X3). */
export interface Standpoint {
  /** Filled once per item or turn, after the body ran. */
  readonly isPerItem: boolean;
  /** Roots that exist here beside `input`, `nodes`, `run`, and `item` and `index` inside a container. */
  readonly roots: readonly Extract<ScopeRoot, 'secrets' | 'turn' | 'args'>[];
}

/** What the setting at a JSON pointer of a node may read. */
export function standpointAt({ kind }: Pick<NodeConfig, 'kind'>, pointer: string): Standpoint {
  const isPerItem =
    (kind === 'map' && pointer.startsWith('/output')) ||
    (kind === 'loop' && /^\/(output|until)/.test(pointer));
  return { isPerItem, roots: rootsAt(kind, pointer) };
}

function rootsAt(kind: NodeConfig['kind'], pointer: string): Standpoint['roots'] {
  if (kind === 'tool') return pointer.startsWith('/args') ? ['secrets'] : [];
  if (kind !== 'agent') return [];
  if (pointer === '/stop' || pointer.startsWith('/output/value')) return ['turn'];
  if (/^\/tools\/\d+\/args/.test(pointer)) return ['secrets'];
  return /^\/tools\/\d+\/approve(\/when)?$/.test(pointer) ? ['args'] : [];
}
