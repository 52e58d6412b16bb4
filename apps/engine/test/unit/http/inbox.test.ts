// Catches: a question that is answered twice, by the wrong person, or with something nobody asked.
import { beforeEach, describe, expect, it } from 'vitest';
import { anHttp, aRun, type TestHttp } from '../../support/an-http.ts';
import { HOME, HOME_KEY } from '../../support/memory-store.ts';

let http: TestHttp;
let runId: string;
let question: string;
beforeEach(async () => {
  http = anHttp();
  runId = await aRun(http);
  question = http.store.inbox.ask(HOME, runId, 7);
});
const answer = (body: unknown, id = question, headers = {}) =>
  http.ask(`POST /v1/inbox/${id}/answer`, { body, headers });

describe('the inbox', () => {
  it('lists open questions, and narrows them', async () => {
    http.store.inbox.ask(HOME, runId, 9, { kind: 'uncertain', decisions: ['happened', 'skip'] });
    const kinds = async (query: string) =>
      (await http.ask(`GET /v1/inbox${query}`)).json().items.map(({ kind }: { kind: string }) => kind);
    expect(await kinds('')).toEqual(['approval', 'uncertain']);
    expect(await kinds('?kind=uncertain')).toEqual(['uncertain']);
    expect(await kinds('?kind=uncertain,failure&kind=approval')).toEqual(['approval', 'uncertain']);
    expect(await kinds(`?runId=${runId}`)).toHaveLength(2);
    const wrong = await http.ask('GET /v1/inbox?kind=odd');
    expect(wrong.json()).toMatchObject({
      status: 400,
      code: 'query_invalid',
      issues: [{ pointer: '/kind/0' }],
    });
  });

  it('counts what waits, and of what waits what is not for others', async () => {
    http.store.inbox.ask(HOME, runId, 9, { who: ['ada'] });
    const headers = { authorization: `Bearer ${HOME_KEY}` };
    const count = async (query = '') => (await http.ask(`GET /v1/inbox/count${query}`, { headers })).json();
    expect(await count()).toEqual({ count: 2, hasMore: false });
    expect(await count('?mine=true')).toEqual({ count: 1, hasMore: false });
    expect(await count('?mine=false&kind=uncertain')).toEqual({ count: 0, hasMore: false });
    const mine = await http.ask('GET /v1/inbox?mine=true', { headers });
    expect(mine.json().items).toMatchObject([{ question }]);
    expect((await http.ask('GET /v1/inbox/count?mine=perhaps')).json()).toMatchObject({
      code: 'query_invalid',
    });
  });

  it('shows a question in any state', async () => {
    expect((await http.ask(`GET /v1/inbox/${question}`)).json()).toMatchObject({ question, state: 'open' });
    await answer({ decision: 'approved', values: { n: 1 } });
    expect((await http.ask(`GET /v1/inbox/${question}`)).json()).toMatchObject({
      state: 'answered',
      answer: { decision: 'approved', by: 'local', values: { n: 1 } },
    });
  });

  it('takes the first answer and tells the second what was decided', async () => {
    expect((await answer({ decision: 'rejected', reason: 'too much' })).json()).toMatchObject({
      state: 'answered',
    });
    expect((await answer({ decision: 'approved' })).json()).toMatchObject({
      status: 409,
      code: 'question_answered',
      answer: { decision: 'rejected', by: 'local' },
    });
  });

  it('answers 410 when the question is closed, 404 when it never was', async () => {
    const closed = http.store.inbox.ask(HOME, runId, 8, { state: 'closed' });
    expect((await answer({ decision: 'approved' }, closed)).json()).toMatchObject({
      status: 410,
      code: 'question_closed',
    });
    for (const id of [`${runId}.99`, `${runId}.0`, runId, 'x'])
      expect((await answer({ decision: 'approved' }, id)).json()).toMatchObject({
        status: 404,
        code: 'question_not_found',
      });
  });

  it('takes what is offered only, from those it is for', async () => {
    expect((await answer({ decision: 'skip' })).json()).toMatchObject({
      status: 409,
      code: 'decision_not_offered',
      offered: ['approved', 'rejected'],
    });
    const forAda = http.store.inbox.ask(HOME, runId, 11, { who: ['key:ada'] });
    const headers = { authorization: `Bearer ${HOME_KEY}` };
    expect((await answer({ decision: 'approved' }, forAda, headers)).json()).toMatchObject({
      status: 403,
      code: 'answer_not_allowed',
    });
  });

  it.each([{}, { decision: 'maybe' }, { decision: 'happened' }, { decision: 'approved', output: 1 }, []])(
    '%o is no answer',
    async (body) => {
      expect((await answer(body)).json()).toMatchObject({ status: 422, code: 'body_invalid' });
    },
  );
});
