import type { ToolUse } from '@pawl/api';

type CallCount = ToolUse['calls']['day'];

/** How many of the calls whose end is known failed, from 0 to 1; undefined: none has ended. */
export function failureRate({
  succeeded,
  failed,
}: Pick<CallCount, 'succeeded' | 'failed'>): number | undefined {
  const ended = succeeded + failed;
  return ended === 0 ? undefined : failed / ended;
}

/** A share in percent that never says none or all when it is nearly so: `0 %`, `< 0.1 %`, `3.4 %`, `> 99.9 %`. */
export function percent(share: number): string {
  if (share === 0 || share === 1) return `${share * 100} %`;
  if (share < 0.001) return '< 0.1 %';
  if (share > 0.999) return '> 99.9 %';
  const value = share * 100;
  return `${value < 10 || value > 99 ? Number(value.toFixed(1)) : Math.round(value)} %`;
}
