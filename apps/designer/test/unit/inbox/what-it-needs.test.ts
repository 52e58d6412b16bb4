// Would catch: a decision that is sent with what it does not take, or that leaves out what was filled in.
import { describe, expect, it } from 'vitest';
import type { InboxQuestion } from '../../../src/inbox/question.ts';
import { answerOf, whatItNeeds } from '../../../src/inbox/what-it-needs.ts';

const aQuestion = (more: Partial<InboxQuestion> = {}): InboxQuestion =>
  ({ kind: 'failure', nodeKind: 'tool', ...more }) as InboxQuestion;

const anEffect = (effect: 'model' | 'idempotent', request: object) =>
  ({ effect: { target: 'pay@1', effect, request } }) as unknown as Partial<InboxQuestion>;

describe('what a decision needs', () => {
  it('is the form of an approval, also when nothing but values is shown, and nothing when nothing is', () => {
    const form = { type: 'object' };
    expect(whatItNeeds('approved', aQuestion({ form, values: { a: 1 } }))).toEqual({
      kind: 'values',
      schema: form,
      initial: { a: 1 },
      isOptional: false,
    });
    expect(whatItNeeds('approved', aQuestion({ values: { a: 1 } }))).toMatchObject({ kind: 'values' });
    expect(whatItNeeds('approved', aQuestion())).toEqual({ kind: 'nothing' });
  });

  it('T19: is, for a retry, the arguments if a person wants others; of a model only the messages', () => {
    expect(whatItNeeds('retry', aQuestion(anEffect('idempotent', { to: 'a' })))).toMatchObject({
      initial: { to: 'a' },
      isOptional: true,
    });
    expect(
      whatItNeeds('retry', aQuestion(anEffect('model', { model: 'm', messages: [{ role: 'user' }] }))),
    ).toMatchObject({ initial: { messages: [{ role: 'user' }] } });
    expect(whatItNeeds('retry', aQuestion())).toEqual({ kind: 'nothing' });
  });
});

describe('the answer that is sent', () => {
  it('has what was given and nothing else', () => {
    expect(answerOf('approved', {})).toEqual({ decision: 'approved' });
    expect(answerOf('approved', { value: { a: 2 } })).toEqual({ decision: 'approved', values: { a: 2 } });
    expect(answerOf('rejected', { reason: '  too much ' })).toEqual({
      decision: 'rejected',
      reason: 'too much',
    });
    expect(answerOf('fail', { reason: ' ' })).toEqual({ decision: 'fail' });
    expect(answerOf('happened', {})).toEqual({ decision: 'happened', output: null });
    expect(answerOf('compensate', {})).toEqual({ decision: 'compensate' });
    expect(answerOf('retry', { value: { to: 'b' } })).toEqual({ decision: 'retry', values: { to: 'b' } });
    expect(answerOf('skip', { value: 1, reason: 'x' })).toEqual({ decision: 'skip' });
  });
});
