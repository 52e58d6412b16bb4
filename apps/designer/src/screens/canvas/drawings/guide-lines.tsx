import { ViewportPortal } from '@xyflow/react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import { useEditing } from '../../../canvas/editing.ts';
import { boxOf, findNode, type Guide } from '../../../editor/index.ts';
import type { Guides } from '../use-drag.ts';
import css from './drawings.module.css';

/** The lines along which what is dragged stands with others. */
export function GuideLines({ guides: store }: { readonly guides: StoreApi<Guides> }) {
  const { guides, graph } = useStore(store);
  const document = useEditing(({ history }) => history.document);
  if (guides.length === 0) return null;
  const corners = graph.map((id) => boxOf(document, findNode(document, id)!.node));
  const from = {
    x: corners.reduce((sum, { x }) => sum + x, 0),
    y: corners.reduce((sum, { y }) => sum + y, 0),
  };
  return (
    <ViewportPortal>
      {guides.map((guide) => (
        <div key={`${guide.axis} ${guide.at}`} className={css.guide} style={styleOf(guide, from)} />
      ))}
    </ViewportPortal>
  );
}

const styleOf = ({ axis, at, from, to }: Guide, corner: { readonly x: number; readonly y: number }) =>
  axis === 'x'
    ? { left: corner.x + at, top: corner.y + from, width: 0, height: to - from }
    : { left: corner.x + from, top: corner.y + at, width: to - from, height: 0 };
