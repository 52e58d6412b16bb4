// Catches: a callback that needs a key, one that says nothing or two things at once and is taken.
import { beforeEach, describe, expect, it, test } from 'vitest';
import { anHttp, type TestHttp } from '../../support/an-http.ts';

let http: TestHttp;
beforeEach(() => {
  http = anHttp();
});
const say = (body: unknown, token = 'known') => http.ask(`POST /v1/callbacks/${token}`, { body });

describe('callbacks', () => {
  it('need no key: the address is the proof', async () => {
    const body = { result: { id: 7 } };
    const answer = await say(body);
    expect([answer.statusCode, answer.json()]).toEqual([200, { state: 'taken' }]);
    await say({ failure: { message: 'No.', retryable: true } });
    expect(http.store.callbacks).toEqual([
      { token: 'known', body },
      { token: 'known', body: { failure: { message: 'No.', retryable: true } } },
    ]);
  });

  it('to an address that was not made here are refused', async () => {
    expect((await say({ result: 1 }, 'other')).json()).toMatchObject({
      status: 404,
      code: 'callback_unknown',
    });
  });

  it('have as long an address as the path of a node run makes it', async () => {
    expect((await say({ result: 1 }, 'x'.repeat(8_000))).json()).toMatchObject({ code: 'callback_unknown' });
  });

  test.each([{}, { result: 1, failure: { message: 'No.' } }, { failure: {} }, { outcome: 1 }])(
    'that say %j are refused',
    async (body) => {
      expect((await say(body)).json()).toMatchObject({ status: 422, code: 'body_invalid' });
      expect(http.store.callbacks).toEqual([]);
    },
  );
});
