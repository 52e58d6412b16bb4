import type { FlowDocument } from '@pawl/dag-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { seriousIssues } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

let pawl: Pawl;

/** Two of three parts succeed, one fails and is continued past; an approval is asked; one branch is never taken. */
const review: FlowDocument = {
  format: 'pawl/1',
  name: 'review-parts',
  title: 'Review parts',
  input: { type: 'object', required: ['parts'], properties: { parts: { type: 'array' } } },
  nodes: [
    {
      id: 'parts',
      kind: 'map',
      title: 'Each part',
      over: '{{ input.parts }}',
      onItemError: 'collect',
      body: {
        nodes: [{ id: 'read', kind: 'transform', title: 'Read part', value: '{{ $number(item) }}' }],
        edges: [],
      },
    },
    {
      id: 'write',
      kind: 'llm',
      title: 'Write summary',
      model: 'sim:writer',
      prompt: 'Summarise {{ $string(nodes.parts.output) }}',
    },
    { id: 'allow', kind: 'approval', title: 'Allow sending', subject: 'Send the summary?' },
    { id: 'sent', kind: 'transform', title: 'Send', value: '{{ nodes.write.output }}' },
    { id: 'dropped', kind: 'transform', title: 'Drop', value: 'dropped' },
  ],
  edges: [
    { from: 'parts', to: 'write' },
    { from: 'write', to: 'allow' },
    { from: 'allow', to: 'sent' },
    { from: 'allow', port: 'rejected', to: 'dropped' },
  ],
};

beforeAll(async () => {
  pawl = await startPawl({ workers: 1 });
  await pawl.client.publishFlow({
    params: { flow: review.name },
    body: review as never,
  });
});

afterAll(async () => {
  await closeBrowser();
  await pawl.stop();
});

const start = async (): Promise<string> =>
  (
    await pawl.client.startRun({
      body: { flow: review.name, input: { parts: ['1', 'two', '3'] } },
      headers: {},
    })
  ).runId;

/** Waits until the run asks its person; gives the question. */
async function asked(runId: string): Promise<string> {
  let question = '';
  await expect
    .poll(async () => {
      const { items } = await pawl.client.listInbox({ query: {} });
      question = items.find((item) => item.runId === runId)?.question ?? '';
      return question;
    })
    .not.toBe('');
  return question;
}

const node = (page: Page, title: string) =>
  page.locator('.react-flow__node').filter({ has: page.getByText(title, { exact: true }) });

describe('a run', () => {
  it('shows each node as it stands, and goes on by itself when it is answered elsewhere', async () => {
    const runId = await start();
    const question = await asked(runId);
    const { page, trouble } = await openPage();
    await page.goto(`${pawl.url}/runs/${runId}`);
    await node(page, 'Allow sending').getByText('waiting').waitFor();
    await node(page, 'Each part').getByText('3 of 3 · 1 failed').waitFor();
    expect(await node(page, 'Send').getAttribute('aria-label')).toBe('Send, not reached');
    expect(await seriousIssues(page)).toEqual([]);

    await pawl.client.answerQuestion({ params: { question }, body: { decision: 'approved' } });
    await node(page, 'Send').getByText('done').waitFor();
    await node(page, 'Drop').getByText('skipped').waitFor();
    await page.getByText('Partial', { exact: true }).waitFor();
    expect(trouble).toEqual([]);
  });

  it('names what failed, with its attempt, its class and what can be done', async () => {
    const runId = await start();
    await asked(runId);
    const { page } = await openPage();
    await page.goto(`${pawl.url}/runs/${runId}?select=parts%2F1%2Fread`);
    const card = page.getByRole('alert');
    await card.getByText('It will fail again as it is · attempt 1').waitFor();
    expect(await card.textContent()).toContain('Change the input or the flow');
    await page.getByRole('list', { name: 'Timeline' }).getByText('parts/1 / Read part').waitFor();
  });

  it('lists the items of a map, failures first, and opens one', async () => {
    const runId = await start();
    await asked(runId);
    const { page } = await openPage();
    await page.goto(`${pawl.url}/runs/${runId}`);
    await node(page, 'Each part').click({ position: { x: 60, y: 20 } });
    const inside = page.getByRole('article', { name: 'Each part' }).locator('ul button');
    await expect.poll(() => inside.allInnerTexts()).toEqual(['1\nfailed', '0\ndone', '2\ndone']);
    await inside.first().click();
    await page.waitForURL(/select=parts%2F1/);
  });

  it('shows how it stood after any event, framed as recorded, and returns to now', async () => {
    const runId = await start();
    const question = await asked(runId);
    await pawl.client.answerQuestion({ params: { question }, body: { decision: 'rejected', reason: 'no' } });
    const { page } = await openPage();
    await page.goto(`${pawl.url}/runs/${runId}?at=1`);
    await page.getByText('event 1 of').waitFor();
    expect(await node(page, 'Write summary').getAttribute('aria-label')).toBe('Write summary, not reached');
    await page.getByRole('button', { name: 'Now' }).click();
    await node(page, 'Drop').getByText('done').waitFor();
    await page.getByRole('slider', { name: 'Event' }).focus();
    await page.keyboard.press('Home');
    await page.waitForURL(/at=1/);
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await node(page, 'Drop').getByText('done').waitFor();
  });

  it('says what it waited for: the critical path, of the time that the run took', async () => {
    const runId = await start();
    const question = await asked(runId);
    await pawl.client.answerQuestion({ params: { question }, body: { decision: 'approved' } });
    const { page } = await openPage();
    await page.goto(`${pawl.url}/runs/${runId}`);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText(/critical path: .* of /).waitFor();
    const marked = timeline.locator('[data-critical="true"]');
    await expect
      .poll(() => marked.getByRole('button').allInnerTexts())
      .toEqual(['Each part', 'Write summary', 'Allow sending', 'Send']);
    expect(await seriousIssues(page)).toEqual([]);
  });

  it('that is not there says so and leads back', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/runs/0192aaaa-0000-7000-8000-000000000000`);
    await page.getByRole('alert').getByText('There is no run').waitFor();
    await page.getByRole('link', { name: 'Go to the runs' }).click();
    await page.waitForURL(`${pawl.url}/runs`);
  });

  it('is cancelled from its page', async () => {
    const runId = await start();
    await asked(runId);
    const { page } = await openPage();
    await page.goto(`${pawl.url}/runs/${runId}`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled', { exact: true }).first().waitFor();
    await expect.poll(async () => (await pawl.client.getRun({ params: { runId } })).status).toBe('cancelled');
  });
});

describe('the list of runs', () => {
  it('keeps its filters in the address, and leads to a run', async () => {
    const runId = await start();
    await asked(runId);
    const { page } = await openPage();
    await page.goto(`${pawl.url}/runs`);
    const table = page.getByRole('table', { name: 'Runs' });
    await table.getByRole('link', { name: runId.slice(-8) }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'Waiting' }).click();
    await page.waitForURL(/status=/);
    await page.reload();
    await table.getByRole('link', { name: runId.slice(-8) }).click();
    await page.waitForURL(`${pawl.url}/runs/${runId}`);
  });

  it('narrows by what runs wait for, cost, tag, time, version and failed node: each a chip in the address', async () => {
    const runId = await start();
    await asked(runId);
    const { version } = await pawl.client.getRun({ params: { runId } });
    const other = await pawl.client.startRun({
      body: { flow: review.name, input: { parts: [] }, tags: { team: 'red' } },
    });
    await asked(other.runId);
    const { page, trouble } = await openPage();
    await page.goto(`${pawl.url}/runs?tag=team%3Ared&waitingFor=person&version=${version}`);
    const table = page.getByRole('table', { name: 'Runs' });
    await table.getByRole('link', { name: other.runId.slice(-8) }).waitFor();
    expect(await table.getByRole('link').count()).toBe(1);
    await page.getByRole('button', { name: 'Remove the filter: Tag team:red' }).click();
    await table.getByRole('link', { name: runId.slice(-8) }).waitFor();
    await page.getByLabel('Add a filter …').selectOption('failedNode');
    await page.getByLabel('Failed node').fill('read');
    await page.keyboard.press('Enter');
    await page.waitForURL(/failedNode=read/);
    await table.getByRole('link', { name: runId.slice(-8) }).waitFor();
    await expect.poll(() => table.getByRole('link', { name: other.runId.slice(-8) }).count()).toBe(0);
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByLabel('Add a filter …').selectOption('costAbove');
    await page.getByLabel('Cost above').fill('5');
    await page.keyboard.press('Enter');
    await page.getByText('No run fits these filters.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Remove the filter: Cost above $5' }).waitFor();
    expect(trouble).toEqual([]);
  });

  it('says that nothing fits, and clears the filters', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/runs?flow=no-such-flow`);
    await page.getByText('No run fits these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL(`${pawl.url}/runs`);
  });
});
