import type {
  InboxAnswer,
  InboxCount,
  InboxFilter,
  InboxItem,
  InboxQuestion,
  Page,
  QuestionRef,
} from '@pawl/run-store';
import { refusal } from './refusal.ts';

const AT = '2026-01-02T03:04:05.000Z';

/** Questions of all workspaces in memory. */
export class MemoryInbox {
  readonly #questions = new Map<string, { workspaceId: string; question: InboxQuestion }>();

  /** Asks a question in a run. */
  ask(workspaceId: string, runId: string, seq: number, more: Partial<InboxQuestion> = {}): string {
    const question = `${runId}.${seq}`;
    const asked: InboxQuestion = {
      question,
      kind: 'approval',
      runId,
      flow: 'greet',
      path: 'ask',
      nodeId: 'ask',
      nodeKind: 'approval',
      attempt: 1,
      since: AT,
      subject: 'May it?',
      decisions: ['approved', 'rejected'],
      state: 'open',
      ...more,
    };
    this.#questions.set(question, { workspaceId, question: asked });
    return question;
  }

  find({ workspaceId, question }: QuestionRef): InboxQuestion | undefined {
    const found = this.#questions.get(question.toLowerCase());
    return found?.workspaceId === workspaceId ? found.question : undefined;
  }

  count(workspaceId: string, filter: InboxFilter): InboxCount {
    return { count: this.list(workspaceId, filter).items.length, hasMore: false };
  }

  list(workspaceId: string, { kind, runId, by }: InboxFilter): Page<InboxItem> {
    const items = [...this.#questions.values()]
      .filter((each) => each.workspaceId === workspaceId && each.question.state === 'open')
      .map(({ question: { state: _, answer: __, ...item } }) => item)
      .filter((item) => (kind?.includes(item.kind) ?? true) && (runId === undefined || item.runId === runId))
      .filter(({ who }) => by === undefined || by === 'local' || (who?.includes(by) ?? true));
    return { items };
  }

  answer(request: QuestionRef & { by: string; answer: InboxAnswer }): InboxQuestion {
    const { workspaceId, by, answer } = request;
    const found = this.find(request);
    if (!found)
      throw refusal('question_not_found', `There is no question ${request.question}. List the inbox.`);
    if (found.answer)
      throw refusal('question_answered', 'It was answered before. The first answer counts.', {
        answer: found.answer,
      });
    if (found.state === 'closed') throw refusal('question_closed', 'It is not open any more. See the run.');
    if (found.who && !found.who.includes(by))
      throw refusal('answer_not_allowed', 'It is for others. Use their key.');
    if (!found.decisions.includes(answer.decision))
      throw refusal('decision_not_offered', 'It takes others.', { offered: found.decisions });
    const question: InboxQuestion = {
      ...found,
      state: 'answered',
      answer: { decision: answer.decision, by, at: AT, ...('values' in answer && { values: answer.values }) },
    };
    this.#questions.set(found.question, { workspaceId, question });
    return question;
  }
}
