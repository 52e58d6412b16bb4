// Catches: a page that skips or repeats events, or that claims the end too early.
import { beforeEach, expect, it } from 'vitest';
import { anHttp, aRun, type TestHttp } from '../../support/an-http.ts';

let http: TestHttp;
let runId: string;
beforeEach(async () => {
  http = anHttp();
  runId = await aRun(http);
  for (let n = 0; n < 4; n++)
    http.store.runs.append(runId, {
      type: 'nodeRun.skipped',
      path: `n${n}`,
      attempt: 0,
      data: { v: 1, killedBy: [] },
    });
});
const page = (query = '', headers: Record<string, string> = {}) =>
  http.ask(`GET /v1/runs/${runId}/events${query}`, { headers: { accept: 'application/json', ...headers } });
const end = () =>
  http.store.runs.append(runId, {
    type: 'run.statusChanged',
    path: '',
    attempt: 0,
    data: { v: 1, status: 'cancelled' },
  });

it('reads the whole journal page by page', async () => {
  end();
  const seqs: number[] = [];
  let after = 0;
  for (let isEnded = false; !isEnded; ) {
    const { events, ended, nextAfter } = (await page(`?after=${after}&limit=4`)).json();
    seqs.push(...events.map(({ seq }: { seq: number }) => seq));
    after = nextAfter;
    isEnded = ended;
  }
  expect(seqs).toEqual([1, 2, 3, 4, 5, 6]);
});

it('a running run has not ended; nothing new leaves the place where it is', async () => {
  expect((await page('?after=5')).json()).toEqual({ events: [], ended: false, nextAfter: 5 });
});

it.each(['?after=-1', '?after=x', '?limit=0', '?limit=1001', '?from=3'])('%s is refused', async (query) => {
  expect((await page(query)).json()).toMatchObject({ status: 400, code: 'query_invalid' });
});

it('a Last-Event-ID that is no number is refused', async () => {
  const reply = await page('', { accept: 'text/event-stream', 'last-event-id': 'abc' });
  expect(reply.json()).toMatchObject({ code: 'header_invalid', issues: [{ pointer: '/last-event-id' }] });
});
