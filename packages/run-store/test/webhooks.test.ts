// Which mistake would this catch? A secret that is told twice, one that opens after it was replaced, a webhook of somebody else.
import type { JsonObject } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  changeWebhook,
  createWebhook,
  DEFAULT_WORKSPACE_ID,
  deleteWebhook,
  findHook,
  forgetOld,
  getWebhook,
  listWebhooks,
  noteRefusal,
  publishFlow,
  rotateWebhookSecret,
} from '../src/index.ts';
import { addOtherWorkspace, OTHER_WORKSPACE_ID, openTestStore, type TestStore } from './support/seed.ts';

const workspaceId = DEFAULT_WORKSPACE_ID;
let store: TestStore;
let names = 0;
beforeAll(async () => {
  store = await openTestStore();
  await addOtherWorkspace(store.pool);
  const document = {
    format: 'pawl/1',
    name: 'f',
    nodes: [{ id: 'a', kind: 'transform', value: 1 }],
    edges: [],
  };
  await publishFlow(store.orm, { workspaceId, flow: 'f', document: document as unknown as JsonObject });
});
afterAll(() => store.close());

async function aWebhook(more: object = {}) {
  const webhook = `w${++names}`;
  const made = await createWebhook(store.orm, { workspaceId, spec: { name: webhook, flow: 'f', ...more } });
  return { ref: { workspaceId, webhook }, id: made.webhook.id, ...made };
}
const secretsFor = async (id: string) => (await findHook(store.pool, id))?.secrets;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error as { code: string }).code,
  );

describe('a webhook', () => {
  test('is made with what its preset says where nothing else is said', async () => {
    const { webhook, secret } = await aWebhook();
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
    expect(webhook).toMatchObject({
      preset: 'pawl',
      enabled: true,
      signatureHeader: 'pawl-signature',
      timestampHeader: 'pawl-timestamp',
      deliveryHeader: 'pawl-delivery',
      toleranceMs: 300_000,
      inputFrom: 'body',
      headers: [],
    });
    const github = await aWebhook({
      preset: 'github',
      deliveryHeader: 'x-event-id',
      secret: 'a secret of theirs',
    });
    expect(github).toMatchObject({
      secret: 'a secret of theirs',
      webhook: {
        signatureHeader: 'x-hub-signature-256',
        timestampHeader: null,
        deliveryHeader: 'x-event-id',
      },
    });
  });

  test('is found by its id as a delivery needs it, while it is on', async () => {
    const { ref, id, secret } = await aWebhook({ headers: ['x-a'], inputFrom: 'request' });
    expect(await findHook(store.pool, id)).toMatchObject({
      workspaceId,
      name: ref.webhook,
      flow: 'f',
      headers: ['x-a'],
      secrets: [secret],
    });
    await changeWebhook(store.orm, { ...ref, changes: { enabled: false } });
    expect(await findHook(store.pool, id)).toBeUndefined();
    await changeWebhook(store.orm, { ...ref, changes: { enabled: true } });
    expect(await findHook(store.pool, id.toUpperCase())).toBeDefined();
    await deleteWebhook(store.orm, ref);
    for (const odd of [id, 'no id', '\u0000']) expect(await findHook(store.pool, odd)).toBeUndefined();
  });

  test('changes in what is named only', async () => {
    const { ref, webhook } = await aWebhook({ headers: ['x-a'] });
    const changed = await changeWebhook(store.orm, {
      ...ref,
      changes: { toleranceMs: 1_000, timestampHeader: null },
    });
    expect({ ...changed, updatedAt: '' }).toEqual({
      ...webhook,
      toleranceMs: 1_000,
      timestampHeader: null,
      updatedAt: '',
    });
    expect(await codeOf(changeWebhook(store.orm, { ...ref, changes: { flow: 'none' } }))).toBe(
      'flow_not_found',
    );
  });

  test('keeps why a delivery was refused', async () => {
    const { ref, id } = await aWebhook();
    await noteRefusal(store.pool, id, { code: 'signature_invalid', message: 'No.' });
    expect((await getWebhook(store.orm, ref)).lastRefusal).toMatchObject({
      code: 'signature_invalid',
      message: 'No.',
    });
  });
});

describe('secrets', () => {
  test('the one before stays in force for its time, older ones end at once', async () => {
    const { ref, id, secret: first } = await aWebhook();
    const { secret: second, webhook } = await rotateWebhookSecret(store.orm, ref);
    expect(await secretsFor(id)).toEqual([second, first]);
    expect(webhook.secrets).toMatchObject([{}, { expiresAt: expect.any(String) }]);
    expect(webhook.secrets[0]!.expiresAt).toBeUndefined();
    const { secret: third } = await rotateWebhookSecret(store.orm, ref);
    expect(await secretsFor(id)).toEqual([third, second]);
    const { secret: fourth } = await rotateWebhookSecret(store.orm, { ...ref, keepOldMs: 0 });
    expect(await secretsFor(id)).toEqual([fourth]);
  });

  test('a replacement never gives an old one more time than it had', async () => {
    const { ref, id } = await aWebhook();
    const { secret: second } = await rotateWebhookSecret(store.orm, { ...ref, keepOldMs: 1_000 });
    await store.pool.query(
      "update webhook_secret set expires_at = now() - interval '1 second' where expires_at is not null",
    );
    expect(await secretsFor(id)).toEqual([second]);
    await forgetOld(store.pool);
    const { rows } = await store.pool.query('select 1 from webhook_secret where webhook_id = $1', [id]);
    expect(rows).toHaveLength(1);
  });

  test('V13: no reading of webhooks tells one', async () => {
    const { ref, secret } = await aWebhook();
    const { secret: next } = await rotateWebhookSecret(store.orm, ref);
    const read = JSON.stringify([
      await getWebhook(store.orm, ref),
      await listWebhooks(store.orm, { workspaceId, limit: 200 }),
    ]);
    expect(read).not.toContain(secret);
    expect(read).not.toContain(next);
  });
});

describe('a workspace', () => {
  test('lists its webhooks page by page', async () => {
    for (let i = 0; i < 3; i++) await aWebhook();
    const first = await listWebhooks(store.orm, { workspaceId, limit: 2, flow: 'f' });
    const rest = await listWebhooks(store.orm, { workspaceId, limit: 200, cursor: first.nextCursor! });
    const all = await listWebhooks(store.orm, { workspaceId, limit: 200 });
    expect([...first.items, ...rest.items]).toEqual(all.items);
    expect(await codeOf(listWebhooks(store.orm, { workspaceId, cursor: '\u0000' }))).toBe('cursor_invalid');
  });

  test('V14: sees and changes none of another', async () => {
    const { ref } = await aWebhook();
    const foreign = { ...ref, workspaceId: OTHER_WORKSPACE_ID };
    for (const work of [
      () => getWebhook(store.orm, foreign),
      () => changeWebhook(store.orm, { ...foreign, changes: { enabled: false } }),
      () => rotateWebhookSecret(store.orm, foreign),
      () => deleteWebhook(store.orm, foreign),
    ])
      expect(await codeOf(work())).toBe('webhook_not_found');
    expect((await listWebhooks(store.orm, { workspaceId: OTHER_WORKSPACE_ID })).items).toEqual([]);
    expect(await codeOf(aWebhook({ name: ref.webhook }))).toBe('webhook_exists');
    const theirs = { name: 'x', flow: 'f' };
    expect(await codeOf(createWebhook(store.orm, { workspaceId: OTHER_WORKSPACE_ID, spec: theirs }))).toBe(
      'flow_not_found',
    );
    expect(await getWebhook(store.orm, ref)).toMatchObject({ enabled: true });
  });
});
