// Which mistake would this catch? An effect log that says an effect failed when nobody knows, or loses who decided about it.
import { describe, expect, test } from 'vitest';
import { type EffectRecord, foldEffects, type JournalEvent, type RecordedEvent } from '../../src/index.ts';
import { intentOf, node, Scene } from '../advance/scene.ts';

type Data<T extends JournalEvent['type']> = Omit<Extract<JournalEvent, { type: T }>['data'], 'v'>;

/** A journal that is told event by event; each is a second after the one before. */
class Telling {
  readonly events: RecordedEvent[] = [];

  tell<T extends JournalEvent['type']>(type: T, attempt: number, data: Data<T>, path = 'pay'): this {
    const seq = this.events.length + 1;
    this.events.push({
      type,
      path,
      attempt,
      seq,
      at: seq * 1_000,
      data: { v: 1, ...data },
    } as unknown as RecordedEvent);
    return this;
  }

  sends(attempt: number, { call = 0, path = 'pay', effect = 'non_repeatable' as const } = {}): this {
    const intent = {
      call,
      effect,
      target: 'pay.charge@1',
      key: `r:${path}:${call}`,
      request: { amount: 1 },
      requestHash: 'h',
    };
    return this.tell('intent.recorded', attempt, { workerId: `w${attempt}`, ...intent }, path);
  }

  get effects(): EffectRecord[] {
    return foldEffects(this.events);
  }
}
const aTelling = () => new Telling();
const failure = { code: 'declined', message: 'No.', class: 'permanent' } as const;
const answer = {
  provider: 'sim',
  model: 'writer',
  finishReason: 'stop',
  text: 'Hi',
  usage: { input: 10, output: 5 },
  costNanoUsd: 700,
  prices: 'p',
  totalMs: 3,
};

test('J9: an intent alone is an effect that was sent, with everything that names it', () => {
  expect(aTelling().sends(1).effects).toEqual([
    {
      seq: 1,
      path: 'pay',
      attempt: 1,
      at: 1_000,
      call: 0,
      effect: 'non_repeatable',
      target: 'pay.charge@1',
      key: 'r:pay:0',
      requestHash: 'h',
      workerId: 'w1',
      status: 'sent',
    },
  ]);
});

describe('J9: what ends an effect', () => {
  test.each([
    [
      'an outcome',
      aTelling().sends(1).tell('outcome.succeeded', 1, { output: 1, effectId: 'ch_1', answer }),
      {
        status: 'succeeded',
        outcomeSeq: 2,
        effectId: 'ch_1',
        costNanoUsd: 700,
        tokens: 15,
      },
    ],
    [
      'a failure',
      aTelling().sends(1).tell('outcome.failed', 1, { failure, next: 'stop' }),
      { status: 'failed', failure },
    ],
    [
      'a failure that leaves its cost open',
      aTelling().sends(1).tell('outcome.failed', 1, { failure, next: 'retry', lostSpend: true }),
      {
        status: 'lost',
      },
    ],
    [
      'the death of its worker',
      aTelling().sends(1).tell('attempt.lost', 1, { workerId: 'w1', next: 'ready', reason: 'gone' }),
      {
        status: 'lost',
      },
    ],
    [
      'the death of its worker, when it must not be repeated',
      aTelling().sends(1).tell('attempt.lost', 1, { workerId: 'w1', next: 'uncertain', reason: 'gone' }),
      {
        status: 'uncertain',
      },
    ],
    [
      'doubt',
      aTelling().sends(1).tell('nodeRun.waiting', 1, { status: 'uncertain', reason: 'cut' }),
      { status: 'uncertain' },
    ],
    [
      'a cancel while it runs',
      aTelling().sends(1).tell('nodeRun.cancelled', 1, { reason: 'grace', doubt: true }),
      {
        status: 'cancelled',
        isDoubt: true,
      },
    ],
    [
      'an answer that cannot be used',
      aTelling().sends(1).tell('call.answered', 1, { call: 0, answer, problem: failure }),
      {
        status: 'failed',
        failure,
        costNanoUsd: 700,
      },
    ],
  ] as const)('%s', (_, telling, told) => {
    expect(telling.effects).toMatchObject([{ ...told, endedAt: 2_000 }]);
  });

  test('what ended stays as it ended: being lost too often adds nothing to being lost', () => {
    const telling = aTelling()
      .sends(1)
      .tell('attempt.lost', 1, { workerId: 'w1', next: 'ready', reason: 'gone' })
      .tell('outcome.failed', 1, { failure: { ...failure, class: 'lost' }, next: 'pause' })
      .tell('nodeRun.cancelled', 1, { reason: 'cancel' });
    expect(telling.effects).toMatchObject([{ status: 'lost', endedAt: 2_000 }]);
  });

  test('an attempt that failed before it sent anything is no effect', () => {
    const telling = aTelling().tell('outcome.failed', 1, { failure, next: 'retry' }).sends(2);
    expect(telling.effects).toMatchObject([{ attempt: 2, status: 'sent' }]);
  });
});

test('J9: every sending is an effect of its own, by attempt and by call', () => {
  const telling = aTelling()
    .sends(1)
    .sends(1, { path: 'other' })
    .tell('attempt.lost', 1, { workerId: 'w1', next: 'ready', reason: 'gone' })
    .sends(2)
    .tell('call.answered', 2, { call: 0, answer, problem: failure })
    .sends(2, { call: 1 })
    .tell('outcome.succeeded', 2, { output: 1, call: 1, answer });
  expect(telling.effects.map(({ path, attempt, call, status }) => [path, attempt, call, status])).toEqual([
    ['pay', 1, 0, 'lost'],
    ['other', 1, 0, 'sent'],
    ['pay', 2, 0, 'failed'],
    ['pay', 2, 1, 'succeeded'],
  ]);
});

describe('J9: late answers', () => {
  const lost = () =>
    aTelling().sends(1).tell('attempt.lost', 1, { workerId: 'w1', next: 'ready', reason: 'gone' }).sends(2);

  test('make a lost effect late, and only that one', () => {
    const telling = lost()
      .tell('outcome.late', 1, { output: 1, answer })
      .tell('outcome.succeeded', 2, { output: 2 });
    expect(telling.effects).toMatchObject([
      { status: 'late', endedAt: 2_000, lateAt: 4_000, lateSeq: 4, tokens: 15 },
      { status: 'succeeded' },
    ]);
  });

  test('leave doubt to people, and are noted', () => {
    const telling = aTelling()
      .sends(1)
      .tell('attempt.lost', 1, { workerId: 'w1', next: 'uncertain', reason: 'gone' })
      .tell('outcome.late', 1, { output: 1 });
    expect(telling.effects).toMatchObject([{ status: 'uncertain', lateAt: 3_000 }]);
  });
});

describe('J9: what people say', () => {
  const doubted = () =>
    aTelling().sends(1).tell('nodeRun.waiting', 1, { status: 'uncertain', reason: 'cut' });
  const says = (decision: 'happened' | 'did_not_happen' | 'skip' | 'fail', by = 'key:ada') =>
    doubted().tell('inbox.answered', 1, { question: 2, decision, by });

  test.each([
    [
      'happened',
      says('happened').tell('outcome.succeeded', 1, { output: 1, settledBy: 'key:ada' }),
      { outcomeSeq: 4 },
    ],
    [
      'did_not_happen',
      says('did_not_happen').tell('nodeRun.resumed', 1, { reason: 'settled', by: 'key:ada' }),
      {},
    ],
    ['skip', says('skip').tell('nodeRun.skipped', 1, { killedBy: ['key:ada'], settledBy: 'key:ada' }), {}],
    ['fail', says('fail').tell('outcome.failed', 1, { failure, next: 'stop', settledBy: 'key:ada' }), {}],
    ['did_not_happen', says('did_not_happen').tell('nodeRun.cancelled', 1, { reason: 'stop' }), {}],
    // A journal from before questions were recorded.
    ['happened', doubted().tell('outcome.succeeded', 1, { output: 1, settledBy: 'key:ada' }), {}],
  ] as const)('%s settles the effect', (as, telling, more) => {
    expect(telling.effects).toMatchObject([
      { status: 'settled', settledAs: as, settledBy: 'key:ada', endedAt: 3_000, ...more },
    ]);
  });

  test('an effect that is sent again is another one; settling that leaves the first as it was settled', () => {
    const telling = says('did_not_happen')
      .tell('nodeRun.resumed', 1, { reason: 'settled', by: 'key:ada' })
      .sends(2)
      .tell('nodeRun.waiting', 2, { status: 'uncertain', reason: 'cut' })
      .tell('inbox.answered', 2, { question: 6, decision: 'happened', by: 'key:bob' })
      .tell('outcome.succeeded', 2, { output: 1, settledBy: 'key:bob' });
    expect(telling.effects).toMatchObject([
      { settledAs: 'did_not_happen', settledBy: 'key:ada' },
      { settledAs: 'happened', settledBy: 'key:bob', outcomeSeq: 8 },
    ]);
  });

  test('a paused failure that is settled keeps its failure; one that is retried stays failed', () => {
    const paused = () => aTelling().sends(1).tell('outcome.failed', 1, { failure, next: 'pause' });
    const settled = paused().tell('inbox.answered', 1, { question: 2, decision: 'skip', by: 'key:ada' });
    expect(settled.effects).toMatchObject([{ status: 'settled', settledAs: 'skip', failure }]);
    const retried = paused()
      .tell('inbox.answered', 1, { question: 2, decision: 'retry', by: 'key:ada' })
      .tell('nodeRun.resumed', 1, { reason: 'retry', by: 'key:ada' });
    expect(retried.effects).toMatchObject([{ status: 'failed' }]);
  });
});

test('J8: whatever order a worker hands it over in, the text of an intent begins with what is looked for', () => {
  const scene = new Scene([node('a')]);
  const by = scene.claim('a');
  const { request, ...rest } = intentOf('a', 'idempotent');
  scene.tell({ ...by, type: 'intent', intent: { match: 1, request, ...rest }, clock: 5 });
  expect(JSON.stringify(scene.journal.at(-1)!.data)).toMatch(
    /^\{"v":1,"clock":5,"workerId":"w1","call":0,"effect":"idempotent","target":"t@1","key":"key of a","requestHash":"[^"]+","match":1,"request":/,
  );
});
