import type { ApprovalNode } from '@pawl/dag-core';
import { cutText } from '@pawl/tool-sdk';
import type { EffectHost } from '../runtime/effect-host.ts';
import { failureOfComputation } from '../runtime/failure-of.ts';
import type { Done, PureExecutor, Step } from '../runtime/step.ts';
import { writtenArguments } from './agent-arguments.ts';
import { asking, givenAnswer } from './approval.ts';

/** Longest question in one line, in UTF-16 units; the rest belongs to the details. */
const LONGEST_SUBJECT = 1_000;

/** K: the model of an agent asks a person; what they answer, or that they do not, is the result. */
export const agentQuestionExecutor =
  (host: EffectHost): PureExecutor =>
  async (step) => {
    try {
      if (step.handle.more?.answer === undefined) return await ask(step);
      return { type: 'succeeded', output: await givenAnswer(host, step) };
    } catch (error) {
      return { type: 'failed', failure: failureOfComputation(error) };
    }
  };

async function ask(step: Step): Promise<Done> {
  const read = await writtenArguments(step);
  if ('failure' in read) return { type: 'failed', failure: read.failure, tells: true };
  const { question, details } = read.written;
  if (typeof question !== 'string' || question.trim() === '') return NO_QUESTION;
  let clock: number | undefined;
  const { deadline } = step.compiled;
  const until =
    deadline &&
    (await step.context.evaluate(step.handle.path, step.scopePath, deadline, {
      onClock: (nowMs) => {
        clock ??= nowMs;
      },
    }));
  const { form, who, onDeadline } = step.node.config as ApprovalNode;
  const isLong = question.length > LONGEST_SUBJECT;
  const more = [...(isLong ? [question] : []), ...(typeof details === 'string' ? [details] : [])];
  return asking(step.handle.path, {
    kind: 'question',
    shown: {
      subject: cutText(question, LONGEST_SUBJECT),
      ...(more.length > 0 && { details: more.join('\n\n') }),
      ...(form !== undefined && { form }),
    },
    rest: { ...(who && { who }), ...(onDeadline && { onDeadline }) },
    deadline: until,
    clock,
  });
}

const NO_QUESTION: Done = {
  type: 'failed',
  failure: {
    code: 'tool_input_invalid',
    message: 'Nobody was asked: "question" must be a text that says what you want to know.',
    class: 'permanent',
  },
  tells: true,
};
