import { useCallback, useLayoutEffect, useRef } from 'react';

/** A handler that stays the same function and does what the last drawing wanted: whoever is given it need not be drawn anew. */
export function useLatest<Given extends unknown[], T>(
  handler: (...given: Given) => T,
): (...given: Given) => T {
  const latest = useRef(handler);
  useLayoutEffect(() => {
    latest.current = handler;
  });
  return useCallback((...given: Given) => latest.current(...given), []);
}
