import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from '@xyflow/react';
import { Plus, X } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CanvasEdge } from '../../canvas/draw-flow.ts';
import { useEditingStore } from '../../canvas/editing.ts';
import css from './wire.module.css';

/** An edge; once selected it offers to take a node in, and to go. A canvas has many and selects few: those that are not need nothing. */
export const Wire = memo(function Wire(props: EdgeProps<CanvasEdge>) {
  const [path, x, y] = getBezierPath(props);
  const { data, selected, source, target } = props;
  return (
    <>
      <BaseEdge id={props.id} path={path} {...(props.markerEnd && { markerEnd: props.markerEnd })} />
      {selected && data && <WireTools {...{ x, y, data, source, target }} />}
    </>
  );
});

function WireTools({
  x,
  y,
  data,
  source,
  target,
}: Pick<CanvasEdge, 'source' | 'target'> & {
  readonly x: number;
  readonly y: number;
  readonly data: NonNullable<CanvasEdge['data']>;
}) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  return (
    <EdgeLabelRenderer>
      <div
        className={`nodrag nopan ${css.tools}`}
        style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
      >
        <button
          type="button"
          aria-label={t('canvas.insert', { from: source, to: target })}
          onClick={() => editing.getState().set({ place: { graph: data.graph, wire: { into: data.edge } } })}
        >
          <Plus size={12} aria-hidden="true" />
        </button>
        <button
          type="button"
          aria-label={t('canvas.cut', { from: source, to: target })}
          onClick={() =>
            editing.getState().perform({ do: 'disconnect', graph: data.graph, edges: [data.edge] })
          }
        >
          <X size={12} aria-hidden="true" />
        </button>
      </div>
    </EdgeLabelRenderer>
  );
}
