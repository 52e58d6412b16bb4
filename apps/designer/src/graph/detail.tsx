import { useStore } from '@xyflow/react';
import type { TFunction } from 'i18next';
import { createContext, type ReactNode, useContext, useDeferredValue, useLayoutEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** How much of a node can be read: all of it, its kind, name and status, or only that it is there. */
type Detail = 'full' | 'brief' | 'block';

const detailAt = (zoom: number): Detail => (zoom >= 0.6 ? 'full' : zoom >= 0.3 ? 'brief' : 'block');

/** What all nodes of a graph are drawn with. They are many and come and go: what one of them asks for by itself costs a thousandfold. */
interface Surface {
  readonly t: TFunction;
  /** Nodes are so far away that only their colour can be seen. */
  readonly isBlock: boolean;
}

const SurfaceContext = createContext<Surface | undefined>(undefined);

export const useSurface = (): Surface => useContext(SurfaceContext)!;

/**
 * Says on the graph how much can be read at its zoom: styles follow that at once. Nodes that are no more than blocks hold nothing; they
 * are drawn anew for it after the styles, little by little.
 */
export function DetailByZoom({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const graph = useStore(({ domNode }) => domNode);
  const detail = useStore(({ transform }) => detailAt(transform[2]));
  const isBlock = useDeferredValue(detail === 'block');
  useLayoutEffect(() => {
    if (graph) graph.dataset.detail = detail;
  }, [graph, detail]);
  const surface = useMemo(() => ({ t, isBlock }), [t, isBlock]);
  return <SurfaceContext value={surface}>{children}</SurfaceContext>;
}
