// Which mistake would this catch? A try that is told with the end of another one, or a doubt without its reason.
import type { RecordedEvent } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { attemptsOf } from '../../../src/run/attempts.ts';

const event = (seq: number, type: string, attempt: number, data: object) =>
  ({ seq, at: seq * 1_000, type, path: 'pay', attempt, data: { v: 1, ...data } }) as RecordedEvent;
const intent = (seq: number, attempt: number) =>
  event(seq, 'intent.recorded', attempt, {
    call: 0,
    effect: 'non_repeatable',
    target: 'shop.pay@1',
    key: 'run/pay/0',
    request: {},
    requestHash: 'h',
    workerId: `w${attempt}`,
  });
const failure = { code: 'busy', message: 'The shop is busy.', class: 'transient' };

describe('the tries of a node run', () => {
  it('come newest first, each with what it sent and how it ended', () => {
    const attempts = attemptsOf([
      intent(1, 1),
      event(2, 'outcome.failed', 1, { failure, next: 'retry', retryAt: 9_000 }),
      intent(3, 2),
      event(4, 'outcome.succeeded', 2, { output: 1 }),
    ]);
    expect(attempts).toMatchObject([
      {
        attempt: 2,
        end: { how: 'succeeded' },
        effects: [{ workerId: 'w2', status: 'succeeded', key: 'run/pay/0' }],
      },
      {
        attempt: 1,
        end: { how: 'failed', failure, retryAt: 9_000 },
        effects: [{ workerId: 'w1', status: 'failed' }],
      },
    ]);
  });

  it('V5: say why nobody knows, and what was heard last', () => {
    const [lost] = attemptsOf([
      intent(1, 1),
      event(2, 'attempt.lost', 1, { workerId: 'w1', next: 'uncertain', reason: 'its worker is gone' }),
    ]);
    expect(lost?.end).toEqual({ how: 'uncertain', at: 2_000, reason: 'its worker is gone' });
    const [unclear] = attemptsOf([
      intent(1, 1),
      event(2, 'nodeRun.waiting', 1, {
        status: 'uncertain',
        reason: 'timeout',
        detail: { message: 'No answer in 5 s.' },
      }),
    ]);
    expect(unclear?.end).toMatchObject({ how: 'uncertain', reason: 'timeout', message: 'No answer in 5 s.' });
  });

  it('have no end while they go on', () => {
    expect(attemptsOf([intent(1, 1)])).toMatchObject([{ attempt: 1, end: undefined }]);
  });
});
