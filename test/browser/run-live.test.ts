// Would catch: a node that is shown as running when no worker holds it, or as queued while one does; a retry that calls what it did not
// name; a page that loads long values which nobody asked for; a focus that is lost with a dialog.
import type { NodeConfig } from '@pawl/dag-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../apps/designer/src/text/en.ts';
import { gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, startFlow } from '../support/watch-run.ts';
import { seriousIssues } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

let pawl: PawlWithLedger;

beforeAll(async () => {
  pawl = await startWithLedger();
});

afterAll(async () => {
  await closeBrowser();
  await pawl?.stop();
});

const node = (page: Page, title: string) =>
  page.locator('.react-flow__node').filter({ has: page.getByText(title, { exact: true }) });
const labelOf = (page: Page, title: string) => node(page, title).getAttribute('aria-label');

describe('a run that is watched', () => {
  it('rule 2: shows as running what a worker holds, and no more when its lease is over', async () => {
    const held = gate();
    pawl.ledger.decideBy(() => ({ hold: held.opened }));
    // What only computes says nothing before it has ended: the journal alone would leave it in the queue.
    const runId = await startFlow(pawl, [call('look', 'pure', { title: 'Look' })]);
    await pawl.ledger.arrived(1);
    const { page } = await openPage();
    await page.goto(`${pawl.url}/runs/${runId}`);
    await expect.poll(() => labelOf(page, 'Look')).toBe(`Look, ${en.nodeRunStatus.running}`);
    await page.getByRole('list', { name: 'Timeline' }).locator('[data-status="running"]').waitFor();
    pawl.workers[0]!.kill('SIGSTOP');
    await eventOf(pawl, runId, 'attempt.lost');
    await expect.poll(() => labelOf(page, 'Look')).toBe(`Look, ${en.nodeRunStatus.ready}`);
    pawl.workers[0]!.kill('SIGCONT');
    pawl.ledger.decideBy(undefined);
    held.open();
    await pawl.replaceWorkers();
    await endOf(pawl, runId);
    await expect.poll(() => labelOf(page, 'Look')).toBe(`Look, ${en.nodeRunStatus.succeeded}`);
  });

  it('rule 6: says what trying again would call, and gives the focus back', async () => {
    pawl.ledger.script({ op: 'charge' }, { status: 422, message: 'no such account' });
    const runId = await startFlow(pawl, [call('pay', 'charge', { onError: { do: 'pause' } })]);
    await expect.poll(async () => (await pawl.client.listInbox({ query: { runId } })).items.length).toBe(1);
    const { page, trouble } = await openPage();
    await page.goto(`${pawl.url}/runs/${runId}`);
    const opener = page.getByRole('button', { name: 'Try again what failed …' });
    await opener.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Try again what failed?' });
    const calls = dialog.getByRole('listitem');
    await calls.filter({ hasText: 'ledger.charge@1' }).getByText('1×').waitFor();
    expect(await calls.count()).toBe(1);
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => opener.evaluate((it) => it === it.ownerDocument.activeElement)).toBe(true);
    expect(pawl.ledger.of({ key: runId })).toHaveLength(1);

    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Try again', exact: true }).click();
    await page.getByText(en.runStatus.succeeded, { exact: true }).waitFor();
    expect(pawl.ledger.of({ key: runId })).toHaveLength(2);
    expect(await opener.count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it('rule 4: loads no long value that nobody asked for', async () => {
    const text = 'x'.repeat(600_000);
    const nodes: NodeConfig[] = [
      { id: 'copy', kind: 'transform', title: 'Copy', value: '{{ input.text }}' },
      { id: 'ask', kind: 'approval', title: 'Ask', subject: 'May we?' },
    ];
    const runId = await startFlow(pawl, nodes, { start: { text } });
    await eventOf(pawl, runId, 'inbox.asked');
    const { page } = await openPage();
    const loaded: string[] = [];
    page.on('response', async (response) => {
      const { pathname } = new URL(response.url());
      const isStream = response.headers()['content-type']?.startsWith('text/event-stream');
      if (!pathname.startsWith('/v1/') || isStream) return;
      const { length } = await response.body().catch(() => Buffer.alloc(0));
      if (length > 300_000) loaded.push(`${pathname} ${length}`);
    });
    for (const select of ['copy', 'ask']) {
      await page.goto(`${pawl.url}/runs/${runId}?select=${select}`);
      await node(page, 'Ask').getByText('waiting').waitFor();
      await page.waitForLoadState('load');
    }
    await page.getByText('Waits for a person').waitFor();
    await page.goto(`${pawl.url}/runs`);
    await page.getByRole('link', { name: runId.slice(-8) }).waitFor();
    expect(loaded).toEqual([]);
  });
});
