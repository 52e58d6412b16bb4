import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect } from 'react';
import { tinykeys } from 'tinykeys';
import { edgeId } from '../../canvas/draw-flow.ts';
import { type Editing, useEditingStore } from '../../canvas/editing.ts';
import {
  boxOf,
  edgesOf,
  everyNode,
  findNode,
  graphAt,
  innerGraph,
  neighbourOf,
  nodesOf,
} from '../../editor/index.ts';
import { useTestingStore } from '../../testing/testing.ts';

/** Where keys mean something else. */
const ELSEWHERE = 'input, textarea, select, [contenteditable], [role="dialog"]';
const STEP = 10;
const ARROWS = { Left: [-1, 0], Right: [1, 0], Up: [0, -1], Down: [0, 1] } as const;

/** The keys of the canvas; what is typed into a field stays there, and a dialog has the keyboard for itself. */
export function useKeys(search: RefObject<HTMLInputElement | null>): void {
  const editing = useEditingStore();
  const testing = useTestingStore();
  const { setCenter, getZoom } = useReactFlow();
  useEffect(() => {
    const here = (act: (state: Editing, event: KeyboardEvent) => void) => (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (target.closest(ELSEWHERE)) return;
      event.preventDefault();
      act(editing.getState(), event);
    };
    const show = (id: string) => {
      const { history, select } = editing.getState();
      select([id]);
      const element = document.querySelector<HTMLElement>(`.react-flow__node[data-id="${id}"]`);
      element?.focus({ preventScroll: true });
      const box = element?.getBoundingClientRect();
      const frame = element?.closest('.react-flow')?.getBoundingClientRect();
      if (
        element &&
        box &&
        frame &&
        box.left >= frame.left &&
        box.right <= frame.right &&
        box.top >= frame.top &&
        box.bottom <= frame.bottom
      )
        return;
      let { x, y, width, height } = boxOf(history.document, findNode(history.document, id)!.node);
      for (const container of findNode(history.document, id)!.graph) {
        const outer = boxOf(history.document, findNode(history.document, container)!.node);
        x += outer.x;
        y += outer.y;
      }
      void setCenter(x + width / 2, y + height / 2, { zoom: getZoom() });
    };
    const walk = (arrow: 'left' | 'right' | 'up' | 'down') =>
      here(({ history, selected }) => {
        const [from] = selected;
        const [first] = nodesOf(history.document);
        const graph = from === undefined ? undefined : findNode(history.document, from)?.graph;
        const to = graph ? neighbourOf(history.document, graph, from!, arrow) : first?.id;
        if (to !== undefined) show(to);
      });
    const nudge = ([x, y]: readonly [number, number]) =>
      here(({ history, selected, perform }) =>
        perform({
          do: 'arrange',
          nodes: Object.fromEntries(
            selected.map((id) => {
              const box = boxOf(history.document, findNode(history.document, id)!.node);
              return [id, { x: box.x + x * STEP, y: box.y + y * STEP }];
            }),
          ),
        }),
      );
    const openPalette = here(() => search.current?.focus());
    const tab = (event: KeyboardEvent) => {
      if ((event.target as HTMLElement).matches('.react-flow__node, .react-flow__pane')) openPalette(event);
    };
    // The second Enter leads into its settings.
    const enter = (event: KeyboardEvent) => {
      const id = (event.target as HTMLElement).matches('.react-flow__node')
        ? (event.target as HTMLElement).dataset.id
        : undefined;
      if (id === undefined) return;
      event.preventDefault();
      const { selected, select } = editing.getState();
      if (selected.length === 1 && selected[0] === id)
        document.querySelector<HTMLElement>('aside [role="tab"][data-state="active"]')?.focus();
      else select([id]);
    };
    const giveUp = (event: KeyboardEvent) => {
      if ((event.target as HTMLElement).closest(ELSEWHERE)) return;
      editing.getState().select([]);
      editing.getState().set({ place: undefined });
    };
    return tinykeys(window, {
      '$mod+KeyZ': here(({ undo }) => undo()),
      '$mod+Shift+KeyZ': here(({ redo }) => redo()),
      '$mod+KeyY': here(({ redo }) => redo()),
      '$mod+KeyA': here(selectAll),
      '$mod+KeyD': here(({ selected, history, rewrite }) => {
        const graph = selected[0] === undefined ? undefined : findNode(history.document, selected[0])?.graph;
        if (graph) void rewrite({ do: 'duplicate', graph, ids: within(history.document, graph, selected) });
      }),
      Delete: here(removeSelected),
      Backspace: here(removeSelected),
      F2: here(({ selected, set }) => selected.length === 1 && set({ renaming: selected[0] })),
      KeyT: here(({ selected: [node, more] }) => {
        const part =
          node === undefined || more !== undefined ? ({ do: 'all' } as const) : { do: 'to' as const, node };
        testing.getState().set({ asked: part });
      }),
      '/': openPalette,
      Tab: tab,
      Enter: enter,
      Escape: giveUp,
      ArrowLeft: walk('left'),
      ArrowRight: walk('right'),
      ArrowUp: walk('up'),
      ArrowDown: walk('down'),
      'Alt+ArrowLeft': nudge(ARROWS.Left),
      'Alt+ArrowRight': nudge(ARROWS.Right),
      'Alt+ArrowUp': nudge(ARROWS.Up),
      'Alt+ArrowDown': nudge(ARROWS.Down),
    });
  }, [editing, testing, search, setCenter, getZoom]);
}

/** Every node of the graph in which something is selected, else of the flow. */
function selectAll({ history, selected, select }: Editing): void {
  const path = selected[0] === undefined ? [] : (findNode(history.document, selected[0])?.graph ?? []);
  const graph = graphAt(history.document, path);
  if (graph) select(nodesOf(graph).map(({ id }) => id));
}

const within = (document: Editing['history']['document'], graph: readonly string[], ids: readonly string[]) =>
  ids.filter((id) => findNode(document, id)?.graph.join('/') === graph.join('/'));

/** Takes away what is selected: nodes with their edges, else edges. Nodes of other graphs than the first one's stay. */
export function removeSelected({ history, selected, selectedEdges, perform }: Editing): void {
  const { document: flow } = history;
  const graph = selected[0] === undefined ? undefined : findNode(flow, selected[0])?.graph;
  if (graph) {
    perform({ do: 'removeNodes', graph, ids: within(flow, graph, selected) });
    document.querySelector<HTMLElement>('.react-flow')?.closest<HTMLElement>('section')?.focus();
    return;
  }
  const paths = [
    [],
    ...[...everyNode(flow)]
      .filter(({ node }) => innerGraph(node))
      .map((each) => [...each.graph, each.node.id]),
  ];
  for (const path of paths) {
    const edges = edgesOf(graphAt(flow, path)!).filter((edge) => selectedEdges.includes(edgeId(edge)));
    if (edges.length > 0) return void perform({ do: 'disconnect', graph: path, edges });
  }
}
