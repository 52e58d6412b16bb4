// Would catch: one delivery that starts two runs, or none; an input that differs by where it came from (C28, C31, C37).
import { afterEach, describe, expect, inject, it } from 'vitest';
import { askDatabase } from '../support/ask-database.ts';
import { startRedis, type TestServer } from '../support/process.ts';
import { endOf } from '../support/run-to-end.ts';
import { signed } from '../support/sign-delivery.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, publishFlow } from '../support/watch-run.ts';

interface Delivered {
  readonly status: number;
  readonly result?: string;
  readonly runId?: string;
  readonly code?: string;
  readonly issues?: readonly { readonly pointer: string }[];
  readonly limitBytes?: number;
}

async function post(url: string, body: string, headers: Record<string, string>): Promise<Delivered> {
  const reply = await fetch(url, { method: 'POST', headers, body });
  return { status: reply.status, ...((await reply.json()) as object) };
}

describe('webhooks', () => {
  let pawl: PawlWithLedger | undefined;
  let redis: TestServer | undefined;
  afterEach(async () => {
    await pawl?.stop();
    await redis?.dispose();
    redis = undefined;
  });

  for (const backend of ['redis', 'postgres'] as const)
    it.skipIf(backend === 'redis' && !inject('redisUrl'))(
      `C37: twenty deliveries of one event at once to two engines are one run, whatever becomes of the queue (${backend})`,
      async () => {
        if (backend === 'redis') redis = await startRedis();
        pawl = await startWithLedger({ queue: backend, workers: 1, ...(redis && { redisUrl: redis.url }) });
        const second = await pawl.startEngine();
        const flow = await publishFlow(pawl, [call('put', 'put')]);
        const { webhook, secret } = await pawl.client.createWebhook({
          body: { name: 'orders', flow, deliveryHeader: 'X-Event-Id' },
        });
        const body = '{"order":7}';
        const deliver = (n: number, id = 'e1') =>
          post(`${n % 2 === 0 ? pawl!.url : second.url}${webhook.url}`, body, {
            ...signed(secret, body),
            'x-event-id': id,
          });
        const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => deliver(n)));
        expect(new Set(answers.map(({ runId }) => runId)).size).toBe(1);
        expect(answers.filter(({ result }) => result === 'started')).toHaveLength(1);
        expect(answers.filter(({ result, status }) => result === 'duplicate' && status === 200)).toHaveLength(
          19,
        );
        const { runId } = answers[0]!;
        expect((await endOf(pawl, runId!)).run.status).toBe('succeeded');
        await redis?.restart(); // comes back empty
        expect(await deliver(1)).toEqual({ status: 200, result: 'duplicate', runId });
        expect(await deliver(0, 'e2')).toMatchObject({ status: 201, result: 'started' });
        expect((await pawl.client.listRuns({ query: { tag: 'webhook:orders' } })).items).toHaveLength(2);
        expect(pawl.ledger.effects({ key: runId! }).size).toBe(1);
        expect(await pawl.rowsEqualFold()).toEqual([]);
      },
    );

  it('C28: a body of 25 MB is refused with the limit named, and there is no run row', async () => {
    pawl = await startWithLedger({ workers: 0 });
    const flow = await publishFlow(pawl, [call('put', 'put')]);
    const { webhook, secret } = await pawl.client.createWebhook({ body: { name: 'big', flow } });
    const body = JSON.stringify({ text: 'x'.repeat(25 * 1024 * 1024) });
    expect(await post(`${pawl.url}${webhook.url}`, body, signed(secret, body, { id: 'd' }))).toMatchObject({
      status: 413,
      code: 'body_too_large',
      limitBytes: 20 * 1024 * 1024,
    });
    expect(await askDatabase(pawl, 'select id from run')).toEqual([]);
    const { lastRefusal } = await pawl.client.getWebhook({ params: { webhook: 'big' } });
    expect(lastRefusal).toMatchObject({ code: 'body_too_large' });
  });

  it('C31: defaults, null and text for a number are treated alike from API, schedule and webhook', async () => {
    pawl = await startWithLedger({ workers: 0 });
    const { client, url } = pawl;
    const flow = await publishFlow(pawl, [{ id: 'a', kind: 'transform', value: '{{ input }}' }], {
      input: {
        type: 'object',
        properties: { name: { type: 'string', default: 'hello' }, n: { type: 'integer', default: 3 } },
      },
    });
    const { webhook, secret } = await client.createWebhook({ body: { name: 'start', flow } });
    let deliveries = 0;
    const byWebhook = (body: string) =>
      post(`${url}${webhook.url}`, body, signed(secret, body, { id: `d${++deliveries}` }));
    const inputOf = async (runId: string | undefined) =>
      (await client.getRun({ params: { runId: runId! } })).input;
    const filled = { name: 'hello', n: 3 };

    expect(await inputOf((await client.startRun({ body: { flow, input: {} } })).runId)).toEqual(filled);
    expect(await inputOf((await byWebhook('{}')).runId)).toEqual(filled);
    await client.createSchedule({ body: { name: 'daily', flow, cron: '0 0 * * *', enabled: false } });
    const until = new Date();
    const from = new Date(until.getTime() - 86_400_000);
    await client.backfillSchedule({
      params: { schedule: 'daily' },
      body: { from: from.toISOString(), until: until.toISOString() },
    });
    const slot = async () => (await client.listSlots({ params: { schedule: 'daily' } })).items.at(-1);
    await expect.poll(slot, { timeout: 30_000 }).toMatchObject({ state: 'started' });
    expect(await inputOf((await slot())!.runId)).toEqual(filled);

    for (const [input, pointer] of [
      [{ name: null }, '/name'],
      [{ n: '3' }, '/n'],
    ] as const) {
      const refused = { status: 422, code: 'input_invalid' };
      await expect(client.startRun({ body: { flow, input } })).rejects.toMatchObject({
        ...refused,
        problem: { issues: [{ pointer }] },
      });
      expect(await byWebhook(JSON.stringify(input))).toMatchObject({ ...refused, issues: [{ pointer }] });
      await expect(
        client.changeSchedule({ params: { schedule: 'daily' }, body: { input } }),
      ).rejects.toMatchObject({ ...refused, problem: { issues: [{ pointer }] } });
    }
    const runs = (await client.listRuns({ query: { flow } })).items.length;
    expect(runs).toBe((await client.listSlots({ params: { schedule: 'daily' } })).items.length + 2);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('a secret that is replaced opens for its time, on every engine', async () => {
    pawl = await startWithLedger({ workers: 0 });
    const { client } = pawl;
    const second = await pawl.startEngine();
    const flow = await publishFlow(pawl, [{ id: 'a', kind: 'transform', value: 1 }]);
    const { webhook, secret } = await client.createWebhook({ body: { name: 'turn', flow } });
    const params = { webhook: 'turn' };
    const codes = async (with_: string) =>
      (
        await Promise.all(
          [pawl!.url, second.url].map((at) => post(`${at}${webhook.url}`, '{}', signed(with_, '{}'))),
        )
      ).map(({ status }) => status < 300);
    expect(await codes(secret)).toEqual([true, true]);
    const { secret: next } = await client.rotateWebhookSecret({ params });
    expect([await codes(secret), await codes(next)]).toEqual([
      [true, true],
      [true, true],
    ]);
    const { secret: last } = await client.rotateWebhookSecret({ params, body: { keepOldMs: 0 } });
    expect([await codes(secret), await codes(next), await codes(last)]).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ]);
    await client.changeWebhook({ params, body: { enabled: false } });
    expect(await codes(last)).toEqual([false, false]);
    for (const engine of pawl.engines) expect(engine.log()).not.toMatch(/whsec_/);
  });
});
