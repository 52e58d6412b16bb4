import { createHash } from 'node:crypto';
import {
  type ApprovalNode,
  canonicalJson,
  type Json,
  type JsonObject,
  type Question,
  REJECTED_PORT,
  validateInput,
} from '@pawl/dag-core';
import type { EffectHost } from '../runtime/effect-host.ts';
import { failureOfComputation } from '../runtime/failure-of.ts';
import type { Done, PureExecutor, Step } from '../runtime/step.ts';
import { timeFor } from './deadline.ts';

/** Largest question, as JSON text: what a person can read, and what fits into the journal. */
const MOST_BYTES = 256 * 1024;

/** K17: asks a person; taken up again with the answer, it goes on by the port that the answer means. */
export function approvalExecutor(host: EffectHost): PureExecutor {
  return async (step) => {
    try {
      return step.handle.more?.answer === undefined ? await ask(step) : await goOn(host, step);
    } catch (error) {
      return { type: 'failed', failure: failureOfComputation(error) };
    }
  };
}

async function ask(step: Step): Promise<Done> {
  const { form, who, onDeadline } = step.node.config as ApprovalNode;
  const { compiled } = step;
  let clock: number | undefined;
  const onClock = (nowMs: number) => {
    clock ??= nowMs;
  };
  const fill = async (name: 'subject' | 'details' | 'values' | 'deadline' | 'deadlineValues') => {
    const template = compiled[name];
    return template && step.context.evaluate(step.handle.path, step.scopePath, template, { onClock });
  };
  const subject = String(await fill('subject'));
  const details = (await fill('details')) as string | undefined;
  const values = await fill('values');
  const deadline = await fill('deadline');
  const deadlineValues = await fill('deadlineValues');
  const shown = {
    subject,
    ...(details !== undefined && { details }),
    ...(form !== undefined && { form }),
    ...(values !== undefined && { values }),
  };
  return asking(step.handle.path, {
    kind: 'approval',
    shown,
    rest: {
      ...(who && { who }),
      ...(onDeadline && { onDeadline }),
      ...(deadlineValues !== undefined && { deadlineValues }),
    },
    deadline,
    clock,
  });
}

/** A question, and the time there is for an answer. */
export interface Asking {
  readonly kind: Question['kind'];
  readonly shown: Pick<Question, 'subject' | 'details' | 'form' | 'values'>;
  readonly rest: Pick<Question, 'who' | 'onDeadline' | 'deadlineValues'>;
  readonly deadline: Json | undefined;
  readonly clock: number | undefined;
}

/**
 * A node run asks and waits.
 *
 * @throws {QuestionTooLargeError} when nobody could read it
 * @throws {DeadlineInvalidError} when the deadline is neither a duration nor an instant
 */
export function asking(path: string, { kind, shown, rest, deadline, clock }: Asking): Done {
  const hash = createHash('sha256')
    .update(canonicalJson(shown as unknown as Json))
    .digest('hex');
  const question: Question = { kind, ...shown, ...rest, shown: hash };
  const bytes = Buffer.byteLength(JSON.stringify(question));
  if (bytes > MOST_BYTES) throw new QuestionTooLargeError(path, bytes);
  return {
    type: 'asks',
    question,
    ...(deadline !== undefined && timeFor(path, deadline)),
    ...(clock !== undefined && { clock }),
  };
}

async function goOn(host: EffectHost, step: Step): Promise<Done> {
  const output = await givenAnswer(host, step);
  const isApproved = output.decision === 'approved';
  return { type: 'succeeded', output, ...(!isApproved && { ports: [REJECTED_PORT] }) };
}

/** What a person answered: who, when, and what was filled in, which fits the form when it was approved. */
export async function givenAnswer(host: EffectHost, step: Step): Promise<JsonObject> {
  const { question, answer } = await host.answerOf(step);
  const { decision, by, reason } = answer.data;
  const isApproved = decision === 'approved';
  const filled =
    answer.data.values ?? (by === 'deadline' ? question.deadlineValues : undefined) ?? question.values;
  const { value: values, issues } = isApproved
    ? validateInput(question.form, filled ?? {})
    : { value: filled ?? {}, issues: [] };
  if (issues[0]) throw new ValuesInvalidError(step.handle.path, issues[0]);
  return {
    decision,
    values,
    by,
    at: new Date(answer.at).toISOString(),
    ...(reason !== undefined && { reason }),
  };
}

/** Thrown when nobody could read the question. */
class QuestionTooLargeError extends Error {
  readonly code = 'approval_too_large';
  constructor(path: string, bytes: number) {
    super(
      `The question of ${path} has ${bytes} bytes; at most ${MOST_BYTES} can be asked. Put large values into an artifact and name it.`,
    );
  }
}

/** Thrown when the values that a deadline approved do not fit the form. */
class ValuesInvalidError extends Error {
  readonly code = 'approval_values_invalid';
  constructor(path: string, { pointer, message }: { pointer: string; message: string }) {
    super(`What was approved for ${path} does not fit its form: ${pointer || 'the whole'}: ${message}`);
  }
}
