// Would catch: a limit that is set otherwise than it was typed, a worker that lives and is not shown or has died and is, work that
// waits for nobody and looks served, a key that is shown.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, startFlow } from '../support/watch-run.ts';
import { seriousIssues } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

const KEY = 'sk-never-shown-4711';

let pawl: PawlWithLedger;
beforeAll(async () => {
  pawl = await startWithLedger({ workers: 1, env: { OPENAI_API_KEY: KEY, PAWL_RETENTION_DAYS: '30' } });
});
afterAll(async () => {
  await closeBrowser();
  await pawl?.stop();
});

const PHONE = { viewport: { width: 420, height: 900 }, colorScheme: 'dark' } as const;
const rowOf = (page: Page, table: string, name: string | RegExp) =>
  page
    .getByRole('table', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) });

describe('limits', () => {
  it('are set by keys, changed and removed, and are those that the API has', async () => {
    const { page, trouble } = await openPage();
    await page.goto(`${pawl.url}/settings/limits`);
    await page.getByText('No limit is set').waitFor();
    await page.getByRole('button', { name: 'Set a limit …' }).press('Enter');
    await page.getByRole('button', { name: 'Set limit' }).press('Enter');
    await page.getByText('Expected a model such as').waitFor();
    await page.getByText('Give at least one number').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByLabel('Target').fill('ledger.put@*');
    await page.getByLabel('Calls in the window').fill('1200');
    await page.getByLabel('Window').last().fill('30');
    await page.getByLabel('Unit').selectOption('seconds');
    await page.getByLabel('Calls at once').fill('8');
    await page.keyboard.press('Enter');
    const row = rowOf(page, 'Limits', 'ledger.put@*');
    await row.getByText('1,200 calls in 30 seconds · 8 at once').waitFor();
    await row.getByText('0 under way, 0 in line').waitFor();
    const own = { target: 'ledger.put@*', requests: 1_200, windowMs: 30_000, concurrency: 8 };
    expect((await pawl.client.listLimits()).items).toMatchObject([own]);

    await page.getByRole('button', { name: 'Change the limit of ledger.put@*' }).click();
    await page.getByLabel('Calls in the window').fill('');
    await page.getByRole('button', { name: 'Set limit' }).click();
    await row.getByText('8 at once').waitFor();
    await expect.poll(() => row.getByText('1,200').count()).toBe(0);
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove the limit of ledger.put@*' }).click();
    await page.getByRole('button', { name: 'Remove limit' }).click();
    await page.getByText('No limit is set').waitFor();
    expect((await pawl.client.listLimits()).items).toEqual([]);
    expect(trouble).toEqual([]);
  });
});

describe('workers and queues', () => {
  it('shows what a worker has in hand, work of a pool that nobody serves, and workers as they come', async () => {
    const held = gate();
    pawl.ledger.script({ op: 'put' }, { hold: held.opened });
    const busy = await startFlow(pawl, [call('slow', 'put')], { name: 'busy' });
    await pawl.ledger.arrived(1, { key: busy });
    const stuck = await startFlow(pawl, [call('rare', 'put', { pool: 'rare' })], { name: 'stuck' });
    const { page } = await openPage();
    await page.goto(`${pawl.url}/settings/workers`);
    const [first] = pawl.workers;
    const worker = page.getByRole('listitem', { name: new RegExp(`process ${first!.pid}$`) });
    await worker.getByText('Has 1 node run in hand:').waitFor();
    await worker.getByText(/models of .*openai.*/).waitFor();
    await rowOf(page, 'Pools and queue', 'rare').getByText('nobody serves it').waitFor();
    await rowOf(page, 'Pools and queue', 'rare').getByText('1 node runs').waitFor();
    expect(await seriousIssues(page)).toEqual([]);

    const rare = await pawl.startWorker({ PAWL_POOLS: 'rare' });
    await rowOf(page, 'Pools and queue', 'rare').getByText('1 worker').waitFor();
    const other = page.getByRole('listitem', { name: new RegExp(`process ${rare.pid}$`) });
    await other.waitFor();
    await endOf(pawl, stuck);
    rare.kill('SIGTERM');
    await other.waitFor({ state: 'detached' });
    held.open();
    await endOf(pawl, busy);
    await worker.getByText('Has nothing in hand.').waitFor();
    await worker.getByText('lives').waitFor();
  });

  it('leads from what a worker has in hand to the very node run', async () => {
    const held = gate();
    pawl.ledger.script({ op: 'put' }, { hold: held.opened });
    const runId = await startFlow(pawl, [call('slow', 'put')], { name: 'busy-again' });
    await pawl.ledger.arrived(1, { key: runId });
    const { page } = await openPage();
    await page.goto(`${pawl.url}/settings/workers`);
    await page.getByRole('link', { name: 'busy-again · slow' }).press('Enter');
    await page.waitForURL(`**/runs/${runId}?select=slow`);
    held.open();
    await endOf(pawl, runId);
  });
});

describe('models', () => {
  it('are shown with their prices and who can call them, and never with a key', async () => {
    const { page } = await openPage();
    const bodies: string[] = [];
    page.on('response', async (response) => {
      if (response.url().includes('/v1/')) bodies.push(await response.text().catch(() => ''));
    });
    await page.goto(`${pawl.url}/settings/models`);
    const openai = page.getByRole('region', { name: 'openai:' });
    await openai.getByText('configured in 1 worker').waitFor();
    await openai.getByText('genai-prices-').first().waitFor();
    await openai.getByText('OPENAI_API_KEY').waitFor();
    await page.getByRole('region', { name: 'compatible:' }).getByText('not configured').waitFor();
    await page.getByRole('region', { name: 'sim:' }).getByText('Answers without a network').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    expect(bodies.join()).toContain('openai');
    expect(`${bodies.join()}${await page.content()}`).not.toContain(KEY);
  });
});

describe('credentials', () => {
  it('cannot be set without a key to seal them with, and the screen says how to give one', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/settings/credentials`);
    await page.getByText('export PAWL_SECRET_KEY=$(openssl rand -hex 32)').waitFor();
    expect(await page.getByRole('button', { name: 'Set a credential …' }).isDisabled()).toBe(true);
    expect(await seriousIssues(page)).toEqual([]);
  });
});

describe('retention', () => {
  it('is told as the environment says it', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/settings/retention`);
    await rowOf(page, 'Retention', 'Runs, after the month of their creation').getByText('30 days').waitFor();
    await rowOf(page, 'Retention', 'Receipts of effects').getByText('for ever').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
  });
});

it.each(['models', 'credentials', 'limits', 'workers', 'retention'])(
  '%s fits a phone, in the dark',
  async (part) => {
    const { page } = await openPage(PHONE);
    await page.goto(`${pawl.url}/settings/${part}`);
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await expect.poll(() => page.getByText('Loading').count()).toBe(0);
    expect(await seriousIssues(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(420);
  },
);
