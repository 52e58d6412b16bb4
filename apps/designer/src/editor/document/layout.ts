import type { FlowDocument, Json } from '@pawl/dag-core';
import { isMembers, withoutMember } from './json-path.ts';

/** Where something is on the canvas, in pixels at zoom 1; of a node inside a container, from the container's corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Point, Size {}

/** An output that is kept with a node, for tests of the draft; a run in earnest never looks at it. */
export interface Pin {
  readonly output: Json;
  /** Ports it leaves by, when not just the normal one. */
  readonly ports?: readonly string[];
}

/** How a node is drawn. `collapsed`: a container that is not opened in place. */
export interface NodeLook extends Partial<Point>, Partial<Size> {
  readonly color?: string;
  readonly collapsed?: boolean;
  readonly pin?: Pin;
}

/** A text on the canvas. `in`: the container it is drawn in. */
export interface Note extends Box {
  readonly text: string;
  readonly color?: string;
  readonly in?: string;
}

/** A titled area; what lies inside moves with it. */
export interface Frame extends Box {
  readonly title: string;
  readonly color?: string;
  readonly in?: string;
}

/** Members of the layout that are no node: no id begins with `$`. */
export const DRAWINGS = { note: '$notes', frame: '$frames' } as const;
export type Drawing = keyof typeof DRAWINGS;

type Layout = Readonly<Record<string, unknown>>;

/** A flow, or copied nodes. */
export interface HasLayout {
  readonly layout?: unknown;
}

const layoutOf = ({ layout }: HasLayout): Layout => (isMembers(layout) ? layout : {});

/** How a node is drawn, as far as the document says. */
export function lookOf(document: HasLayout, id: string): NodeLook {
  const layout = layoutOf(document);
  const look = Object.hasOwn(layout, id) ? layout[id] : undefined;
  return isMembers(look) ? (look as NodeLook) : UNSAID;
}

/** One and the same, so that what is not said has not changed. */
const UNSAID: NodeLook = {};

/** Notes or frames, by their ids. */
export function drawingsOf<D extends Drawing>(
  document: HasLayout,
  drawing: D,
): Readonly<Record<string, D extends 'note' ? Note : Frame>> {
  const found = layoutOf(document)[DRAWINGS[drawing]];
  return (isMembers(found) ? found : {}) as never;
}

/** The document with its layout changed; one that is no object is written anew, and an empty one that was not there is not. */
export function changeLayout(document: FlowDocument, change: (layout: Layout) => Layout): FlowDocument {
  const old = layoutOf(document);
  const layout = change(old);
  return layout === old ? document : { ...document, layout: layout as FlowDocument['layout'] };
}

/** The layout without some members; the same when none of them is there. */
export function withoutMembers(layout: Layout, keys: ReadonlySet<string>): Layout {
  const kept = Object.entries(layout).filter(([key]) => !keys.has(key));
  return kept.length === Object.keys(layout).length ? layout : Object.fromEntries(kept);
}

/** The layout with a member set, or taken out where there is nothing to say. */
export function setMember(layout: Layout, key: string, value: unknown): Layout {
  if (value === undefined) return withoutMember(layout, key);
  return layout[key] === value && Object.hasOwn(layout, key) ? layout : { ...layout, [key]: value };
}

/** Puts nodes where they are wanted. Numbers are rounded: a drag must not write thirteen decimals into a file under version control. */
export const placeNodes = (
  document: FlowDocument,
  places: Readonly<Record<string, Partial<Box>>>,
): FlowDocument =>
  changeLayout(document, (layout) => {
    const looks = Object.entries(places).flatMap(([id, place]) => {
      const look = lookOf(document, id);
      const now = mergeBox(look, place);
      return now === look ? [] : [[id, now] as const];
    });
    return looks.length === 0 ? layout : { ...layout, ...Object.fromEntries(looks) };
  });

/** `box` with other numbers; the same when none is other. */
export function mergeBox<T extends Partial<Box>>(box: T, place: Partial<Box>): T {
  let changed = box;
  for (const key of ['x', 'y', 'width', 'height'] as const) {
    const value = place[key];
    if (value === undefined) continue;
    const rounded = Math.round(value) + 0; // no -0: JSON writes it as 0, and reads another number back
    if (box[key] !== rounded) changed = { ...changed, [key]: rounded };
  }
  return changed;
}
