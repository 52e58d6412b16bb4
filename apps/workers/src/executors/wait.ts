import { type Json, parseDuration, parseInstant } from '@pawl/dag-core';
import { cutText } from '@pawl/tool-sdk';
import type { Done, PureExecutor } from '../runtime/step.ts';
import { evaluated, failed } from './evaluated.ts';

/** K14: computes for how long or until when; the wait itself holds no worker. */
export const wait: PureExecutor = (step) => {
  const { compiled, handle } = step;
  if (compiled.for) {
    return evaluated(step, compiled.for, {}, (value): Done => {
      const duration = parseDuration(value);
      return duration
        ? { type: 'waits', for: duration }
        : failed(new WaitInvalidError(handle.path, 'for', value));
    });
  }
  return evaluated(step, compiled.until!, {}, (value): Done => {
    const until = parseInstant(value);
    return until === undefined
      ? failed(new WaitInvalidError(handle.path, 'until', value))
      : { type: 'waits', until };
  });
};

const EXPECTED = {
  for: 'a duration up to ten years: milliseconds, or ISO 8601 such as PT15M',
  until: 'an instant: ISO 8601 with its offset, or epoch milliseconds',
};

/** Thrown when what a node is to wait for is neither a duration nor an instant. */
class WaitInvalidError extends Error {
  readonly code = 'wait_invalid';
  constructor(path: string, field: keyof typeof EXPECTED, value: Json) {
    const given = cutText(JSON.stringify(value), 100);
    super(`Node run ${path} needs ${EXPECTED[field]}; its "${field}" gave ${given}.`);
  }
}
