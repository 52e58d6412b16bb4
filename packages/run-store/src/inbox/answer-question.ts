import { type JsonSchema, validateInput } from '@pawl/dag-core';
import { StoreError } from '../errors.ts';
import type { DecisionParts } from '../use-cases/decision-parts.ts';
import { checkedRetry } from './check-retry.ts';
import type { InboxQuestion } from './inbox-shapes.ts';
import { findQuestion, getQuestion, type QuestionRef } from './read-inbox.ts';
import { demandPossible, factOf, type InboxAnswer, putAside } from './what-follows.ts';

/**
 * Answers a question. The first answer wins; it is the only one that counts, and what it fills in is the only thing used.
 *
 * @param by `user:<name>` or `key:<name>` of who answers, or `local`
 * @throws {StoreError} `question_not_found`, `answer_not_allowed`, `decision_not_offered`, `effect_may_be_sent`,
 *         `answer_invalid`, `arguments_not_editable`, `question_answered` with the stored `answer`, `question_closed`
 */
export async function answerQuestion(
  { orm, hot }: DecisionParts,
  request: QuestionRef & { readonly by: string; readonly answer: InboxAnswer },
): Promise<InboxQuestion> {
  const { by, answer } = request;
  const question = await findQuestion(orm, request);
  if (!question) throw new StoreError('question_not_found', { question: request.question });
  demandOpen(question);
  if (!mayAnswer(question, by))
    throw new StoreError('answer_not_allowed', { question: question.question, who: question.who! });
  demandPossible(question, answer.decision);
  const graph = await hot.graphs.get(request.workspaceId, question.versionId);
  const sound =
    answer.decision === 'retry'
      ? await checkedRetry({ orm, graph }, question, answer)
      : checked(question, answer);
  const fact = await putAside(hot, question.runId, factOf(question, sound, by));
  const { verdicts } = await hot.commit({ runId: question.runId, graph, facts: [fact] });
  const now = (await getQuestion(orm, request))!;
  if (verdicts[0] === 'applied') return now;
  demandOpen(now);
  throw new StoreError('decision_not_offered', {
    question: now.question,
    decision: answer.decision,
    offered: now.decisions.filter((decision) => decision !== answer.decision),
  });
}

function demandOpen({ state, question, answer, path }: InboxQuestion): void {
  if (state === 'answered') throw new StoreError('question_answered', { question, answer: answer! });
  if (state === 'closed') throw new StoreError('question_closed', { question, path });
}

/** Keys and users have names, told apart only where the question does; a request of this machine that needs neither may answer everything. */
const mayAnswer = ({ who }: InboxQuestion, by: string): boolean =>
  who === undefined || by === 'local' || who.includes(by) || who.includes(by.replace(/^(key|user):/, ''));

/** The answer with the form's defaults filled in. @throws {StoreError} `answer_invalid` */
function checked({ question, form, values: prefilled }: InboxQuestion, answer: InboxAnswer): InboxAnswer {
  if (answer.decision !== 'approved') return answer;
  if (form === undefined && prefilled === undefined) {
    if (answer.values === undefined) return answer;
    const issues = [{ code: 'not_asked', pointer: '', message: 'The question has nothing to fill in' }];
    throw new StoreError('answer_invalid', { question, issues });
  }
  const filled = answer.values ?? prefilled ?? {};
  const { value: values, issues } = validateInput(form as JsonSchema | undefined, filled);
  if (issues.length > 0) throw new StoreError('answer_invalid', { question, issues });
  return { ...answer, values };
}
