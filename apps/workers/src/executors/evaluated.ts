import type { Json } from '@pawl/dag-core';
import type { NodeTemplate } from '../runtime/compiled-flow.ts';
import { failureOfComputation } from '../runtime/failure-of.ts';
import type { EvaluateOptions } from '../runtime/run-context.ts';
import type { Done, Step } from '../runtime/step.ts';

/** Evaluates a template of a step and shapes the answer; what goes wrong is the node run's failure. At once where it can. */
export function evaluated(
  step: Step,
  template: NodeTemplate,
  options: Pick<EvaluateOptions, 'schema' | 'roots'>,
  shape: (value: Json) => Done,
): Done | Promise<Done> {
  let clock: number | undefined;
  const onClock = (nowMs: number) => {
    clock ??= nowMs;
  };
  const finish = (value: Json): Done => {
    const done = shape(value);
    return clock !== undefined && done.type !== 'failed' ? { ...done, clock } : done;
  };
  try {
    const value = step.context.evaluate(step.handle.path, step.scopePath, template, { ...options, onClock });
    return value instanceof Promise ? value.then(finish).catch(failed) : finish(value);
  } catch (error) {
    return failed(error);
  }
}

/** A computation that failed. */
export const failed = (error: unknown): Done => ({ type: 'failed', failure: failureOfComputation(error) });
