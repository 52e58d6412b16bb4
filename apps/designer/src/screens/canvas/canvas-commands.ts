import type { TFunction } from 'i18next';
import type { RefObject } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import { ARRANGEMENTS, arranged } from '../../canvas/arrangements.ts';
import { readDrawnId, thingsOf } from '../../canvas/drawn.ts';
import type { Editing } from '../../canvas/editing.ts';
import type { Command, CommandGroup, FoundCommand } from '../../commands/commands.ts';
import {
  callsShown,
  carriedBy,
  carry,
  type Drawing,
  everyNode,
  findNode,
  innerGraph,
  lookOf,
  neighbourOf,
  nodesOf,
  type Point,
  resized,
} from '../../editor/index.ts';
import type { Testing } from '../../testing/testing.ts';
import { addDrawing } from './drawings/add-drawing.ts';
import { isRunsFlow } from './drill-in/ways-in.ts';
import { chosenTogether, removeSelected, selectAll } from './selected.ts';
import { nodeAround } from './showing.ts';

/** What the commands of the canvas act on. */
export interface Canvas {
  readonly editing: StoreApi<Editing>;
  readonly testing: StoreApi<Testing>;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly isList: boolean;
  readonly show: (id: string) => void;
  /** Looks into what a node runs. */
  readonly open: (id: string) => void;
  readonly tidy: () => void;
  /** The point of the canvas in the middle of what is seen. */
  readonly middle: () => Point;
  readonly publish: () => void;
  readonly toggleList: () => void;
  readonly t: TFunction;
}

const STEP = 10;
const ARROWS = {
  left: { key: 'ArrowLeft', by: { x: -STEP, y: 0 } },
  right: { key: 'ArrowRight', by: { x: STEP, y: 0 } },
  up: { key: 'ArrowUp', by: { x: 0, y: -STEP } },
  down: { key: 'ArrowDown', by: { x: 0, y: STEP } },
} as const;
type Arrow = keyof typeof ARROWS;

/** Everything that can be done on the canvas and in its list; the one place that knows its keys. */
export function canvasCommands(canvas: Canvas): CommandGroup[] {
  const { t } = canvas;
  return [
    { title: t('commands.canvas.nodes'), commands: nodeCommands(canvas) },
    { title: t('commands.nodes'), commands: [], more: () => everyNodeByName(canvas) },
    { title: t('commands.canvas.arranging'), commands: canvas.isList ? [] : arrangeCommands(canvas) },
    { title: t('commands.canvas.ways'), commands: canvas.isList ? [] : wayCommands(canvas) },
    { title: t('commands.canvas.flow'), commands: flowCommands(canvas) },
  ].filter(({ commands, more }) => commands.length > 0 || more);
}

/** Every node, to be shown. */
const everyNodeByName = ({ editing, show, t }: Canvas): FoundCommand[] =>
  [...everyNode(editing.getState().history.document)].map(({ node }) => ({
    id: node.id,
    words: node.title ?? node.id,
    also: node.id,
    note: t(`canvas.kinds.${node.kind}`),
    act: () => show(node.id),
  }));

/** The node that is meant: the one that is selected, else the one that has the focus. */
function nodeMeant({ selected }: Editing): string | undefined {
  return selected.length > 0 ? selected.at(-1) : nodeAround(document.activeElement);
}

function nodeCommands({ editing, search, t }: Canvas): Command[] {
  const say = (id: keyof typeof words) => ({ id, words: words[id] });
  const words = {
    add: t('commands.canvas.add'),
    connect: t('commands.canvas.connect'),
    disconnect: t('commands.canvas.disconnect'),
    rename: t('commands.canvas.rename'),
    remove: t('commands.canvas.remove'),
    duplicate: t('commands.canvas.duplicate'),
    selectAll: t('commands.canvas.selectAll'),
    settings: t('commands.canvas.settings'),
    giveUp: t('commands.canvas.giveUp'),
  };
  const wire = (does: 'connect' | 'disconnect') => () => {
    const id = nodeMeant(editing.getState());
    if (id !== undefined && !readDrawnId(id)) editing.getState().set({ wiring: { id, does } });
  };
  const openPalette = () => search.current?.focus();
  const isOnCanvas = (target: HTMLElement) => target.matches('.react-flow__node, .react-flow__pane');
  return [
    { ...say('add'), keys: ['/', 'Shift+/'], act: openPalette },
    {
      ...say('add'),
      id: 'addByTab',
      words: t('commands.canvas.addAfter'),
      keys: ['Tab'],
      isKeysOnly: true,
      countsAt: isOnCanvas,
      act: openPalette,
    },
    { ...say('connect'), keys: ['KeyC'], act: wire('connect') },
    { ...say('disconnect'), keys: ['KeyX'], act: wire('disconnect') },
    {
      ...say('rename'),
      keys: ['F2'],
      act: () => {
        const { selectedDrawings, set } = editing.getState();
        const id = nodeMeant(editing.getState()) ?? selectedDrawings.at(-1);
        if (id !== undefined) set({ renaming: id });
      },
    },
    { ...say('remove'), keys: ['Delete', 'Backspace'], act: () => removeSelected(editing.getState()) },
    ...clipboardCommands(t),
    { ...say('duplicate'), keys: ['$mod+KeyD'], act: () => duplicate(editing.getState()) },
    { ...say('selectAll'), keys: ['$mod+KeyA'], act: () => selectAll(editing.getState()) },
    {
      ...say('settings'),
      keys: ['Enter'],
      isKeysOnly: true,
      countsAt: (target) => target.matches('.react-flow__node, [data-row]'),
      act: (event) => selectOrSet(editing.getState(), event?.target as HTMLElement),
    },
    {
      ...say('giveUp'),
      keys: ['Escape'],
      isKeysOnly: true,
      act: () => {
        editing.getState().select([]);
        editing.getState().set({ place: undefined });
      },
    },
  ];
}

/** The second Enter leads into the settings of a node. */
function selectOrSet({ selected, selectedDrawings, select, set }: Editing, target: HTMLElement): void {
  const id = nodeAround(target)!;
  if (readDrawnId(id)) {
    if (selectedDrawings.includes(id)) set({ renaming: id });
    else select([], [], [id]);
    return;
  }
  if (selected.length === 1 && selected[0] === id)
    document.querySelector<HTMLElement>('aside [role="tab"][data-state="active"]')?.focus();
  else select([id]);
}

function duplicate(editing: Editing): void {
  const chosen = chosenTogether(editing);
  if (!chosen) return;
  const { graph, nodes, drawings } = chosen;
  const { notes, frames } = thingsOf(drawings);
  void editing.rewrite({ do: 'duplicate', graph, ids: nodes, notes, frames });
}

/** The browser itself does these, with what it has on its clipboard: the keys are shown here and bound there. */
const clipboardCommands = (t: TFunction): Command[] =>
  (
    [
      ['copy', '$mod+KeyC'],
      ['cut', '$mod+KeyX'],
      ['paste', '$mod+KeyV'],
      ['pasteWithEdges', '$mod+Shift+KeyV'],
    ] as const
  ).map(([id, key]) => ({
    id,
    words: t(`commands.canvas.${id}`),
    keys: [key],
    isKeysOnly: true,
    countsAt: () => false,
    act: () => undefined,
  }));

function wayCommands({ editing, show, open, t }: Canvas): Command[] {
  const words = {
    go: t('commands.canvas.go'),
    reach: t('commands.canvas.reach'),
    move: t('commands.canvas.move'),
    resize: t('commands.canvas.resize'),
  };
  const forArrows = (id: keyof typeof words, modifier: string, act: (arrow: Arrow) => void): Command[] => [
    {
      id,
      words: words[id],
      keys: Object.values(ARROWS).map(({ key }) => modifier + key),
      isKeysOnly: true,
      act: (event) => {
        const arrow = (Object.keys(ARROWS) as Arrow[]).find((each) => ARROWS[each].key === event?.key);
        if (arrow) act(arrow);
      },
    },
  ];
  const next = (arrow: Arrow) => {
    const { history, selected } = editing.getState();
    const from = selected.at(-1);
    const graph = from === undefined ? undefined : findNode(history.document, from)?.graph;
    if (!graph) return nodesOf(history.document)[0]?.id;
    return neighbourOf(history.document, graph, from!, arrow);
  };
  return [
    ...forArrows('go', '', (arrow) => {
      const to = next(arrow);
      if (to !== undefined) show(to);
    }),
    ...forArrows('reach', 'Shift+', (arrow) => {
      const { selected } = editing.getState();
      const to = next(arrow);
      if (to === undefined) return;
      show(to);
      editing.getState().select([...selected.filter((id) => id !== to), to]);
    }),
    ...forArrows('move', 'Alt+', (arrow) => moveSelected(editing.getState(), ARROWS[arrow].by)),
    ...forArrows('resize', 'Alt+Shift+', (arrow) => resizeSelected(editing.getState(), ARROWS[arrow].by)),
    {
      id: 'in',
      words: t('commands.canvas.in'),
      keys: ['PageDown'],
      isKeysOnly: true,
      act: () => goIn(editing.getState(), show, open),
    },
    {
      id: 'out',
      words: t('commands.canvas.out'),
      keys: ['PageUp'],
      isKeysOnly: true,
      act: () => {
        const { history, selected } = editing.getState();
        const out =
          selected.length === 0 ? undefined : findNode(history.document, selected.at(-1)!)?.graph.at(-1);
        if (out !== undefined) show(out);
      },
    },
  ];
}

/** With what lies in the frames among it. */
function moveSelected({ history, selected, selectedDrawings, perform }: Editing, by: Point): void {
  perform(carry(carriedBy(history.document, thingsOf([...selected, ...selectedDrawings])), by));
}

/** Notes and frames: wider, narrower, higher, lower. */
function resizeSelected({ history, selectedDrawings, perform }: Editing, by: Point): void {
  if (selectedDrawings.length > 0) perform(resized(history.document, thingsOf(selectedDrawings), by));
}

/** Notes and frames, and nodes in a row. */
function arrangeCommands({ editing, middle, t }: Canvas): Command[] {
  const draw = (drawing: Drawing) => () =>
    addDrawing(editing.getState(), drawing, { graph: [], at: middle() });
  return [
    { id: 'note', words: t('drawing.addNote'), keys: ['KeyN'], act: draw('note') },
    { id: 'frame', words: t('drawing.addFrame'), keys: ['KeyF'], act: draw('frame') },
    ...ARRANGEMENTS.map(({ does, keys }) => ({
      id: does,
      words: t(`drawing.arrangements.${does}`),
      keys,
      act: () => {
        const { history, selected, perform } = editing.getState();
        const operation = arranged(history.document, selected, does);
        if (operation) perform(operation);
      },
    })),
  ];
}

/** Into a container: to its first node; one that is folded is opened, into one that holds nothing something is added. Opens and closes an agent. */
function goIn(
  { history, selected, perform, set }: Editing,
  show: (id: string) => void,
  open: (id: string) => void,
): void {
  const found = selected.length === 0 ? undefined : findNode(history.document, selected.at(-1)!);
  if (found && isRunsFlow(found.node)) open(found.node.id);
  const calls = found && callsShown(history.document, found.node);
  if (calls) perform({ do: 'setLook', ids: [found.node.id], collapsed: calls === 'open' });
  const body = found && innerGraph(found.node);
  if (!body) return;
  const { id } = found.node;
  if (lookOf(history.document, id).collapsed) perform({ do: 'setLook', ids: [id], collapsed: null });
  const [first] = nodesOf(body);
  if (!first) set({ place: { graph: [...found.graph, id] } });
  else requestAnimationFrame(() => show(first.id));
}

function flowCommands({ editing, testing, isList, tidy, publish, toggleList, t }: Canvas): Command[] {
  return [
    {
      id: 'undo',
      words: t('canvas.undo'),
      keys: ['$mod+KeyZ'],
      act: () => editing.getState().undo(),
    },
    {
      id: 'redo',
      words: t('canvas.redo'),
      keys: ['$mod+Shift+KeyZ', '$mod+KeyY'],
      act: () => editing.getState().redo(),
    },
    {
      id: 'test',
      words: t('commands.canvas.test'),
      keys: ['KeyT'],
      act: () => {
        const [node, more] = editing.getState().selected;
        const isOne = node !== undefined && more === undefined;
        testing.getState().set({ asked: isOne ? { do: 'to', node } : { do: 'all' } });
      },
    },
    {
      id: 'list',
      words: t(isList ? 'commands.canvas.asCanvas' : 'commands.canvas.asList'),
      keys: ['KeyV'],
      act: toggleList,
    },
    { id: 'tidy', words: t('canvas.tidy'), act: tidy },
    { id: 'publish', words: t('canvas.publish.open'), act: publish },
  ];
}
