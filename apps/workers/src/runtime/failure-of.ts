import type { Failure } from '@pawl/dag-core';
import { toFailure } from '@pawl/tool-sdk';

/** Codes of errors that come from the flow itself: trying again gives the same. */
const FROM_THE_FLOW =
  /^(expression_|map_over_|code_|input_|output_|model_|wait_|approval_|signal_|flow_|version_not_found|unsafe_integer|reserved_key|value_too_large|secret_not_allowed)/;

/** The time limit of expressions is wall time (X8): a machine that was busy, or stood still, meets it too. */
const MET_BY_CHANCE = 'expression_timeout';

/** An error thrown while a node's own configuration was computed, as a failure of the node run. */
export function failureOfComputation(error: unknown): Failure {
  const { code, message, detail, failure } = error as {
    code?: string;
    message?: string;
    detail?: Failure['detail'];
    failure?: Failure;
  };
  if (failure && typeof failure.code === 'string' && typeof failure.message === 'string') {
    return { ...failure, class: failure.class ?? 'permanent' };
  }
  if (typeof code === 'string' && FROM_THE_FLOW.test(code)) {
    const failureClass = code === MET_BY_CHANCE ? 'timed_out' : 'permanent';
    return { code, message: message ?? code, class: failureClass, ...(detail !== undefined && { detail }) };
  }
  const { notApplied: _, ...plain } = toFailure(error, { effect: 'pure' });
  return plain;
}
