import { failureOfHttp, type ModelCallError } from '@pawl/tool-sdk';
import { callErrorOfHttp, networkCallError } from '../call-errors.ts';
import type { SimFailure, SimOptions } from './options.ts';
import type { RandomSource } from './random.ts';

const MOST_KEYS = 20_000;

/** Calls made per idempotency key, in this process; the oldest keys are forgotten first. */
export class CallCounts {
  private readonly calls = new Map<string, number>();

  /** Counts one more call and answers how many were made before it. Only models that can fail need counting. */
  next(key: string, options: SimOptions): number {
    if (options.fail === undefined && options.failRate === 0) return 0;
    const before = this.calls.get(key) ?? 0;
    this.calls.delete(key);
    this.calls.set(key, before + 1);
    if (this.calls.size > MOST_KEYS) this.calls.delete(this.calls.keys().next().value!);
    return before;
  }

  made(key: string): number {
    return this.calls.get(key) ?? 0;
  }
}

/** The failure this call must meet, if any. `callsMade` counts this call too. */
export function simFailureOf(
  options: SimOptions,
  callsMade: number,
  random: RandomSource,
): SimFailure | undefined {
  if (options.fail !== undefined && callsMade <= options.fail.count) return options.fail.how;
  return random() < options.failRate ? options.failWith : undefined;
}

/** The error of a simulated failure: the same as of a real one. */
export function simFailure(options: SimOptions, how: SimFailure): ModelCallError {
  if (how === 'network') return networkCallError('Simulated: the connection was refused.', false);
  if (how === 'cut') return networkCallError('Simulated: the connection broke before the answer came.', true);
  const headers: Record<string, string> =
    options.retryAfterMs === undefined ? {} : { 'retry-after-ms': String(options.retryAfterMs) };
  const body = JSON.stringify({ error: { message: `Simulated failure of sim:${options.name}.` } });
  return callErrorOfHttp(`sim:${options.name}`, how, failureOfHttp(how, headers, body));
}
