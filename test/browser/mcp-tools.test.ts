// Would catch: a server that is away and looks as if it were there, a proposed class that is shown as the one that counts, a line to
// confirm that confirms nothing.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ledger, startLedger } from '../support/ledger.ts';
import { type McpHttp, startMcpHttp } from '../support/mcp-http.ts';
import { ordersServer } from '../support/mcp-orders.ts';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { seriousIssues } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

let pawl: Pawl;
let ledger: Ledger;
let http: McpHttp;

/** Where nobody listens any more. */
let nobody: string;
const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'zh-CN' } as const;

const startWorker = (effects: object = {}) =>
  pawl.startWorker({
    PAWL_MCP_SERVERS: JSON.stringify({ archive: { url: nobody }, orders: { url: http.url, effects } }),
  });
const toolsOfServer = async () => (await pawl.client.listTools()).items.filter(({ mcp }) => mcp);

beforeAll(async () => {
  ledger = await startLedger();
  http = await startMcpHttp(() => ordersServer({ ledgerUrl: ledger.url }).server);
  const gone = await startMcpHttp(() => ordersServer({ ledgerUrl: ledger.url }).server);
  nobody = gone.url;
  await gone.close();
  pawl = await startPawl({ workers: 0 });
  await startWorker();
});

afterAll(async () => {
  await closeBrowser();
  await pawl?.stop();
  await http?.close();
  await ledger?.close();
});

const serverOf = (page: Page, name: string) =>
  page.getByRole('region', { name: 'MCP servers' }).getByRole('listitem').filter({ hasText: name });
const row = (page: Page, tool: string) => page.getByRole('row').filter({ hasText: `mcp.orders.${tool}@1` });

describe('MCP servers on the Tools screen', () => {
  it('are listed with how they stand, and pressing one lists its tools alone, which the address keeps', async () => {
    const { page, trouble } = await openPage();
    await page.goto(`${pawl.url}/tools`);
    await expect.poll(() => serverOf(page, 'orders').textContent()).toContain('6 classes to confirm');
    expect(await serverOf(page, 'orders').textContent()).toContain('connected');
    const archive = await serverOf(page, 'archive').textContent();
    expect(archive).toContain('away');
    expect(archive).toContain('ECONNREFUSED');
    await page.getByRole('button', { name: 'orders 6' }).press('Enter');
    await page.waitForURL(/server=orders/);
    const listed = () =>
      page.getByRole('table', { name: 'Tools' }).locator('tbody th code').allTextContents();
    await expect.poll(listed).toHaveLength(6);
    expect(await row(page, 'find_order').textContent()).toContain('not confirmed; proposed: changes nothing');
    expect(await row(page, 'find_order').textContent()).toContain('non-repeatable');
    await page.reload();
    await expect.poll(listed).toHaveLength(6);
    expect(await seriousIssues(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it('M2: a tool says what its server says of it, and the line that is copied confirms the class that was chosen', async () => {
    const { page, context } = await openPage();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${pawl.url}/tools/mcp.orders.set_state@1`);
    const part = page.getByRole('region', { name: 'From an MCP server' });
    await part.getByText('It may destroy or overwrite.').waitFor();
    expect(await part.textContent()).toContain('Repeating it with the same arguments changes nothing more.');
    await part.getByText('nothing yet').waitFor();
    expect(await part.getByRole('radio', { name: /^idempotent/ }).isChecked()).toBe(true);
    expect(await seriousIssues(page)).toEqual([]);
    await part.getByRole('button', { name: 'Copy' }).press('Enter');
    await part.getByText('Copied').waitFor();
    const copied = JSON.parse((await page.evaluate('navigator.clipboard.readText()')) as string);
    pawl.workers[0]!.kill('SIGKILL');
    await startWorker(copied.orders.effects);
    await expect
      .poll(async () => (await toolsOfServer()).find(({ name }) => name === 'mcp.orders.set_state'))
      .toMatchObject({ effect: 'idempotent' });
    await page.reload();
    await expect.poll(() => part.textContent()).not.toContain('nothing yet');
    expect(await part.getByRole('radio').count()).toBe(0);
  });

  it('M3: a confirmation that has lapsed says what it was, and what to do', async () => {
    const definition = '0'.repeat(64);
    pawl.workers.at(-1)!.kill('SIGKILL');
    await startWorker({ findOrder: { effect: 'pure', definition } });
    await expect
      .poll(async () => (await toolsOfServer()).find(({ name }) => name === 'mcp.orders.find_order'))
      .toMatchObject({ mcp: { lapsed: 'pure' } });
    const { page } = await openPage();
    await page.goto(`${pawl.url}/tools?server=orders`);
    await row(page, 'find_order').getByText('confirmation lapsed').waitFor();
    await page.getByRole('link', { name: 'Find an order' }).click();
    await page.getByText('It was confirmed as “changes nothing”').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
  });

  it('fit a phone, in the dark and in Chinese', async () => {
    const { page } = await openPage(PHONE);
    await page.goto(`${pawl.url}/tools`);
    await page.getByRole('region', { name: 'MCP 服务器' }).getByText('已连接').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.goto(`${pawl.url}/tools/mcp.orders.find_order@1`);
    await page.getByText('它不改变任何东西。').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});
