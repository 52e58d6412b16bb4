import { createHash } from 'node:crypto';
import { canonicalJson, type Intent, type Json } from '@pawl/dag-core';
import { PermanentError, type Tool } from '@pawl/tool-sdk';
import type { CompletedEffect, EffectHost } from '../runtime/effect-host.ts';
import { effectKey } from '../runtime/effect-key.ts';
import { failureOfComputation } from '../runtime/failure-of.ts';
import type { EffectExecutor, Step } from '../runtime/step.ts';
import { toolAtHand } from './at-hand.ts';
import { callTool, readArgs } from './tool.ts';

/**
 * C: undoes the effect of another node run. An effect like any other: its own intent, key, retries and doubt. The intent names
 * the arguments and the result it undoes by their places in the journal, where they are once.
 */
export function undoExecutor(host: EffectHost): EffectExecutor {
  return {
    async prepare(step) {
      try {
        // Read here: between the look at the lease and the request nothing may wait for the database.
        const args = await host.completedEffect(step, undonePath(step));
        const found = toolAtHand(host, args.intent.target);
        if (!('ref' in found)) return found;
        const earlier = await host.earlierIntent(step);
        if (earlier) return { intent: earlier, args };
        return { intent: intentOf(step, found, args), args };
      } catch (error) {
        return { type: 'failed', failure: failureOfComputation(error) };
      }
    },
    send(step, { intent, args: prepared }, sendHost) {
      const effect = prepared as CompletedEffect;
      const tool = host.tools.require(intent.target);
      return callTool(host, step, tool, intent.key, sendHost, {
        perform: async (context, secret) => {
          const { compensate } = tool;
          const args = await readArgs(tool, effect.intent.request, secret);
          if (!compensate || !args.ok) throw new PermanentError(notUndoable(tool));
          return compensate(context, { args: args.value, result: effect.output, key: effect.intent.key });
        },
        outcome: () => ({ type: 'succeeded', output: null }),
      });
    },
  };
}

export const undonePath = (step: Step): string =>
  step.handle.path.slice(0, step.handle.path.lastIndexOf('/'));

function intentOf(step: Step, tool: Tool, { intent, intentSeq, outputSeq }: CompletedEffect): Intent {
  const { undoesRun } = step.context;
  const where = { ...(undoesRun !== undefined && { runId: undoesRun }), intentSeq, outputSeq };
  const request: Json = { undoes: undonePath(step), key: intent.key, ...where };
  return {
    call: 0,
    effect: tool.effect,
    target: tool.ref,
    key: effectKey(step.context.runId, step.handle.path, 0),
    ...(tool.probeUndo && tool.effect === 'non_repeatable' && { probes: true as const }),
    request,
    requestHash: createHash('sha256').update(canonicalJson(request)).digest('hex'),
  };
}

const notUndoable = (tool: Tool) => ({
  code: 'not_undoable',
  message: `Tool ${tool.ref}, as this worker has it, cannot undo this call: it declares no compensate, or no longer takes the arguments that were recorded.`,
});
