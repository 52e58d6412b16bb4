import { type Json, parsePath } from '@pawl/dag-core';
import type { DoubtInWork } from '@pawl/run-store/work';
import { PermanentError, scrubJson, scrubSecrets, type Tool } from '@pawl/tool-sdk';
import type { CompletedEffect, EffectHost } from '../runtime/effect-host.ts';
import { failureOfComputation } from '../runtime/failure-of.ts';
import type { Done, PureExecutor, Step } from '../runtime/step.ts';
import { toolAtHand } from './at-hand.ts';
import { callTool, neverCommits, readArgs } from './tool.ts';

/**
 * T20: asks the tool what became of an effect in doubt. It only looks, so it needs no intent and is simply asked again. What
 * nobody may send any more is looked up before the tool is asked: what happens after its answer, the answer knows nothing of.
 */
export function probeExecutor(host: EffectHost): PureExecutor {
  return async (step) => {
    try {
      const path = aboveOf(step.handle.path);
      const doubt = await host.doubtAbout(step, path);
      const tool = toolAtHand(host, doubt.intent.target);
      if (!('ref' in tool)) return tool;
      const undone = parsePath(step.context.graph, path)!.isUndo
        ? await host.completedEffect(step, aboveOf(path))
        : undefined;
      return await ask(host, step, tool, doubt, undone);
    } catch (error) {
      return { type: 'failed', failure: failureOfComputation(error) };
    }
  };
}

const aboveOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** @param undone of an undoing in doubt: the effect that it undoes */
function ask(
  host: EffectHost,
  step: Step,
  tool: Tool,
  doubt: DoubtInWork,
  undone: CompletedEffect | undefined,
): Promise<Done> {
  const { key } = doubt.intent;
  const { request } = undone?.intent ?? doubt.intent;
  // To ask changes nothing, whatever is asked about.
  const looking: Tool = { ...tool, effect: 'pure' };
  return callTool(host, step, looking, key, neverCommits(host, step), {
    perform: async (context, secret) => {
      const args = await readArgs(tool, request, secret);
      if (!(undone ? tool.probeUndo : tool.probe) || !args.ok) throw new PermanentError(notAskable(tool));
      if (!undone) return tool.probe!(context, args.value, key);
      const done = { args: args.value, result: undone.output, key: undone.intent.key };
      return tool.probeUndo!(context, done, key);
    },
    outcome: (answer, secrets) =>
      meaning(undone ? { ...tool, parseOutput: nothing } : tool, answer, doubt, secrets),
  });
}

/** What an answer means for the effect. */
function meaning(tool: Tool, given: unknown, doubt: DoubtInWork, secrets: readonly string[]): Done {
  const { answer, result, reason } = (given ?? {}) as {
    answer?: unknown;
    result?: unknown;
    reason?: unknown;
  };
  switch (answer) {
    case 'applied': {
      const parsed = tool.parseOutput(result);
      if (!parsed.ok)
        return unknown(`It happened, says ${tool.ref}, with a result that does not fit its output.`);
      return { type: 'probed', answer, output: scrubJson(parsed.value as Json, secrets) };
    }
    case 'not_applied':
      return notApplied(tool, doubt);
    case 'unknown': {
      const why =
        typeof reason === 'string' ? scrubSecrets(reason, secrets) : `${tool.ref} cannot say what happened.`;
      return unknown(why);
    }
    default:
      return unknown(`The probe of ${tool.ref} answered something unexpected.`);
  }
}

/** That it has not happened counts only when it cannot happen any more. */
function notApplied({ ref, settlesWithinMs }: Tool, { ageMs, mayStillSend }: DoubtInWork): Done {
  if (mayStillSend)
    return unknown(`Not applied so far, says ${ref}, but worker ${mayStillSend.workerId} may still send it.`);
  const tooEarlyMs = Math.ceil(settlesWithinMs - ageMs);
  if (tooEarlyMs <= 0) return { type: 'probed', answer: 'not_applied' };
  const why = `Not applied so far, says ${ref}, but what was sent may take effect within ${settlesWithinMs} ms.`;
  return { ...unknown(why), retryAfterMs: tooEarlyMs };
}

const unknown = (reason: string) => ({ type: 'probed', answer: 'unknown', reason }) as const;

/** An undoing gives nothing. */
const nothing = () => ({ ok: true, value: null }) as const;

const notAskable = (tool: Tool) => ({
  code: 'not_askable',
  message: `Tool ${tool.ref}, as this worker has it, cannot be asked about this call: it declares no probe for it, or no longer takes the arguments that were recorded.`,
});
