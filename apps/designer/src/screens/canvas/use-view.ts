import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useSyncExternalStore } from 'react';

/** Where the list is what one sees first. */
const narrow = matchMedia('(width <= 700px)');

const watch = (changed: () => void) => {
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
};

/** How the draft is shown: as the address says, else as a list where the screen is narrow; and which sub-flow is looked into. */
export function useView() {
  const { view, into } = useSearch({ from: '/flows/$flow' });
  const navigate = useNavigate({ from: '/flows/$flow' });
  const isNarrow = useSyncExternalStore(watch, () => narrow.matches);
  const choose = useCallback(
    (chosen: 'canvas' | 'list') =>
      void navigate({ search: (before) => ({ ...before, view: chosen }), replace: true }),
    [navigate],
  );
  const open = useCallback(
    (node: string) => void navigate({ search: (before) => ({ ...before, into: node }) }),
    [navigate],
  );
  return { isList: view === undefined ? isNarrow : view === 'list', into, choose, open };
}
