import { type Fact, type InboxDecision, type Json, type JsonSchema, validateInput } from '@pawl/dag-core';
import { StoreError } from '../errors.ts';
import type { DecisionParts } from '../use-cases/decide-run.ts';
import type { InboxQuestion } from './inbox-shapes.ts';
import { findQuestion, getQuestion, type QuestionRef } from './read-inbox.ts';

/** What a person decides about a question. */
export type InboxAnswer =
  | { readonly decision: 'approved'; readonly values?: Json }
  | { readonly decision: 'rejected'; readonly values?: Json; readonly reason?: string }
  | { readonly decision: 'happened'; readonly output: Json }
  | { readonly decision: 'did_not_happen' | 'skip' | 'retry' }
  | { readonly decision: 'fail'; readonly reason?: string };

/**
 * Answers a question. The first answer wins; it is the only one that counts, and what it fills in is the only thing used.
 *
 * @param by `key:<name>` of who answers, or `local`
 * @throws {StoreError} `question_not_found`, `answer_not_allowed`, `decision_not_offered`, `answer_invalid`, `question_answered`
 *         with the stored `answer`, `question_closed`
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
  demandOffered(question, answer.decision);
  const graph = await hot.graphs.get(request.workspaceId, question.versionId);
  const fact = factOf(question, checked(question, answer), by);
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

/** Keys have names; a request of this machine that needs no key may answer everything. */
const mayAnswer = ({ who }: InboxQuestion, by: string): boolean =>
  who === undefined || by === 'local' || who.includes(by.replace(/^key:/, ''));

function demandOffered({ question, decisions }: InboxQuestion, decision: InboxDecision): void {
  if (!decisions.includes(decision))
    throw new StoreError('decision_not_offered', { question, decision, offered: decisions });
}

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

function factOf(
  { path, asked }: { path: string; asked: { seq: number } },
  answer: InboxAnswer,
  by: string,
): Fact {
  const named = { path, question: asked.seq, by };
  switch (answer.decision) {
    case 'approved':
    case 'rejected':
      return { ...named, type: 'answer', ...answer };
    case 'retry':
      return { ...named, type: 'retryNode' };
    default: {
      const { decision: verdict, ...rest } = answer;
      return { ...named, type: 'settle', verdict, ...rest } as Fact;
    }
  }
}
