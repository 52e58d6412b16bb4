import { useEffect, useReducer } from 'react';

/** Draws the component anew every `ms` while `isOn`: what it shows depends on the time. */
export function useTick(ms: number, isOn: boolean): void {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(tick, ms);
    return () => clearInterval(timer);
  }, [ms, isOn]);
}
