import type { FlowDocument } from '@pawl/dag-core';
import { findNode } from '../document/graph.ts';
import { type Box, drawingsOf, type Point } from '../document/layout.ts';
import { boxOf } from '../document/node-size.ts';
import type { Arrange } from '../operations/operation.ts';
import { holds, nodesInBox } from '../selecting/select.ts';

// Rules kept here: D19 a frame takes along what lies in it as a whole; what is moved together keeps its distances.

/** Things on the canvas by their ids. */
export interface Things {
  readonly nodes?: readonly string[];
  readonly notes?: readonly string[];
  readonly frames?: readonly string[];
}

/** Where things stand, by their ids; those inside containers count from its corner. */
export interface Carried {
  readonly nodes: Readonly<Record<string, Box>>;
  readonly notes: Readonly<Record<string, Box>>;
  readonly frames: Readonly<Record<string, Box>>;
}

/** What moves when these are moved: they themselves, and whatever lies in the frames among them. */
export function carriedBy(document: FlowDocument, { nodes = [], notes = [], frames = [] }: Things): Carried {
  const allFrames = drawingsOf(document, 'frame');
  const allNotes = drawingsOf(document, 'note');
  const framesIn = new Set(frames.filter((id) => allFrames[id]));
  const nodesIn = new Set(nodes);
  const notesIn = new Set(notes.filter((id) => allNotes[id]));
  for (const id of framesIn) {
    const frame = allFrames[id]!;
    const lies = <T extends Box & { readonly in?: string }>(all: Readonly<Record<string, T>>): string[] =>
      Object.keys(all).filter((other) => all[other]!.in === frame.in && holds(frame, all[other]!));
    const graph = frame.in === undefined ? [] : pathTo(document, frame.in);
    if (graph) for (const node of nodesInBox(document, graph, frame, 'whole')) nodesIn.add(node);
    for (const note of lies(allNotes)) notesIn.add(note);
    for (const inner of lies(allFrames)) framesIn.add(inner);
  }
  const boxes = (ids: Iterable<string>, box: (id: string) => Box | undefined): Record<string, Box> =>
    Object.fromEntries([...ids].flatMap((id) => (box(id) ? [[id, plain(box(id)!)] as const] : [])));
  return {
    nodes: boxes(nodesIn, (id) => {
      const found = findNode(document, id);
      return found && boxOf(document, found.node);
    }),
    notes: boxes(notesIn, (id) => allNotes[id]),
    frames: boxes(framesIn, (id) => allFrames[id]),
  };
}

const plain = ({ x, y, width, height }: Box): Box => ({ x, y, width, height });

/** The graph that a container holds; undefined when there is no such container. */
function pathTo(document: FlowDocument, container: string): readonly string[] | undefined {
  const found = findNode(document, container);
  return found && [...found.graph, container];
}

/** Puts everything that is carried where it stands after a move. */
export function carry({ nodes, notes, frames }: Carried, by: Point): Arrange {
  const moved = (boxes: Readonly<Record<string, Box>>) =>
    Object.fromEntries(Object.entries(boxes).map(([id, { x, y }]) => [id, { x: x + by.x, y: y + by.y }]));
  return { do: 'arrange', nodes: moved(nodes), notes: moved(notes), frames: moved(frames) };
}
