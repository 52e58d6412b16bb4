// Would catch: a credential whose value the page, an answer or the browser keeps after it was set; one that is set and not used; a screen
// that offers what only admins may.
import { randomBytes } from 'node:crypto';
import { type Client, createClient } from '@pawl/api';
import { createKey, createUser, DEFAULT_WORKSPACE_ID, openOrm } from '@pawl/run-store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { seriousIssues } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

const VALUE = 'hush-4711-hush';
const PASSWORD = 'correct horse battery';

let pawl: PawlWithLedger;
let admin: Client;
beforeAll(async () => {
  const env = { PAWL_AUTH: 'keys', PAWL_SECRET_KEY: randomBytes(32).toString('base64') };
  pawl = await startWithLedger({ workers: 1, env });
  const orm = await openOrm(pawl.databaseUrl, { maxConnections: 1 });
  const workspaceId = DEFAULT_WORKSPACE_ID;
  for (const role of ['admin', 'editor'] as const)
    await createUser(orm, { workspaceId, user: role, role, password: PASSWORD });
  const { key } = await createKey(orm, { workspaceId, name: 'tests', role: 'admin' });
  await orm.close();
  admin = createClient({ baseUrl: pawl.url, apiKey: key });
});
afterAll(async () => {
  await closeBrowser();
  await pawl?.stop();
});

async function openAs(name: string, path: string, options?: Parameters<typeof openPage>[0]) {
  const opened = await openPage(options);
  await opened.page.goto(`${pawl.url}${path}`);
  await opened.page.getByLabel('Name', { exact: true }).fill(name);
  await opened.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await opened.page.keyboard.press('Enter');
  await opened.page.getByRole('button', { name: new RegExp(`^${name}, `) }).waitFor();
  return opened;
}

it('V13: an admin sets one by keys alone, a call uses it, and nothing gives it back', async () => {
  const { page, trouble } = await openAs('admin', '/settings/credentials');
  const answers: string[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/v1/')) answers.push(await response.text().catch(() => ''));
  });
  await page.getByText('No credential is set yet.').waitFor();
  await page.getByRole('button', { name: 'Set a credential …' }).press('Enter');
  await page.getByLabel('Name', { exact: true }).fill('1WRONG');
  await page.getByText('begin with a letter or _').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('CRM_TOKEN');
  await page.getByText('{{ secrets.CRM_TOKEN }}').waitFor();
  await page.getByLabel('Value').fill(` ${VALUE} `);
  expect(await seriousIssues(page)).toEqual([]);
  await page.keyboard.press('Enter');
  const row = page.getByRole('row', { name: /CRM_TOKEN/ });
  await row.getByText('user:admin').waitFor();
  expect(await seriousIssues(page)).toEqual([]);

  const { runId } = await admin.tryTool({
    params: { tool: 'ledger.put@1' },
    body: { args: { what: '{{ secrets.CRM_TOKEN }}' } },
  });
  expect((await endOf({ client: admin }, runId)).run.status).toBe('succeeded');
  expect(pawl.ledger.of({ key: runId })[0]!.body).toEqual({ what: VALUE });

  await page.reload();
  await row.waitFor();
  const kept = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  expect(answers.join() + kept + (await page.content())).not.toContain(VALUE);
  await page.goto(`${pawl.url}/runs/${runId}?select=call`);
  await page.getByRole('article').getByText('done').first().waitFor();
  expect(answers.join() + (await page.content())).not.toContain(VALUE);
  // Before somebody signs in, who asks is told that nobody has.
  expect(trouble.filter((line) => !line.includes('401'))).toEqual([]);
});

it('is replaced and removed, each after it is said what follows', async () => {
  await admin.setCredential({ body: { name: 'SHOP_KEY', value: 'first' } });
  const { page } = await openAs('admin', '/settings/credentials');
  await page.getByRole('button', { name: 'Replace SHOP_KEY' }).click();
  await page.getByText('never shown again').waitFor();
  await page.getByLabel('Value').fill('second');
  await page.keyboard.press('Enter');
  const { items } = await admin.listCredentials();
  await expect
    .poll(async () => (await admin.listCredentials()).items.find(({ name }) => name === 'SHOP_KEY')?.setBy)
    .toBe('user:admin');
  expect(items.map(({ name }) => name)).toContain('SHOP_KEY');
  await page.getByRole('button', { name: 'Remove SHOP_KEY' }).click();
  await page.getByText('or fail where there is none').waitFor();
  await page.getByRole('button', { name: 'Remove credential' }).click();
  await expect.poll(() => page.getByRole('row', { name: /SHOP_KEY/ }).count()).toBe(0);
});

it('is the key of openai: where a worker opens it, as the models say', async () => {
  await admin.setCredential({ body: { name: 'OPENAI_API_KEY', value: 'sk-4711' } });
  const { page } = await openAs('admin', '/settings/models');
  await page.getByRole('region', { name: 'openai:' }).getByText('key of this workspace').waitFor();
  expect(await seriousIssues(page)).toEqual([]);
});

it('is nothing for an editor, who is told so', async () => {
  const { page } = await openAs('editor', '/settings/credentials');
  await page.getByRole('main').getByText(/admin/i).first().waitFor();
  expect(await page.getByRole('link', { name: 'Credentials' }).count()).toBe(0);
  expect(await page.evaluate<number>("fetch('/v1/credentials').then(({ status }) => status)")).toBe(403);
});

it('fits a phone, in the dark', async () => {
  const { page } = await openAs('admin', '/settings/credentials', {
    viewport: { width: 420, height: 900 },
    colorScheme: 'dark',
  });
  await page.getByRole('row', { name: /CRM_TOKEN/ }).waitFor();
  expect(await seriousIssues(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(420);
});
