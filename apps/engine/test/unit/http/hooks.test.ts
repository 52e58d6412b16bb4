// Catches: a delivery that is taken from somebody who does not know the secret, one that starts two runs, and one whose input is
// not what was sent (C28, C31, C37, V13, V14).
import { createHmac } from 'node:crypto';
import type { NewWebhook } from '@pawl/run-store';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { signed } from '../../../../../test/support/sign-delivery.ts';
import { aFlow, anHttp, type TestHttp } from '../../support/an-http.ts';
import { HOME } from '../../support/memory-store.ts';
import { NOW_MS } from '../../support/memory-webhooks.ts';

const SECRET = 'whsec_0123456789abcdef';
const OTHER = 'whsec_fedcba9876543210';
let http: TestHttp;
let url: string;
beforeEach(async () => {
  http = anHttp({ auth: { mode: 'keys', defaultWorkspaceId: HOME } });
  http.store.flows.publish({ workspaceId: HOME, flow: 'greet', document: aFlow('greet') as never });
  url = make();
});

function make(spec: Partial<NewWebhook> = {}): string {
  const name = spec.name ?? `hook-${http.store.webhooks.webhooks.size}`;
  const { webhook } = http.store.webhooks.create(HOME, { name, flow: 'greet', secret: SECRET, ...spec });
  return `/v1/hooks/${webhook.id}`;
}
const sign = (body: string | Buffer, id?: string, secret = SECRET, nowMs = NOW_MS) =>
  signed(secret, body, { nowMs, ...(id !== undefined && { id }) });
const deliver = (text: string | Buffer, headers: Record<string, string> = sign(text, 'd1'), to = url) =>
  http.ask(`POST ${to}`, { text, headers, from: '203.0.113.7' });
const runs = () => [...http.store.runs.runs.values()];
const inputs = () => http.store.runs.starts.map(({ input }) => input);

describe('a signed delivery', () => {
  it('starts a run of the flow without an API key, with what was sent as its input', async () => {
    const reply = await deliver('{"name":"Ada"}');
    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toMatchObject({ result: 'started' });
    expect(http.store.runs.starts).toMatchObject([
      {
        workspaceId: HOME,
        flow: 'greet',
        input: { name: 'Ada' },
        trigger: 'webhook',
        tags: { webhook: 'hook-0', delivery: 'd1' },
      },
    ]);
  });

  it('C37: sent again it is the same run, also signed anew and with other headers', async () => {
    const first = await deliver('{"name":"Ada"}');
    const again = await deliver('{"name":"Ada"}', {
      ...sign('{"name":"Ada"}', 'd1', SECRET, NOW_MS + 60_000),
      'x-try': '2',
    });
    expect(again.statusCode).toBe(200);
    expect(again.json()).toEqual({ result: 'duplicate', runId: first.json().runId });
    expect((await deliver('{"name":"Bob"}')).json()).toMatchObject({
      code: 'dedupe_conflict',
      runId: first.json().runId,
    });
    expect((await deliver('{"name":"Ada"}', sign('{"name":"Ada"}', 'd2'))).json()).toMatchObject({
      result: 'started',
    });
    expect(runs()).toHaveLength(2);
  });

  it('without a delivery id the same bytes at the same time are the same delivery', async () => {
    const answers = [await deliver('{"a":1}', sign('{"a":1}')), await deliver('{"a":1}', sign('{"a":1}'))];
    expect(answers.map((reply) => reply.json().result)).toEqual(['started', 'duplicate']);
    expect((await deliver('{"a":1}', sign('{"a":1}', undefined, SECRET, NOW_MS + 1_000))).json().result).toBe(
      'started',
    );
  });

  it('the id of one webhook means nothing to another', async () => {
    const second = make();
    await deliver('{"a":1}');
    expect((await deliver('{"a":1}', sign('{"a":1}', 'd1'), second)).json().result).toBe('started');
  });

  it('an id of any length and any bytes is an id', async () => {
    for (const id of ['x'.repeat(5_000), 'caf\u00e9', ' spaces ']) {
      const answers = [await deliver('{}', sign('{}', id)), await deliver('{}', sign('{}', id))];
      expect(answers.map((reply) => reply.json().result)).toEqual(['started', 'duplicate']);
    }
    for (const { dedupeKey } of http.store.runs.starts) expect(dedupeKey).toMatch(/^[\x20-\x7e]{1,255}$/);
  });
});

describe('C37: the id may come in any header', () => {
  it('X-Event-Id', async () => {
    url = make({ deliveryHeader: 'x-event-id' });
    const event = (id: string) => ({ ...sign('{}'), 'X-Event-Id': id });
    const answers = [
      await deliver('{}', event('e1')),
      await deliver('{}', event('e1')),
      await deliver('{}', event('e2')),
    ];
    expect(answers.map((reply) => reply.json().result)).toEqual(['started', 'duplicate', 'started']);
  });
});

describe('signatures', () => {
  test.each([
    [
      'no signature',
      (h: Record<string, string>) => ({ ...h, 'pawl-signature': '' }),
      /pawl-signature is missing/,
    ],
    [
      'no timestamp',
      ({ 'pawl-timestamp': _, ...h }: Record<string, string>) => h,
      /pawl-timestamp is missing/,
    ],
    ['another secret', () => sign('{"a":1}', 'd1', OTHER), /not that of this body/],
    [
      'a changed timestamp',
      (h: Record<string, string>) => ({ ...h, 'pawl-timestamp': String(NOW_MS / 1_000 + 1) }),
      /not that of this body/,
    ],
    [
      'a timestamp that is none',
      (h: Record<string, string>) => ({ ...h, 'pawl-timestamp': '2026-01-02' }),
      /seconds since 1970/,
    ],
    [
      'another form',
      (h: Record<string, string>) => ({ ...h, 'pawl-signature': h['pawl-signature']!.slice(3) }),
      /does not have the form v1=/,
    ],
    [
      'a cut signature',
      (h: Record<string, string>) => ({ ...h, 'pawl-signature': h['pawl-signature']!.slice(0, -2) }),
      /does not have the form/,
    ],
    ['too old', () => sign('{"a":1}', 'd1', SECRET, NOW_MS - 301_000), /more than 300 s from now/],
    ['too new', () => sign('{"a":1}', 'd1', SECRET, NOW_MS + 301_000), /more than 300 s from now/],
  ] as const)('%s: 401, nothing is started, and the reason names no secret', async (_, change, words) => {
    const reply = await deliver('{"a":1}', change(sign('{"a":1}', 'd1')) as Record<string, string>);
    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toMatchObject({ code: 'signature_invalid' });
    expect(reply.json().detail).toMatch(words);
    const right = createHmac('sha256', SECRET)
      .update(`${NOW_MS / 1_000}.{"a":1}`)
      .digest('hex');
    expect(reply.body).not.toContain(right);
    expect(JSON.stringify(http.logged)).not.toMatch(/whsec_|v1=/);
    expect(http.store.runs.starts).toEqual([]);
  });

  it('a byte that changed on its way is noticed, one of no meaning too', async () => {
    const reply = await deliver('{"a": 1}', sign('{"a":1}', 'd1'));
    expect(reply.json()).toMatchObject({ code: 'signature_invalid' });
  });

  it('is over the bytes as they are sent, a byte order mark and escapes as well', async () => {
    const body = Buffer.from('\ufeff{"a":"\\u0000\\ud800 é 🙂"}');
    expect((await deliver(body, sign(body, 'd1'))).json().result).toBe('started');
    expect(inputs()).toEqual([{ a: '\u0000\ud800 é 🙂' }]);
  });

  it('comes before the body is read: nobody without a secret learns what a flow takes', async () => {
    expect((await deliver('not json', sign('x', 'd1'))).json()).toMatchObject({ code: 'signature_invalid' });
    expect((await deliver('not json')).json()).toMatchObject({ status: 400, code: 'body_malformed' });
  });

  it('a sender that moves to another secret may send a signature of each', async () => {
    const { 'pawl-signature': old, ...rest } = sign('{}', 'd1');
    const { 'pawl-signature': other } = sign('{}', 'd1', OTHER);
    const both = { ...rest, 'pawl-signature': `${other}, ${old}` };
    expect((await deliver('{}', both)).json().result).toBe('started');
  });

  it('after a rotation both secrets count, after another one only the last two', async () => {
    const ref = { workspaceId: HOME, webhook: 'hook-0' };
    http.store.webhooks.rotate({ ...ref, secret: OTHER });
    expect((await deliver('{}', sign('{}', 'd1'))).statusCode).toBe(201);
    expect((await deliver('{}', sign('{}', 'd2', OTHER))).statusCode).toBe(201);
    http.store.webhooks.rotate({ ...ref, secret: 'whsec_third_secret_0001' });
    expect((await deliver('{}', sign('{}', 'd3'))).statusCode).toBe(401);
    expect((await deliver('{}', sign('{}', 'd4', OTHER))).statusCode).toBe(201);
  });

  it('GitHub: the example of its documentation, over the body alone', async () => {
    url = make({ preset: 'github', secret: "It's a Secret to Everybody" });
    const headers = {
      'content-type': 'application/json',
      'X-GitHub-Delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
      'X-Hub-Signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    };
    // "Hello, World!" is no JSON, so it is the signature that lets it come so far.
    expect((await deliver('Hello, World!', headers)).json()).toMatchObject({ code: 'body_malformed' });
    expect((await deliver('Hello, World', headers)).json()).toMatchObject({ code: 'signature_invalid' });
    const body = '{"zen":"Speak like a human."}';
    const hash = createHmac('sha256', "It's a Secret to Everybody").update(body).digest('hex');
    const push = { ...headers, 'X-Hub-Signature-256': `sha256=${hash}` };
    expect((await deliver(body, push)).json().result).toBe('started');
    expect((await deliver(body, push)).json().result).toBe('duplicate');
  });
});

describe('V14: an address that takes nothing', () => {
  it('is unknown, switched off or removed: the same answer, before the body is read', async () => {
    const never = await deliver('{}', sign('{}', 'd1'), '/v1/hooks/0197f0a0-0000-7000-8000-000000000001');
    const words = (reply: { body: string }) => reply.body.replace(/0197[-0-9a-f]+|[0-9a-f-]{36}/g, '<id>');
    expect(never.json()).toMatchObject({ status: 404, code: 'webhook_not_found' });
    http.store.webhooks.change({ workspaceId: HOME, webhook: 'hook-0' }, { enabled: false });
    expect(words(await deliver('{}'))).toBe(words(never));
    http.store.webhooks.delete({ workspaceId: HOME, webhook: 'hook-0' });
    expect(words(await deliver('{}'))).toBe(words(never));
    expect((await deliver('{}', sign('{}'), '/v1/hooks/not-an-id')).statusCode).toBe(404);
    expect((await http.ask('GET /v1/hooks/x', { from: '203.0.113.7' })).json()).toMatchObject({
      code: 'method_not_allowed',
    });
    expect(http.store.runs.starts).toEqual([]);
  });
});

describe('what a delivery may hold', () => {
  it('C28: a body of 25 MB is refused with the limit named, and starts nothing', async () => {
    const body = Buffer.from(`{"text":"${'x'.repeat(25 * 1024 * 1024)}"}`);
    const reply = await deliver(body, sign(body, 'd1'));
    expect(reply.statusCode).toBe(413);
    expect(reply.json()).toMatchObject({ code: 'body_too_large', limitBytes: 20 * 1024 * 1024 });
    expect(reply.json().detail).toContain('20 MB');
    expect(http.store.runs.starts).toEqual([]);
  });

  it('only JSON: 415', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/xml']) {
      const reply = await deliver('a=1', { ...sign('a=1', 'd1'), 'content-type': type });
      expect(reply.json()).toMatchObject({ status: 415, code: 'media_type_unsupported' });
    }
  });

  it('C31: an input that does not fit is refused with its pointers', async () => {
    const input = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
    http.store.flows.publish({
      workspaceId: HOME,
      flow: 'greet',
      document: aFlow('greet', { input }) as never,
    });
    const reply = await deliver('{}');
    expect(reply.json()).toMatchObject({ status: 422, code: 'input_invalid' });
    expect(runs()).toEqual([]);
  });

  it('X9: integers that would be rounded are refused with their place, or kept as the flow wants', async () => {
    const body = '{"order":{"id":9007199254740993}}';
    expect((await deliver(body)).json()).toMatchObject({
      code: 'unsafe_integer',
      issues: [{ pointer: '/order/id' }],
    });
    expect(http.store.runs.starts).toEqual([]);
    const strings = aFlow('greet', { bigIntegers: 'strings' });
    http.store.flows.publish({ workspaceId: HOME, flow: 'greet', document: strings as never });
    expect((await deliver(body)).json().result).toBe('started');
    expect(inputs()).toEqual([{ order: { id: '9007199254740993' } }]);
  });

  it('with the request as input it holds the headers that are allowed and the query, and no others', async () => {
    url = make({ inputFrom: 'request', headers: ['x-github-event', 'x-absent', 'constructor'] });
    const headers = {
      ...sign('[1]', 'd1'),
      'X-GitHub-Event': 'push',
      authorization: 'Bearer secret',
      'x-more': 'no',
    };
    expect((await deliver('[1]', headers, `${url}?source=a&tag=1&tag=2`)).json().result).toBe('started');
    expect(inputs()).toEqual([
      { body: [1], headers: { 'x-github-event': 'push' }, query: { source: 'a', tag: ['1', '2'] } },
    ]);
    expect((await deliver('[2]', sign('[2]', 'd2'), `${url}?__proto__=1`)).json()).toMatchObject({
      code: 'query_invalid',
    });
  });
});

describe('the owner of a webhook', () => {
  it('sees why a delivery was refused, now and then', async () => {
    await deliver('{}', sign('{}', 'd1', OTHER));
    await deliver('not json');
    expect(http.store.webhooks.refusals).toMatchObject([{ code: 'signature_invalid' }]);
    url = make();
    const big = Buffer.from(`"${'x'.repeat(21 * 1024 * 1024)}"`);
    await deliver(big, sign(big));
    expect(http.store.webhooks.refusals).toMatchObject([{}, { code: 'body_too_large' }]);
  });

  it('hears nothing of trouble that is ours', async () => {
    http.store.startRun = async () => {
      throw new TypeError('a defect');
    };
    expect((await deliver('{}')).statusCode).toBe(500);
    expect(http.store.webhooks.refusals).toEqual([]);
  });
});

describe('making webhooks', () => {
  beforeEach(() => {
    http = anHttp();
    http.store.flows.publish({ workspaceId: HOME, flow: 'greet', document: aFlow('greet') as never });
  });
  const create = (body: object) =>
    http.ask('POST /v1/webhooks', { body: { name: 'orders', flow: 'greet', ...body } });

  it('the secret is told when it is made and when it is replaced, and never again', async () => {
    const made = (await create({ headers: ['X-GitHub-Event'] })).json();
    expect(made).toMatchObject({
      webhook: { url: `/v1/hooks/${made.webhook.id}`, headers: ['x-github-event'] },
    });
    expect(made.secret).toMatch(/^whsec_/);
    const rotated = (await http.ask('POST /v1/webhooks/orders/rotate')).json();
    expect(rotated.secret).not.toBe(made.secret);
    const own = await http.ask('POST /v1/webhooks/orders/rotate', { body: { secret: OTHER, keepOldMs: 0 } });
    expect(own.json().secret).toBe(OTHER);
    for (const line of ['GET /v1/webhooks', 'GET /v1/webhooks/orders', 'DELETE /v1/webhooks/orders'])
      expect((await http.ask(line)).body).not.toMatch(/whsec_/);
    expect(JSON.stringify(http.logged)).not.toMatch(/whsec_/);
  });

  test.each([
    [{ headers: ['Authorization'] }, '/headers/0', /carries no secret/],
    [{ headers: ['cookie'] }, '/headers/0', /carries no secret/],
    [{ headers: ['__proto__'] }, '/headers/0', /reserved/],
    [{ signatureHeader: 'x y' }, '/signatureHeader', /name of a header/],
    [{ secret: 'short' }, '/secret', /16 to 200/],
    [{ toleranceMs: 5 }, '/toleranceMs', /1000/],
    [{ preset: 'gitlab' }, '/preset', /pawl/],
  ])('%j is refused with its place', async (body, pointer, words) => {
    const reply = await create(body);
    expect(reply.json()).toMatchObject({ code: 'body_invalid', issues: [{ pointer }] });
    expect(reply.json().detail).toMatch(words);
  });
});
