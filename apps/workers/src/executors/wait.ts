import { type Json, parseDuration, parseInstant, type WaitNode } from '@pawl/dag-core';
import { waitKeyOf } from '@pawl/run-store/work';
import { cutText } from '@pawl/tool-sdk';
import type { Done, PureExecutor, Step } from '../runtime/step.ts';
import { timeFor } from './deadline.ts';
import { evaluated, failed } from './evaluated.ts';
import { signalKey } from './signal-key.ts';

/** K14: computes for how long, until when or for which signal; the wait itself holds no worker. */
export const wait: PureExecutor = (step) => {
  const { compiled, handle } = step;
  const { signal } = step.node.config as WaitNode;
  if (signal) return waitForSignal(step, signal.name).catch(failed);
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

async function waitForSignal(step: Step, name: string): Promise<Done> {
  const { compiled, context, handle, scopePath } = step;
  let clock: number | undefined;
  const onClock = (nowMs: number) => {
    clock ??= nowMs;
  };
  const key = await signalKey(step, onClock);
  const deadline =
    compiled.deadline && (await context.evaluate(handle.path, scopePath, compiled.deadline, { onClock }));
  return {
    type: 'waits',
    signal: { name, key, waitKey: waitKeyOf(context.workspaceId, name, key) },
    ...(deadline !== undefined && timeFor(handle.path, deadline)),
    ...(clock !== undefined && { clock }),
  };
}

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
