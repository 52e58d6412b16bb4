import type { FlowDocument } from '@pawl/dag-core';
import { type Alignment, type Arrange, align, distribute, findNode } from '../editor/index.ts';

/** Ways to put what is selected in a row, with the keys that do it. */
export const ARRANGEMENTS = [
  { does: 'left', keys: ['Alt+KeyA'] },
  { does: 'center', keys: ['Alt+KeyH'] },
  { does: 'right', keys: ['Alt+KeyD'] },
  { does: 'top', keys: ['Alt+KeyW'] },
  { does: 'middle', keys: ['Alt+KeyV'] },
  { does: 'bottom', keys: ['Alt+KeyS'] },
  { does: 'across', keys: ['Alt+Shift+KeyH'] },
  { does: 'down', keys: ['Alt+Shift+KeyV'] },
] as const satisfies readonly {
  readonly does: Alignment | 'across' | 'down';
  readonly keys: readonly string[];
}[];

export type Arrangement = (typeof ARRANGEMENTS)[number]['does'];

/** How few nodes there is something to do for. */
export const leastFor = (does: Arrangement): number => (does === 'across' || does === 'down' ? 3 : 2);

/** The nodes that can be arranged with the first of them: those of its graph. */
export function arrangeable(document: FlowDocument, selected: readonly string[]): readonly string[] {
  const graphOf = (id: string) => findNode(document, id)?.graph.join('/');
  return selected.filter((id) => graphOf(id) === graphOf(selected[0]!));
}

/** Puts the selected nodes of one graph in a row; undefined where there are too few. */
export function arranged(
  document: FlowDocument,
  selected: readonly string[],
  does: Arrangement,
): Arrange | undefined {
  const ids = arrangeable(document, selected);
  if (ids.length < leastFor(does)) return undefined;
  const { graph } = findNode(document, ids[0]!)!;
  return does === 'across' || does === 'down'
    ? distribute(document, graph, ids, does)
    : align(document, graph, ids, does);
}
