// Which mistake would this catch? A secret that ends up where others read it, or a webhook made otherwise than was typed.
import { afterEach, describe, expect, test } from 'vitest';
import type { Webhook } from '../../src/api-types.ts';
import { type FakeEngine, type Handlers, problem, startFakeEngine } from '../support/fake-engine.ts';
import { type Ran, runPawl } from '../support/run-pawl.ts';
import { at } from '../support/samples.ts';

let engine: FakeEngine | undefined;
afterEach(async () => {
  expect(engine?.breaches ?? []).toEqual([]);
  await engine?.close();
});

async function pawl(handlers: Handlers, words: string[], stdin = ''): Promise<Ran> {
  await engine?.close();
  engine = await startFakeEngine(handlers);
  return runPawl(['webhook', ...words], { stdin, env: { PAWL_URL: engine.url } });
}

const ID = '0197f0a0-0000-7000-8000-000000000009';
const SECRET = 'whsec_0123456789abcdef';
const aWebhook = (changes: Partial<Webhook> = {}): Webhook => ({
  name: 'orders',
  id: ID,
  url: `/v1/hooks/${ID}`,
  flow: 'fulfil',
  preset: 'pawl',
  enabled: true,
  signatureHeader: 'pawl-signature',
  timestampHeader: 'pawl-timestamp',
  deliveryHeader: 'pawl-delivery',
  toleranceMs: 300_000,
  inputFrom: 'body',
  headers: [],
  secrets: [{ createdAt: at(60) }],
  createdAt: at(60),
  updatedAt: at(60),
  ...changes,
});
const made = () => ({ status: 201, body: { webhook: aWebhook(), secret: SECRET } });

describe('pawl webhook create and rotate', () => {
  test('the address and the secret are printed, and what was typed is sent', async () => {
    const settings = ['--delivery-header', 'X-Event-Id', '--timestamp-header', 'none', '--tolerance', '10m'];
    const ran = await pawl({ createWebhook: made }, [
      ...['create', 'orders', '--flow', 'fulfil', '--preset', 'github'],
      ...settings,
      ...['--input-from', 'request', '--header', 'X-A', '--header', 'X-B'],
    ]);
    expect(ran).toMatchObject({ exitCode: 0, out: `/v1/hooks/${ID}\n${SECRET}\n` });
    expect(ran.err).toContain('shown this once');
    expect(engine!.calls[0]!.body).toEqual({
      name: 'orders',
      flow: 'fulfil',
      preset: 'github',
      deliveryHeader: 'X-Event-Id',
      timestampHeader: null,
      toleranceMs: 600_000,
      inputFrom: 'request',
      headers: ['X-A', 'X-B'],
    });
  });

  test('a secret of one’s own comes by standard input and is not printed', async () => {
    const ran = await pawl(
      { createWebhook: made },
      ['create', 'orders', '--flow', 'f', '--secret', '-'],
      `${SECRET}\n`,
    );
    expect(ran).toEqual({ exitCode: 0, out: `/v1/hooks/${ID}\n`, err: '' });
    expect(engine!.calls[0]!.body).toMatchObject({ secret: SECRET });
    const typed = await pawl({}, ['create', 'orders', '--flow', 'f', '--secret', SECRET]);
    expect(typed.exitCode).toBe(2);
    expect(typed.err).toContain('standard input');
    expect(engine!.calls).toEqual([]);
  });

  test('a rotation tells the new secret, and how long the old one stays', async () => {
    const rotated = () => ({ body: { webhook: aWebhook(), secret: SECRET } });
    const ran = await pawl({ rotateWebhookSecret: rotated }, ['rotate', 'orders', '--keep-old', '2h']);
    expect(ran.out).toContain(SECRET);
    expect(engine!.calls[0]).toMatchObject({ params: { webhook: 'orders' }, body: { keepOldMs: 7_200_000 } });
  });
});

describe('pawl webhook list, show, change, pause, resume, delete', () => {
  test('listed with the address, or off, and why the last delivery was refused', async () => {
    const lastRefusal = { code: 'signature_invalid', message: 'No.', at: at(90) };
    const items = [aWebhook({ lastRefusal }), aWebhook({ name: 'pushes', enabled: false, preset: 'github' })];
    const ran = await pawl({ listWebhooks: () => ({ body: { items } }) }, ['list']);
    expect(ran.out).toMatch(new RegExp(`^orders .*/v1/hooks/${ID} +pawl +signature_invalid 1 min ago$`, 'm'));
    expect(ran.out).toMatch(/^pushes .* off +github$/m);
  });

  test('shown without its secrets', async () => {
    const secrets = [{ createdAt: at(60) }, { createdAt: at(9_000), expiresAt: '2026-01-03T00:00:00.000Z' }];
    const ran = await pawl({ getWebhook: () => ({ body: aWebhook({ secrets }) }) }, ['show', 'orders']);
    expect(ran.out).toContain('time       pawl-timestamp, within 5 min 00 s\n');
    expect(ran.out).toContain('made 1 min ago, made 2 h ago, until 2026-01-03T00:00:00.000Z\n');
  });

  test('each says what came of it', async () => {
    const off = aWebhook({ enabled: false });
    expect((await pawl({ changeWebhook: () => ({ body: off }) }, ['pause', 'orders'])).out).toBe(
      'orders off\n',
    );
    expect(engine!.calls[0]!.body).toEqual({ enabled: false });
    expect((await pawl({ changeWebhook: () => ({ body: aWebhook() }) }, ['resume', 'orders'])).out).toContain(
      '/v1/hooks/',
    );
    await pawl({ changeWebhook: () => ({ body: aWebhook() }) }, ['change', 'orders', '--flow', 'g']);
    expect(engine!.calls[0]!.body).toEqual({ flow: 'g' });
    expect(await pawl({}, ['change', 'orders'])).toMatchObject({ exitCode: 2 });
    expect((await pawl({ deleteWebhook: () => ({ body: off }) }, ['delete', 'orders'])).out).toBe(
      'deleted orders\n',
    );
    const gone = await pawl({ getWebhook: () => problem('webhook_not_found', 'There is none.') }, [
      'show',
      'x',
    ]);
    expect(gone.exitCode).toBe(4);
  });
});
