import { childPath, DEFAULT_LOOP_TURNS, type LoopNode, type NodeView } from '@pawl/dag-core';
import type { Done, PureExecutor, Step } from '../runtime/step.ts';
import { evaluated } from './evaluated.ts';
import { isTrue } from './truth.ts';

/** K: begins its first turn; after each turn ends, or begins the next one (E12). */
export const loop: PureExecutor = (step) => {
  const turns = step.handle.itemCount ?? 0;
  if (turns === 0) return { type: 'continued', turn: 0 };
  const scopePath = childPath(step.handle.path, turns - 1);
  // Named after the turn, so that what is drawn at random differs from turn to turn.
  const handle = { ...step.handle, path: `${scopePath}#until` };
  const until = evaluated({ ...step, handle, scopePath }, step.compiled.until!, {}, (value) =>
    isTrue(value) ? ENDED : { type: 'continued', turn: turns },
  );
  return until instanceof Promise
    ? until.then((done) => follow(step, turns, done))
    : follow(step, turns, until);
};

const ENDED: Done = { type: 'succeeded', output: null };

function follow(step: Step, turns: number, until: Done): Done | Promise<Done> {
  if (until.type === 'failed') return until;
  const clock = until.clock !== undefined && { clock: until.clock };
  if (until.type === 'succeeded') return lastOutput(step, turns, { ...clock });
  const { maxIterations = DEFAULT_LOOP_TURNS, onMaxIterations } = step.node.config as LoopNode;
  if (turns < maxIterations) return until;
  if (onMaxIterations === 'continue') {
    const degraded = `"until" was not true after ${turns} turns`;
    return lastOutput(step, turns, { degraded, ...clock });
  }
  const message = `Loop ${step.handle.path} was not done after ${turns} turns. Raise maxIterations, mend "until", or set onMaxIterations: continue.`;
  return { type: 'failed', failure: { code: 'loop_limit', message, class: 'permanent' } };
}

function lastOutput(
  step: Step,
  turns: number,
  more: { readonly degraded?: string; readonly clock?: number },
): Done | Promise<Done> {
  const shape = ({ output }: NodeView): Done => ({ type: 'succeeded', output: output ?? null, ...more });
  const view = step.context.view(childPath(step.handle.path, turns - 1));
  return view instanceof Promise ? view.then(shape) : shape(view);
}
