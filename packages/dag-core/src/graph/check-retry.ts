import { DEFAULT_RETRY } from '../state/retry.ts';
import type { RetryPolicy } from './document.ts';
import { errorAt, type Issue } from './issue.ts';

/** A retry policy does not begin above its own maximum (G5). */
export function checkRetry({ retry }: { readonly retry?: RetryPolicy }, pointer: string): Issue[] {
  if (!retry) return [];
  const { initialMs, maxMs } = { ...DEFAULT_RETRY, ...retry };
  if (initialMs <= maxMs) return [];
  const message = `The first delay, initialMs ${initialMs}, is longer than the longest, maxMs ${maxMs}`;
  return [errorAt('retry_invalid', `${pointer}/retry`, message, 'raise maxMs or lower initialMs')];
}
