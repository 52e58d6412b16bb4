import type { Json } from '@pawl/dag-core';
import type { DoubtInWork } from '@pawl/run-store/work';
import { PermanentError, scrubJson, scrubSecrets, type Tool } from '@pawl/tool-sdk';
import type { EffectHost } from '../runtime/effect-host.ts';
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
      const path = step.handle.path.slice(0, step.handle.path.lastIndexOf('/'));
      const doubt = await host.doubtAbout(step, path);
      const tool = toolAtHand(host, doubt.intent.target);
      if (!('ref' in tool)) return tool;
      return await ask(host, step, tool, doubt);
    } catch (error) {
      return { type: 'failed', failure: failureOfComputation(error) };
    }
  };
}

function ask(host: EffectHost, step: Step, tool: Tool, doubt: DoubtInWork): Promise<Done> {
  const { key, request } = doubt.intent;
  // To ask changes nothing, whatever is asked about.
  const looking: Tool = { ...tool, effect: 'pure' };
  return callTool(host, step, looking, key, neverCommits(host, step), {
    perform: async (context, secret) => {
      const args = await readArgs(tool, request, secret);
      if (!tool.probe || !args.ok) throw new PermanentError(notAskable(tool));
      return tool.probe(context, args.value, key);
    },
    outcome: (answer, secrets) => meaning(tool, answer, doubt, secrets),
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

const notAskable = (tool: Tool) => ({
  code: 'not_askable',
  message: `Tool ${tool.ref}, as this worker has it, cannot be asked about this call: it declares no probe, or no longer takes the arguments that were recorded.`,
});
