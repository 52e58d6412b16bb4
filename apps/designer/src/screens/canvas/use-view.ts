import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useSyncExternalStore } from 'react';

/** Where the list is what one sees first. */
const narrow = matchMedia('(width <= 700px)');

const watch = (changed: () => void) => {
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
};

/** Whether the draft is shown as a list: as the address says, else where the screen is narrow. */
export function useView(): { readonly isList: boolean; readonly choose: (view: 'canvas' | 'list') => void } {
  const { view } = useSearch({ from: '/flows/$flow' });
  const navigate = useNavigate({ from: '/flows/$flow' });
  const isNarrow = useSyncExternalStore(watch, () => narrow.matches);
  const choose = useCallback(
    (chosen: 'canvas' | 'list') =>
      void navigate({ search: (before) => ({ ...before, view: chosen }), replace: true }),
    [navigate],
  );
  return { isList: view === undefined ? isNarrow : view === 'list', choose };
}
