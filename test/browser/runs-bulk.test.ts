// Would catch: an action on many runs that begins before it was asked about, reaches a run that nobody chose or saw, hides what refused,
// or needs a mouse or a wide screen.
import type { NodeConfig } from '@pawl/dag-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, publishFlow, startFlow } from '../support/watch-run.ts';
import { seriousIssues } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';
import { focusByTab } from './support/keys.ts';

let pawl: PawlWithLedger;

beforeAll(async () => {
  pawl = await startWithLedger();
});

afterAll(async () => {
  await closeBrowser();
  await pawl?.stop();
});

const ask: NodeConfig = { id: 'ask', kind: 'approval', subject: 'May we?' } as NodeConfig;

/** A run of the flow that waits for its person. */
async function waiting(flow: string): Promise<string> {
  const { runId } = await pawl.client.startRun({ body: { flow } });
  await expect.poll(() => statusOf(runId)).toBe('waiting');
  return runId;
}

const statusOf = async (runId: string) => (await pawl.client.getRun({ params: { runId } })).status;

const tick = (page: Page, runId: string) =>
  page.getByRole('checkbox', { name: `Choose run ${runId.slice(-8)}` }).check();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

describe('many runs at once', () => {
  it('counts what is ticked, says what is left alone, and cancels only when that is confirmed', async () => {
    const flow = await publishFlow(pawl, [ask]);
    const runs = [await waiting(flow), await waiting(flow), await waiting(flow)];
    const ended = await startFlow(pawl, [{ id: 'a', kind: 'transform', value: 1 }]);
    await endOf(pawl, ended);
    const { page, trouble } = await openPage();
    await page.goto(`${pawl.url}/runs`);
    for (const runId of [runs[0]!, runs[1]!, ended]) await tick(page, runId);
    await page.getByText('3 runs chosen').waitFor();
    await press(page, 'Cancel …');
    await dialog(page, 'Cancel 2 runs?').getByText('1 chosen run is left alone.').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await press(page, 'Leave as they are');
    await dialog(page, 'Cancel 2 runs?').waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(page, 'Cancel …')).toBe(true);
    expect(await Promise.all(runs.map(statusOf))).toEqual(['waiting', 'waiting', 'waiting']);

    await press(page, 'Cancel …');
    await page.getByLabel('Reason (optional)').fill('ordered twice');
    await press(page, 'Cancel 2 runs');
    await dialog(page, '2 runs were asked to stop').getByText('None refused.').waitFor();
    await press(page, 'Close');
    const { run, events } = await endOf(pawl, runs[0]!);
    expect(run.status).toBe('cancelled');
    expect(events.find(({ type }) => type === 'run.cancelRequested')).toMatchObject({
      data: { reason: 'ordered twice' },
    });
    expect((await endOf(pawl, runs[1]!)).run.status).toBe('cancelled');
    expect([await statusOf(runs[2]!), await statusOf(ended)]).toEqual(['waiting', 'succeeded']);
    expect(trouble).toEqual([]);
  });

  it('pauses by keys alone all that fit the filters, and none that starts meanwhile', async () => {
    const flow = await publishFlow(pawl, [ask]);
    const runs = [await waiting(flow), await waiting(flow)];
    const bystander = await waiting(await publishFlow(pawl, [ask]));
    const { page } = await openPage();
    await page.goto(`${pawl.url}/runs?flow=${flow}&status=waiting`);
    for (const runId of runs) await page.getByRole('link', { name: runId.slice(-8) }).waitFor();
    await focusByTab(page, 'Choose all runs that fit the filters');
    await page.keyboard.press('Space');
    await page.getByText('All runs that fit the filters are chosen').waitFor();
    await focusByTab(page, 'Pause …', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await dialog(page, 'Pause 2 runs?').waitFor();
    const late = await waiting(flow);
    await focusByTab(page, 'Pause 2 runs');
    await page.keyboard.press('Enter');
    await dialog(page, '2 runs are paused').waitFor();
    expect(await Promise.all([...runs, late, bystander].map(statusOf))).toEqual([
      'paused',
      'paused',
      'waiting',
      'waiting',
    ]);
    await focusByTab(page, 'Close');
    await page.keyboard.press('Enter');

    await page.goto(`${pawl.url}/runs?flow=${flow}&status=paused`);
    await page.getByRole('checkbox', { name: 'Choose all runs that fit the filters' }).check();
    await press(page, 'Pause …');
    await dialog(page, 'There is nothing to pause').waitFor();
    await press(page, 'Close');
    await press(page, 'Resume …');
    await press(page, 'Resume 2 runs');
    await dialog(page, '2 runs go on').waitFor();
    await page.getByText('No run fits these filters.').waitFor();
    await press(page, 'Close');
    // What had the focus is gone with the runs that were chosen.
    await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('table');
  });

  it('tries again what failed, and tells of each run that refused why', async () => {
    pawl.ledger.script({ op: 'charge' }, { status: 422, message: 'no such account' });
    const failed = await startFlow(pawl, [call('pay', 'charge', { onError: { do: 'pause' } })]);
    await expect
      .poll(async () => (await pawl.client.listInbox({ query: { runId: failed } })).items.length)
      .toBe(1);
    const asking = await waiting(await publishFlow(pawl, [ask]));
    const { page } = await openPage({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    await page.goto(`${pawl.url}/runs`);
    await tick(page, failed);
    await tick(page, asking);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await press(page, 'Try again …');
    const asks = dialog(page, 'Try again what failed in 2 runs?');
    await asks.getByRole('listitem').filter({ hasText: 'ledger.charge@1' }).getByText('1 call').waitFor();
    expect(await asks.getByRole('listitem').count()).toBe(1);
    await press(page, 'Try again in 2 runs');
    const told = dialog(page, '1 run tries again');
    const row = told.getByRole('listitem').filter({ hasText: asking.slice(-8) });
    await row.getByText('Nothing in it waits for a person after a failure.').waitFor();
    expect(await told.getByRole('listitem').count()).toBe(1);
    expect(await seriousIssues(page)).toEqual([]);
    expect((await endOf(pawl, failed)).run.status).toBe('succeeded');
    expect(await statusOf(asking)).toBe('waiting');
    await row.getByRole('link').click();
    await page.waitForURL(`${pawl.url}/runs/${asking}`);
  });
});

const isFocused = (page: Page, name: string): Promise<boolean> =>
  page.getByRole('button', { name, exact: true }).evaluate((it) => it === it.ownerDocument.activeElement);
