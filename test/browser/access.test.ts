// Would catch: a screen that shows what somebody may not see, that offers what their role may not do, or that loses work when a session
// ends; a sign-in that needs a mouse or a wide screen.
import { type Client, createClient } from '@pawl/api';
import type { Role } from '@pawl/dag-core';
import { createKey, createUser, DEFAULT_WORKSPACE_ID, openOrm } from '@pawl/run-store';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { seriousIssues } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

const PASSWORD = 'correct horse battery';
const ROLES: readonly Role[] = ['viewer', 'operator', 'editor', 'admin'];
const flow = {
  format: 'pawl/1',
  name: 'ask',
  title: 'Ask somebody',
  nodes: [{ id: 'may', kind: 'approval', subject: 'May we?' }],
  edges: [],
};

let pawl: Pawl;
let admin: Client;

beforeAll(async () => {
  pawl = await startPawl({ env: { PAWL_AUTH: 'keys' } });
  const orm = await openOrm(pawl.databaseUrl, { maxConnections: 1 });
  const workspaceId = DEFAULT_WORKSPACE_ID;
  for (const role of ROLES) await createUser(orm, { workspaceId, user: role, role, password: PASSWORD });
  const { key } = await createKey(orm, { workspaceId, name: 'tests', role: 'admin' });
  await orm.close();
  admin = createClient({ baseUrl: pawl.url, apiKey: key });
  await admin.publishFlow({ params: { flow: 'ask' }, body: flow as never });
});

afterAll(async () => {
  await closeBrowser();
  await pawl?.stop();
});

const aRun = async () => (await admin.startRun({ body: { flow: 'ask', input: {} }, headers: {} })).runId;

async function fillIn(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

/** A page at an address, of somebody who has just signed in there. */
async function openAs(name: string, path: string, options?: Parameters<typeof openPage>[0]) {
  const opened = await openPage(options);
  await opened.page.goto(`${pawl.url}${path}`);
  await fillIn(opened.page, name);
  await opened.page.getByRole('button', { name: new RegExp(`^${name}, `) }).waitFor();
  return opened;
}

/** What the engine answers to a request that the page itself sends. */
const statusOf = (page: Page, method: string, path: string): Promise<number> =>
  page.evaluate(
    ([how, where]) =>
      fetch(where!, {
        method: how!,
        ...(how === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: '{}' }),
      }).then(({ status }) => status),
    [method, path],
  );

describe('signing in', () => {
  it('leads to the address that was asked for, tells what went wrong, and leads out again', async () => {
    const { page, context } = await openPage();
    await page.goto(`${pawl.url}/runs?status=failed`);
    await page.getByRole('heading', { name: 'Sign in to Pawl' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await seriousIssues(page)).toEqual([]);
    await fillIn(page, 'viewer', 'wrong, though long');
    await page.getByText('Name and password do not fit.').waitFor();
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
    await fillIn(page, 'Viewer');
    await page.getByText('No run fits these filters.').waitFor();
    const cookies = await context.cookies();
    expect(cookies).toMatchObject([{ name: 'pawl_session', httpOnly: true, sameSite: 'Strict' }]);

    await page.getByRole('button', { name: 'viewer, Viewer' }).click();
    await page.getByText('workspace default').waitFor();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Pawl' }).waitFor();
    expect(await context.cookies()).toEqual([]);
  });

  it('works with an API key, which then is who is signed in', async () => {
    const { key } = await admin.createKey({ body: { name: 'desk', role: 'operator' } });
    const { page } = await openPage();
    await page.goto(`${pawl.url}/settings/account`);
    await page.getByRole('button', { name: 'Sign in with an API key' }).click();
    await page.getByLabel('API key').fill('pawl_not-a-key-of-anybody');
    await page.keyboard.press('Enter');
    await page.getByText('This key is not in force here.').waitFor();
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByText('with an API key').waitFor();
    await page.getByRole('button', { name: 'desk, Operator' }).waitFor();
  });

  it('fits a phone, in the dark and in Chinese', async () => {
    const { page } = await openPage({
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      locale: 'zh-CN',
    });
    await page.goto(`${pawl.url}/flows`);
    await page.getByRole('heading', { name: '登录 Pawl' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await seriousIssues(page)).toEqual([]);
  });
});

describe('a viewer', () => {
  it('sees everything, is offered nothing to change, and is told why', async () => {
    const runId = await aRun();
    const { page } = await openAs('viewer', '/flows');
    const why = 'This needs the role Editor or more; yours is Viewer.';
    const create = page.getByRole('button', { name: 'New flow …' });
    expect([await create.isDisabled(), await create.getAttribute('title')]).toEqual([true, why]);
    expect(await page.getByRole('button', { name: 'Run Ask somebody' }).isDisabled()).toBe(true);
    expect(await seriousIssues(page)).toEqual([]);

    await page.getByRole('link', { name: 'Ask somebody', exact: true }).click();
    await page.waitForURL(`${pawl.url}/flows/ask/versions`);
    await page.getByText(`You can look at this flow, not change it. ${why}`).waitFor();
    expect(await page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);

    await page.goto(`${pawl.url}/runs/${runId}`);
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);

    await page.goto(`${pawl.url}/runs`);
    await page.getByRole('checkbox', { name: `Choose run ${runId.slice(-8)}` }).check();
    const cancel = page.getByRole('button', { name: 'Cancel …' });
    expect([await cancel.isDisabled(), await cancel.getAttribute('title')]).toEqual([
      true,
      'This needs the role Operator or more; yours is Viewer.',
    ]);

    await page.goto(`${pawl.url}/inbox`);
    await page.getByRole('listitem').getByText('May we?').first().click();
    await page.getByText('This needs the role Operator or more; yours is Viewer.').waitFor();
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).isDisabled()).toBe(true);

    await page.goto(`${pawl.url}/settings/members`);
    await page.getByText('This needs the role Admin or more; yours is Viewer.').waitFor();
    expect(await page.getByRole('link', { name: 'Members' }).count()).toBe(0);
  });

  it('is refused by the engine, whatever a page asks for', async () => {
    const runId = await aRun();
    const { page } = await openAs('viewer', '/flows');
    for (const [method, path] of [
      ['POST', '/v1/runs'],
      ['POST', `/v1/runs/${runId}/cancel`],
      ['PUT', '/v1/flows/ask/draft'],
      ['POST', '/v1/flows/ask/publish'],
      ['GET', '/v1/users'],
      ['POST', '/v1/keys'],
    ])
      expect([method, path, await statusOf(page, method!, path!)]).toEqual([method, path, 403]);
    expect(await statusOf(page, 'GET', `/v1/runs/${runId}`)).toBe(200);
  });

  it('follows a run as it goes, and downloads, with the cookie alone', async () => {
    const runId = await aRun();
    const { page } = await openAs('viewer', `/runs/${runId}`);
    await page.getByRole('banner').getByText('Waiting').waitFor();
    await admin.cancelRun({ params: { runId }, body: {} });
    await page.getByRole('banner').getByText('Cancelled').waitFor();
    await page.goto(`${pawl.url}/flows`);
    await page.getByRole('button', { name: 'More for Ask somebody' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export as JSON' }).click();
    expect((await download).suggestedFilename()).toBe('ask.json');
  });
});

describe('an operator', () => {
  it('starts a run and answers for it, under the own name, and cannot draw', async () => {
    const { page } = await openAs('operator', '/flows');
    expect(await page.getByRole('button', { name: 'New flow …' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Run Ask somebody' }).click();
    await page.getByRole('button', { name: 'Start run', exact: true }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    const runId = new URL(page.url()).pathname.split('/').at(-1)!;
    let question = '';
    await expect
      .poll(async () => {
        question = (await admin.listInbox({ query: { runId } })).items[0]?.question ?? '';
        return question;
      })
      .not.toBe('');
    await page.goto(`${pawl.url}/inbox?question=${question}`);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('status').getByText('Approve · by user:operator').waitFor();
    const { events } = await admin.readEvents({ params: { runId }, query: {}, headers: {} });
    expect(events[0]!.data).toMatchObject({ by: 'user:operator' });
  });
});

describe('an editor', () => {
  it('draws; when the session ends in the middle of it, nothing is lost, and signing in again goes on', async () => {
    const { page } = await openAs('editor', '/flows');
    await page.getByRole('button', { name: 'New flow …' }).click();
    await page.getByLabel('Title').fill('Drawn');
    await page.getByRole('button', { name: 'Create flow' }).click();
    await page.waitForURL(`${pawl.url}/flows/drawn`);
    await page.getByRole('status').getByText('Saved').waitFor();

    await admin.changeUser({ params: { user: 'editor' }, body: { password: 'another horse battery' } });
    await page.getByRole('searchbox').or(page.getByRole('combobox')).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('transform');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByLabel('Password', { exact: true }).fill('another horse battery');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' });
    await page.getByRole('status').getByText('Saved').waitFor();
    const { document } = await admin.getFlow({ params: { flow: 'drawn' } });
    expect((document as { nodes: unknown[] }).nodes).toHaveLength(1);
    await admin.changeUser({ params: { user: 'editor' }, body: { password: PASSWORD } });
  });

  it('changes the own password, which ends the other sessions, and signs out everywhere', async () => {
    await admin.createUser({ body: { name: 'ada', role: 'editor', password: PASSWORD } });
    const other = await openAs('ada', '/flows');
    const { page } = await openAs('ada', '/settings/account');
    await page.getByLabel('Current password').fill('wrong, though long');
    await page.getByLabel('New password').fill('another horse battery');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('This is not your current password.').waitFor();
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed.').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await other.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await other.page.getByLabel('Password', { exact: true }).fill('another horse battery');
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'Sign in to Pawl' }).waitFor();
    await other.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  });
});

describe('an admin', () => {
  it('adds a member, gives another role and another password, and removes the member', async () => {
    const { page } = await openAs('admin', '/settings/members');
    const row = page.getByRole('row', { name: /^bob@example.com/ });
    await page.getByRole('button', { name: 'Add member …' }).click();
    await page.getByLabel('Name', { exact: true }).fill('admin');
    await page.getByText('There already is a member of this name.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('bob@example.com');
    await page.getByRole('dialog').getByRole('combobox').selectOption('viewer');
    await page.getByLabel('Password to begin with').fill(PASSWORD);
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add member', exact: true }).click();
    await row.waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    const own = page.getByRole('row', { name: /^admin/ });
    expect(await own.getByRole('combobox').isDisabled()).toBe(true);

    const bob = await openAs('bob@example.com', '/flows');
    await row.getByRole('combobox').selectOption('editor');
    await expect
      .poll(async () => (await admin.listUsers()).items.find(({ name }) => name.startsWith('bob'))?.role)
      .toBe('editor');
    await bob.page.reload();
    await bob.page.getByRole('button', { name: 'bob@example.com, Editor' }).waitFor();
    await admin.changeUser({ params: { user: 'bob@example.com' }, body: { role: 'viewer' } });
    await bob.page.getByRole('button', { name: 'New flow …' }).click();
    await bob.page.getByLabel('Title').fill('Too late');
    await bob.page.getByRole('button', { name: 'Create flow' }).click();
    await bob.page.getByText('The role viewer may not do this: expected editor or more').waitFor();
    await bob.page.getByRole('button', { name: 'bob@example.com, Viewer', includeHidden: true }).waitFor();
    await bob.page.keyboard.press('Escape');

    await row.getByRole('button', { name: 'Reset password of bob@example.com' }).click();
    await page.getByRole('button', { name: 'Make a new password' }).click();
    const password = await page.getByRole('dialog').locator('code').textContent();
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await bob.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await bob.page.getByLabel('Password', { exact: true }).fill(password!);
    await bob.page.keyboard.press('Enter');
    await bob.page.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' });

    await row.getByRole('button', { name: 'Remove bob@example.com' }).click();
    await page.getByRole('button', { name: 'Remove member' }).click();
    await row.waitFor({ state: 'detached' });
    await bob.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  });

  it('creates a key, which is shown once, and revokes it', async () => {
    const { page } = await openAs('admin', '/settings/keys');
    await page.getByRole('button', { name: 'Create key …' }).click();
    await page.getByLabel('Name', { exact: true }).fill('nightly');
    await page.getByRole('dialog').getByRole('combobox').selectOption('viewer');
    await page.getByRole('button', { name: 'Create key', exact: true }).click();
    const key = await page.getByRole('dialog', { name: 'The key nightly' }).locator('code').textContent();
    await page.getByRole('button', { name: 'I have kept it' }).click();
    const client = createClient({ baseUrl: pawl.url, apiKey: key! });
    expect(await client.whoAmI()).toMatchObject({ by: 'key:nightly', role: 'viewer' });
    await page.reload();
    const row = page.getByRole('row', { name: /^nightly/ });
    await row.waitFor();
    expect(await row.textContent()).not.toContain('never');
    expect(await page.content()).not.toContain(key!.slice(12));
    expect(await seriousIssues(page)).toEqual([]);
    await row.getByRole('button', { name: 'Revoke nightly' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await row.getByText('Revoked').waitFor();
    await expect(client.whoAmI()).rejects.toMatchObject({ code: 'api_key_invalid' });
  });

  it('does all of it on a phone', async () => {
    const { page } = await openAs('admin', '/settings/members', {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await page.getByRole('row', { name: /^viewer/ }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await seriousIssues(page)).toEqual([]);
  });
});
