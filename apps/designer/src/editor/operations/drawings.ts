import type { FlowDocument } from '@pawl/dag-core';
import { findNode } from '../document/graph.ts';
import { isMembers } from '../document/json-path.ts';
import {
  type Box,
  changeLayout,
  DRAWINGS,
  type Drawing,
  lookOf,
  mergeBox,
  placeNodes,
  setMember,
} from '../document/layout.ts';
import { shareWith } from '../document/patch.ts';
import type { Arrange, Draw, SetLook } from './operation.ts';
import { type Changed, refuse } from './refusal.ts';

/** Puts nodes, notes and frames where they are wanted. */
export function arrange(
  document: FlowDocument,
  { nodes = {}, notes = {}, frames = {} }: Arrange,
): Changed<FlowDocument> {
  const placed = placeNodes(document, nodes);
  return placeDrawings(placeDrawings(placed, 'note', notes), 'frame', frames);
}

function placeDrawings(
  document: FlowDocument,
  drawing: Drawing,
  places: Readonly<Record<string, Partial<Box>>>,
): FlowDocument {
  return changeDrawings(document, drawing, (drawings) => {
    let changed = drawings;
    for (const [id, place] of Object.entries(places)) {
      const old = changed[id];
      if (!isMembers(old)) continue;
      const now = mergeBox(old as Partial<Box>, place);
      if (now !== old) changed = { ...changed, [id]: now };
    }
    return changed;
  });
}

type Drawings = Readonly<Record<string, unknown>>;

const changeDrawings = (
  document: FlowDocument,
  drawing: Drawing,
  change: (drawings: Drawings) => Drawings,
): FlowDocument =>
  changeLayout(document, (layout) => {
    const found = layout[DRAWINGS[drawing]];
    const old: Drawings = isMembers(found) ? found : {};
    const drawings = change(old);
    return drawings === old ? layout : setMember(layout, DRAWINGS[drawing], drawings);
  });

/** Adds, changes or takes away a note or a frame. */
export const draw = (document: FlowDocument, { drawing, id, value }: Draw): Changed<FlowDocument> =>
  changeDrawings(document, drawing, (drawings) =>
    setMember(drawings, id, value && shareWith(drawings[id], value)),
  );

/** Colours nodes, opens and closes containers, keeps an output with them. */
export function setLook(
  document: FlowDocument,
  { ids, color, collapsed, pin }: SetLook,
): Changed<FlowDocument> {
  const unknown = ids.find((id) => !findNode(document, id));
  if (unknown !== undefined) return refuse({ code: 'node_unknown', node: unknown, graph: [] });
  const wanted = Object.entries({ color, collapsed, pin }).filter(([, value]) => value !== undefined);
  return changeLayout(document, (layout) =>
    ids.reduce((changed, id) => {
      const old: Drawings = { ...lookOf(document, id) };
      const look = wanted.reduce((each, [key, value]) => setMember(each, key, value ?? undefined), old);
      return look === old ? changed : setMember(changed, id, look);
    }, layout),
  );
}
