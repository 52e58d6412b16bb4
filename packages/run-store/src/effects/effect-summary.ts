import type { EffectSummary } from './effect-shapes.ts';
import type { LoadedEffect } from './load-effects.ts';

const NANO_PER_USD = 1e9;
const instant = (ms: number): string => new Date(ms).toISOString();

/** An effect of the journal as it is told. */
export function effectSummary(
  record: LoadedEffect,
  { flow, version }: { readonly flow: string; readonly version: string },
): EffectSummary {
  const { runId, seq, path, attempt, call, effect, target, key, requestHash, status, failure } = record;
  const { workerId, endedAt, lateAt, effectId, costNanoUsd, tokens, startedBy, settledBy, settledAs } =
    record;
  return {
    id: `${runId}/${seq}`,
    runId,
    seq,
    flow,
    version,
    path,
    attempt,
    call,
    effect,
    target,
    key,
    requestHash,
    ...(workerId !== undefined && { workerId }),
    at: instant(record.at),
    status,
    ...(endedAt !== undefined && { endedAt: instant(endedAt) }),
    ...(lateAt !== undefined && { lateAt: instant(lateAt) }),
    ...(record.isDoubt && { doubt: true as const }),
    ...(failure && { failure: { code: failure.code, class: failure.class, message: failure.message } }),
    ...(effectId !== undefined && { effectId }),
    ...(costNanoUsd !== undefined && { costUsd: costNanoUsd / NANO_PER_USD }),
    ...(tokens !== undefined && { tokens }),
    ...(startedBy !== undefined && { startedBy }),
    ...(settledBy !== undefined && { settledBy }),
    ...(settledAs !== undefined && { settledAs }),
  };
}
