import type { FlowDocument, Json } from '@pawl/dag-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { seriousIssues } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

let pawl: Pawl;

/** Rates each part, and asks a person whether the letter goes out. */
const letters = (bonus: number, more: FlowDocument['nodes'] = []): FlowDocument => ({
  format: 'pawl/1',
  name: 'rate-letters',
  title: 'Rate letters',
  nodes: [
    {
      id: 'parts',
      kind: 'map',
      title: 'Each part',
      over: '{{ input.parts }}',
      body: {
        nodes: [
          { id: 'read', kind: 'transform', title: 'Read part', value: '{{ $length(item) }}' },
          {
            id: 'rate',
            kind: 'transform',
            title: 'Rate part',
            value: {
              points: `{{ nodes.read.output > 4 ? nodes.read.output + ${bonus} : nodes.read.output }}`,
              of: 10,
            },
          },
        ],
        edges: [{ from: 'read', to: 'rate' }],
      },
    },
    {
      id: 'letter',
      kind: 'transform',
      title: 'Write letter',
      value: 'Dear {{ input.name }}, thank you for your parts.',
    },
    { id: 'allow', kind: 'approval', title: 'Allow sending', subject: 'Send it?' },
    { id: 'sent', kind: 'transform', title: 'Send', value: '{{ nodes.letter.output }}' },
    { id: 'dropped', kind: 'transform', title: 'Drop', value: 'dropped' },
    ...more,
  ],
  edges: [
    { from: 'parts', to: 'letter' },
    { from: 'letter', to: 'allow' },
    { from: 'allow', to: 'sent' },
    { from: 'allow', port: 'rejected', to: 'dropped' },
    ...more.map(({ id }) => ({ from: 'parts', to: id })),
  ],
});

const publish = async (document: FlowDocument) =>
  (await pawl.client.publishFlow({ params: { flow: document.name }, body: document as never })).version.id;

let versions: readonly [string, string];

beforeAll(async () => {
  pawl = await startPawl({ workers: 1 });
  versions = [
    await publish(letters(0)),
    await publish(letters(2, [{ id: 'log', kind: 'transform', title: 'Log it', value: 'logged' }])),
  ];
});

afterAll(async () => {
  await closeBrowser();
  await pawl.stop();
});

const INPUT = { name: 'Ada', parts: ['one', 'seven', 'four'] };

/** A run that has ended, its person having said so. */
async function ended(decision: 'approved' | 'rejected', version = versions[0], input: Json = INPUT) {
  const { runId } = await pawl.client.startRun({
    body: { flow: 'rate-letters', version, input },
    headers: {},
  });
  let question: string | undefined;
  await expect
    .poll(async () => {
      const { items } = await pawl.client.listInbox({ query: {} });
      question = items.find((item) => item.runId === runId)?.question;
      return question;
    })
    .toBeDefined();
  await pawl.client.answerQuestion({ params: { question: question! }, body: { decision } });
  await expect.poll(async () => (await pawl.client.getRun({ params: { runId } })).finishedAt).toBeDefined();
  return runId;
}

const totals = (page: Page) => page.getByRole('region', { name: 'Totals' });
const row = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Node runs' }).getByRole('row').filter({ hasText: name });
const node = (page: Page, label: string) =>
  page.getByRole('region', { name: 'Graph of both versions' }).getByLabel(label, { exact: true });

describe('comparing two runs', () => {
  it('shows where two versions part, inside the map and at the item, and what differs there', async () => {
    const [left, right] = [await ended('approved'), await ended('approved', versions[1])];
    const { page, trouble } = await openPage();
    await page.goto(`${pawl.url}/compare?left=${left}&right=${right}`);
    await totals(page).getByRole('button', { name: 'Rate part (parts/1/rate)' }).waitFor();
    expect(await totals(page).textContent()).toContain(
      'Given the same, it gave something else. The node was changed between the versions.',
    );
    await node(page, 'Rate part, here they part').waitFor();
    await node(page, 'Read part, same').waitFor();
    await node(page, 'Log it, only right').waitFor();

    const detail = page.getByRole('article', { name: 'Rate part' });
    const change = detail.getByRole('region', { name: 'Output' }).getByRole('listitem');
    expect((await change.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      '~ changed /points 5 7',
    ]);
    await detail.getByRole('radio', { name: 'Side by side' }).check();
    await detail.getByRole('table').getByText('"points": 7').waitFor();
    await page.waitForURL(/values=sides/);
    expect(await seriousIssues(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it('keeps what is looked at in the address, and turns left and right', async () => {
    const [left, right] = [await ended('approved'), await ended('rejected')];
    const { page } = await openPage();
    await page.goto(`${pawl.url}/compare?left=${left}&right=${right}`);
    await totals(page).getByRole('button', { name: 'Allow sending' }).waitFor();
    expect(await totals(page).textContent()).toContain('Given the same, it took another way.');
    await row(page, 'Write letter').getByRole('button').click();
    await page.waitForURL(/select=letter/);
    await page.reload();
    await page.getByRole('article', { name: 'Write letter' }).getByText('It did the same in both.').waitFor();
    await page.getByRole('button', { name: 'Swap' }).click();
    await page.waitForURL(new RegExp(`left=${right}&right=${left}`));
  });

  it('tells each node run’s status and cost in both, and what is the same inside maps when asked', async () => {
    const [left, right] = [await ended('approved'), await ended('rejected')];
    const { page } = await openPage({ viewport: { width: 1_360, height: 800 } });
    await page.goto(`${pawl.url}/compare?left=${left}&right=${right}`);
    await row(page, 'Drop').getByText('skipped').waitFor();
    const table = page.getByRole('table', { name: 'Node runs' });
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await row(page, 'Drop').textContent()).toMatch(/input[\s\S]*status[\s\S]*→[\s\S]*done/);
    expect(await row(page, 'parts/1 / Rate part').count()).toBe(0);
    await page.getByRole('checkbox', { name: /Also what is the same/ }).check();
    await row(page, 'parts/1 / Rate part').waitFor();
    await page.waitForURL(/show=all/);
  });

  it('of different inputs blames nobody', async () => {
    const left = await ended('approved');
    const right = await ended('approved', versions[0], { ...INPUT, name: 'Bob' });
    const { page } = await openPage();
    await page.goto(`${pawl.url}/compare?left=${left}&right=${right}&select=letter`);
    await totals(page).getByText('all that differs follows from what they were given').waitFor();
    const output = page
      .getByRole('article', { name: 'Write letter' })
      .getByRole('region', { name: 'Output' });
    expect(await output.locator('del').allInnerTexts()).toEqual(['Ada']);
    expect(await output.locator('ins').allInnerTexts()).toEqual(['Bob']);
  });

  it('is chosen from lists by keys, the right one among the runs of the left one’s flow', async () => {
    await publish({ ...letters(0), name: 'other-letters' });
    const { runId: other } = await pawl.client.startRun({
      body: { flow: 'other-letters', input: INPUT },
      headers: {},
    });
    const [left, right] = [await ended('approved'), await ended('rejected')];
    const { page } = await openPage();
    await page.goto(`${pawl.url}/compare`);
    const [lefts, rights] = ['Left', 'Right'].map((name) => page.getByRole('region', { name, exact: true }));
    await lefts!.getByRole('button', { name: other.slice(-8) }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByText('that comes later, and its place is here').waitFor();
    await lefts!.getByRole('button', { name: left.slice(-8) }).focus();
    await page.keyboard.press('Enter');
    await rights!.getByRole('button', { name: right.slice(-8) }).waitFor();
    expect(await rights!.getByRole('button', { name: other.slice(-8) }).count()).toBe(0);
    expect(await rights!.getByRole('button', { name: left.slice(-8) }).count()).toBe(0);
    await rights!.getByRole('button', { name: right.slice(-8) }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`left=${left}&right=${right}`));

    await page.goto(`${pawl.url}/compare?left=${left}&right=${other}`);
    await page.getByRole('alert').getByText('Only runs of one flow can be compared').waitFor();
    await page.getByRole('link', { name: 'Choose other runs' }).click();
    await rights!.getByRole('button', { name: right.slice(-8) }).waitFor();
  });

  it('begins at a run, or at two that are ticked in the list', async () => {
    const [left, right] = [await ended('approved'), await ended('rejected')];
    const { page } = await openPage();
    await page.goto(`${pawl.url}/runs/${left}`);
    await page.getByRole('link', { name: 'Compare with …' }).click();
    await page
      .getByRole('region', { name: 'Right', exact: true })
      .getByRole('button', { name: right.slice(-8) })
      .waitFor();

    await page.goto(`${pawl.url}/runs?flow=rate-letters`);
    await page.getByRole('checkbox', { name: `Choose run ${left.slice(-8)}` }).check();
    await page.getByText('Choose two runs of one flow to compare them.').waitFor();
    await page.getByRole('checkbox', { name: `Choose run ${right.slice(-8)}` }).check();
    await page.getByRole('link', { name: 'Compare these two' }).click();
    await page.waitForURL(new RegExp(`left=${left}&right=${right}`));
    await totals(page).getByRole('button', { name: 'Allow sending' }).waitFor();
  });

  it('says so when a run is not there', async () => {
    const left = await ended('approved');
    const { page } = await openPage();
    await page.goto(`${pawl.url}/compare?left=${left}&right=0192aaaa-0000-7000-8000-000000000000`);
    await page.getByRole('alert').getByText('There is no run').waitFor();
    await page.getByRole('link', { name: 'Choose other runs' }).click();
    await page.getByRole('region', { name: 'Left', exact: true }).waitFor();
  });
});
