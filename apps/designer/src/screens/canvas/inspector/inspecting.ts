import type { ModelInfo, ToolInfo } from '@pawl/api';
import type { FlowDocument, Json, NodeConfig } from '@pawl/dag-core';
import { createContext, useContext } from 'react';
import { useEditingStore } from '../../../canvas/editing.ts';
import { type GraphPath, type Problem, pointerParts, valueAt } from '../../../editor/index.ts';
import type { RecordedReader } from '../../../inspecting/recorded/recorded-reader.ts';

/** The node that is looked at, with everything its form needs to know. */
export interface Inspected {
  readonly document: FlowDocument;
  readonly node: NodeConfig;
  readonly graph: GraphPath;
  readonly tools: ReadonlyMap<string, ToolInfo>;
  readonly models: readonly ModelInfo[];
  /** Those of this node. */
  readonly problems: readonly Problem[];
  readonly record: ChosenRun;
}

/** The run that samples, previews and tabs speak of. */
interface ChosenRun {
  readonly reader: RecordedReader;
  /** Absent: the flow never ran. */
  readonly runId?: string | undefined;
  /** Which item of a map, or turn of a loop. */
  readonly item: number;
}

export const InspectedContext = createContext<Inspected | undefined>(undefined);

export function useInspected(): Inspected {
  const inspected = useContext(InspectedContext);
  if (!inspected) throw new Error('No node is looked at here: expected a component inside the inspector.');
  return inspected;
}

/** One setting of the node, by its pointer. */
export interface Setting {
  readonly pointer: string;
  readonly value: Json | undefined;
  /** What is typed in one field, one after the other, is one thing to undo. */
  readonly type: (value: Json | undefined) => void;
  /** One choice is one thing to undo. */
  readonly choose: (value: Json | undefined) => void;
  /** Ends what is typed. */
  readonly pause: () => void;
}

/** What sets any setting of the node, as an operation that can be undone. */
export function useSetAt(): (pointer: string, value: Json | undefined, how?: 'typed' | 'chosen') => void {
  const editing = useEditingStore();
  const { node, graph } = useInspected();
  return (pointer, value, how = 'chosen') =>
    editing.getState().perform(
      {
        do: 'setSetting',
        graph,
        id: node.id,
        pointer,
        ...(value !== undefined && { value }),
      },
      how === 'typed' ? { field: `${node.id}${pointer}` } : {},
    );
}

export function useSetting(pointer: string): Setting {
  const editing = useEditingStore();
  const { node } = useInspected();
  const setAt = useSetAt();
  return {
    pointer,
    value: valueAt(node, pointerParts(pointer)) as Json | undefined,
    type: (value) => setAt(pointer, value, 'typed'),
    choose: (value) => setAt(pointer, value),
    pause: () => editing.getState().pause(),
  };
}

/** Where in a run the node's expressions are filled: '' for the run, `each/3` for an item. */
export const scopePathOf = (graph: GraphPath, item: number): string =>
  graph.map((id, at) => `${id}/${at === graph.length - 1 ? item : 0}`).join('/');

/** The path of the node's node run. */
export function nodeRunPath({ graph, node, record }: Pick<Inspected, 'graph' | 'node' | 'record'>): string {
  const scope = scopePathOf(graph, record.item);
  return scope === '' ? node.id : `${scope}/${node.id}`;
}
