import { z } from 'zod';
import {
  InboxAnswerBody,
  InboxCount,
  InboxCountQuery,
  InboxFilterQuery,
  InboxPage,
  InboxQuestion,
  QuestionId,
} from '../schemas/index.ts';
import { json, route } from './route.ts';

const byQuestion = z.object({ question: QuestionId });

export const inboxRoutes = {
  listInbox: route({
    method: 'GET',
    path: '/v1/inbox',
    summary: 'List what waits for a person, oldest first: approvals, uncertain effects, failures',
    tag: 'inbox',
    auth: 'viewer',
    query: InboxFilterQuery,
    replies: { 200: json(InboxPage, 'A page of open questions') },
    errors: ['cursor_invalid'],
  }),
  countInbox: route({
    method: 'GET',
    path: '/v1/inbox/count',
    summary: 'Count what waits for a person, up to 1,000',
    tag: 'inbox',
    auth: 'viewer',
    query: InboxCountQuery,
    replies: { 200: json(InboxCount, 'How much waits') },
    errors: [],
  }),
  getQuestion: route({
    method: 'GET',
    path: '/v1/inbox/:question',
    summary: 'Get a question in any state, with its evidence and its answer',
    tag: 'inbox',
    auth: 'viewer',
    params: byQuestion,
    replies: { 200: json(InboxQuestion, 'The question') },
    errors: ['question_not_found'],
  }),
  answerQuestion: route({
    method: 'POST',
    path: '/v1/inbox/:question/answer',
    summary: 'Answer a question; the first answer wins',
    tag: 'inbox',
    auth: 'operator',
    params: byQuestion,
    body: InboxAnswerBody,
    replies: { 200: json(InboxQuestion, 'The question with its answer') },
    errors: [
      'question_not_found',
      'question_answered',
      'question_closed',
      'answer_not_allowed',
      'answer_invalid',
      'decision_not_offered',
      'effect_may_be_sent',
    ],
  }),
};
