import type { Failure, Json } from '@pawl/dag-core';
import { type AcceptedInWork, wordHash } from '@pawl/run-store/work';
import { describeIssues, PermanentError, scrubJson, scrubSecrets, type Tool } from '@pawl/tool-sdk';
import type { EffectHost } from '../runtime/effect-host.ts';
import { failureOfComputation } from '../runtime/failure-of.ts';
import type { Done, PureExecutor, Step } from '../runtime/step.ts';
import { toolAtHand } from './at-hand.ts';
import { callTool, neverCommits, readArgs } from './tool.ts';

/** T23: asks the tool how a call stands that its service took. It only looks, so it needs no intent and is simply asked again. */
export function pollExecutor(host: EffectHost): PureExecutor {
  return async (step) => {
    try {
      const path = step.handle.path.slice(0, step.handle.path.lastIndexOf('/'));
      const call = await host.acceptedCall(step, path);
      const tool = toolAtHand(host, call.intent.target);
      if (!('ref' in tool)) return tool;
      return await ask(host, step, tool, call);
    } catch (error) {
      return { type: 'failed', failure: failureOfComputation(error) };
    }
  };
}

function ask(host: EffectHost, step: Step, tool: Tool, call: AcceptedInWork): Promise<Done> {
  const { key, request } = call.intent;
  // To ask changes nothing, whatever is asked about.
  const looking: Tool = { ...tool, effect: 'pure' };
  return callTool(host, step, looking, key, neverCommits(host, step), {
    perform: async (context, secret) => {
      const args = await readArgs(tool, request, secret);
      if (!tool.poll || !args.ok) throw new PermanentError(notAskable(tool));
      const { reference = null, acceptedAt } = call;
      return tool.poll(context, args.value, { reference, key, acceptedAt: new Date(acceptedAt) });
    },
    outcome: (answer, secrets) => meaning(tool, answer, call, secrets),
  });
}

/** What an answer means for the call. */
function meaning(tool: Tool, given: unknown, { attempt }: AcceptedInWork, secrets: readonly string[]): Done {
  const { answer, result, failure, retryAfterMs } = (given ?? {}) as Readonly<Record<string, unknown>>;
  switch (answer) {
    case 'done': {
      const parsed = tool.parseOutput(result);
      if (!parsed.ok)
        return unusable(
          `It is done, says ${tool.ref}, with a result that does not fit its output: ${describeIssues(parsed.issues)}.`,
        );
      const output = scrubJson(parsed.value as Json, secrets);
      return { type: 'polled', answer, output, callback: wordHash(attempt, { result: output }) };
    }
    case 'failed': {
      const said = failureIn(failure);
      if (!said) return unusable(`It failed, says ${tool.ref}, without a failure that has a message.`);
      const { message, code = 'poll_failed', retryable } = said;
      const told: Failure = {
        code,
        message: scrubSecrets(message, secrets),
        class: retryable ? 'transient' : 'permanent',
      };
      return { type: 'polled', answer, failure: told, callback: wordHash(attempt, { failure: said }) };
    }
    case 'not_yet':
      return { type: 'polled', answer, ...(typeof retryAfterMs === 'number' && { retryAfterMs }) };
    default:
      return unusable(`The poll of ${tool.ref} answered something unexpected.`);
  }
}

function failureIn(given: unknown): { message: string; code?: string; retryable?: boolean } | undefined {
  const { message, code, retryable } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof message !== 'string') return undefined;
  return { message, ...(typeof code === 'string' && { code }), ...(retryable === true && { retryable }) };
}

/** Nothing is recorded of it, as of a callback that does not fit: the tool may say it right when it is asked again. */
const unusable = (message: string): Done => ({
  type: 'failed',
  failure: { code: 'poll_unusable', message, class: 'permanent' },
});

const notAskable = (tool: Tool) => ({
  code: 'not_askable',
  message: `Tool ${tool.ref}, as this worker has it, cannot be asked about this call: it declares no poll, or no longer takes the arguments that were recorded.`,
});
