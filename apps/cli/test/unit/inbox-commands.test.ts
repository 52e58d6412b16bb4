// Which mistake would this catch? An answer that says something else than the person typed, or a question whose text reaches the
// terminal as it came.
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import type { InboxItem, InboxQuestion } from '../../src/api-types.ts';
import { type FakeEngine, type Handlers, problem, startFakeEngine } from '../support/fake-engine.ts';
import { type Ran, runPawl } from '../support/run-pawl.ts';
import { at, RUN_ID } from '../support/samples.ts';

let engine: FakeEngine | undefined;
afterEach(async () => {
  expect(engine?.breaches ?? []).toEqual([]);
  await engine?.close();
});

async function pawl(handlers: Handlers, ...words: string[]): Promise<Ran> {
  await engine?.close();
  engine = await startFakeEngine(handlers);
  return runPawl(words, { cwd: tmpdir(), env: { PAWL_URL: engine.url } });
}

const QUESTION = `${RUN_ID}.7`;
const anItem = (more: Partial<InboxItem> = {}): InboxItem => ({
  question: QUESTION,
  kind: 'approval',
  runId: RUN_ID,
  flow: 'refund',
  path: 'ok',
  nodeId: 'ok',
  nodeKind: 'approval',
  attempt: 1,
  since: at(90),
  subject: 'Refund 12?',
  decisions: ['approved', 'rejected'],
  ...more,
});
const aQuestion = (more: Partial<InboxQuestion> = {}): InboxQuestion => {
  const { effect: _, ...item } = anItem();
  return { ...item, state: 'open', ...more };
};
const sent = () => engine?.calls.findLast((call) => call.name === 'answerQuestion')?.body;

describe('pawl inbox list', () => {
  test('when questions are open, they are listed with what is asked and the time left', async () => {
    const items = [
      anItem({ until: at(-3_600) }),
      anItem({
        question: `${RUN_ID}.9`,
        kind: 'uncertain',
        subject: 'mail.send@1\u001b[2J may have happened',
      }),
    ];
    const ran = await pawl(
      { listInbox: () => ({ body: { items } }) },
      ...['inbox', 'list', '--kind', 'approval', '--kind', 'uncertain', '--run', RUN_ID],
    );
    expect(engine?.calls[0]?.query).toMatchObject({
      kind: ['approval', 'uncertain'],
      runId: RUN_ID,
      limit: '50',
    });
    expect(ran.exitCode).toBe(0);
    expect(ran.out).toContain(`${QUESTION}`);
    expect(ran.out).toMatch(/approval\s+refund\s+ok\s+1 min ago\s+1 h 00 min\s+Refund 12\?/);
    expect(ran.out).not.toContain('\u001b[2J');
  });

  test('when nothing is open, it says so', async () => {
    const ran = await pawl({ listInbox: () => ({ body: { items: [] } }) }, 'inbox', 'list');
    expect(ran.out).toBe('Nothing waits for a person.\n');
  });
});

describe('pawl inbox show', () => {
  test('when a question is open, it shows what is asked, the form, and what to type', async () => {
    const body = aQuestion({
      details: 'line one\nline\u0007 two',
      form: { type: 'object' },
      values: { amount: 12 },
    });
    const ran = await pawl({ getQuestion: () => ({ body }) }, 'inbox', 'show', QUESTION);
    expect(ran.out).toContain('Refund 12?');
    expect(ran.out).toContain('line one\nline two');
    expect(ran.out).toContain('"amount": 12');
    expect(ran.out).toContain(`pawl inbox answer ${QUESTION} <decision>, with one of approved, rejected`);
  });

  test('when it is about an effect, it shows the evidence', async () => {
    const body = aQuestion({
      kind: 'uncertain',
      decisions: ['happened', 'did_not_happen', 'skip', 'fail'],
      doubt: { reason: 'its worker is gone', at: at(60), attempt: 1, workerId: 'w-1' },
      effect: {
        target: 'mail.send@1',
        effect: 'non_repeatable',
        key: `${RUN_ID}:ok:0`,
        request: { to: { $secret: 'ADA' } },
        requestHash: 'h',
        at: at(61),
        attempt: 1,
      },
    });
    const ran = await pawl({ getQuestion: () => ({ body }) }, 'inbox', 'show', QUESTION);
    for (const words of [
      'its worker is gone, worker w-1',
      'mail.send@1 (non_repeatable)',
      `${RUN_ID}:ok:0`,
      '$secret',
    ])
      expect(ran.out).toContain(words);
  });
});

describe('pawl inbox answer', () => {
  const answering: Handlers = {
    getQuestion: () => ({ body: aQuestion({ values: { amount: 12, to: 'Ada' } }) }),
    answerQuestion: () => ({
      body: aQuestion({ state: 'answered', answer: { decision: 'approved', by: 'local', at: at(0) } }),
    }),
  };

  test.each([
    [['approved'], { decision: 'approved' }],
    [['approved', '--values', '{"amount":3}'], { decision: 'approved', values: { amount: 3 } }],
    [['approved', '-s', 'amount=3'], { decision: 'approved', values: { amount: 3, to: 'Ada' } }],
    [['rejected', '--reason', 'no'], { decision: 'rejected', reason: 'no' }],
    [['happened', '--output', '{"id":1}'], { decision: 'happened', output: { id: 1 } }],
    [['fail', '--reason', 'lost'], { decision: 'fail', reason: 'lost' }],
    [['did_not_happen'], { decision: 'did_not_happen' }],
    [['retry'], { decision: 'retry' }],
  ])('%o is sent as %o', async (words, body) => {
    const ran = await pawl(answering, 'inbox', 'answer', QUESTION, ...words);
    expect(sent()).toEqual(body);
    expect(ran).toMatchObject({ exitCode: 0, err: '' });
    expect(ran.out).toContain('approved by local');
  });

  test.each([
    [['skip', '--reason', 'x'], '--reason goes with rejected and fail only.'],
    [['retry', '-s', 'a=1'], '--set goes with approved and rejected only.'],
    [['happened'], '--output'],
    [['perhaps'], 'Allowed choices'],
  ])('%o is refused before anything is sent', async (words, message) => {
    const ran = await pawl(answering, 'inbox', 'answer', QUESTION, ...words);
    expect(ran.exitCode).toBe(2);
    expect(ran.err).toContain(message);
    expect(sent()).toBeUndefined();
  });

  test.each([
    ['question_answered', 7],
    ['question_closed', 7],
    ['question_not_found', 4],
    ['answer_not_allowed', 6],
    ['answer_invalid', 5],
  ] as const)('%s: exit code %d', async (code, exitCode) => {
    const ran = await pawl(
      { answerQuestion: () => problem(code, 'As it is.') },
      ...['inbox', 'answer', QUESTION, 'approved'],
    );
    expect(ran).toMatchObject({ exitCode, err: expect.stringContaining('As it is.') });
  });
});
