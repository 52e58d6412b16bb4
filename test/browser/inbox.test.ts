// Would catch: a decision that reaches the engine as something else, evidence that is not shown, a question that was answered elsewhere
// and looks open, an inbox that needs a mouse or a wide screen.
import type { NodeConfig } from '@pawl/dag-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, startFlow } from '../support/watch-run.ts';
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

const ask = (id: string, more: object = {}): NodeConfig =>
  ({ id, kind: 'approval', subject: `May ${id}?`, ...more }) as NodeConfig;

const form = {
  type: 'object',
  required: ['amount'],
  properties: {
    amount: { type: 'number', title: 'Amount', maximum: 500 },
    note: { type: 'string', title: 'Note' },
    tags: { type: 'array', title: 'Tags', items: { type: 'string' } },
    meta: { title: 'More' },
  },
};

const startRefund = (subject: string) =>
  startFlow(pawl, [ask('ok', { subject, details: 'Order o-1', form, values: { amount: 12 } })], {
    output: '{{ nodes.ok.output.values }}',
  });

/** The question of a run, once it asks. */
async function questionOf(runId: string): Promise<string> {
  let question = '';
  await expect
    .poll(async () => {
      question = (await pawl.client.listInbox({ query: { runId } })).items[0]?.question ?? '';
      return question;
    })
    .not.toBe('');
  return question;
}

async function openQuestion(runId: string, options?: Parameters<typeof openPage>[0]) {
  const question = await questionOf(runId);
  const opened = await openPage(options);
  await opened.page.goto(`${pawl.url}/inbox?question=${question}`);
  await opened.page.getByRole('group', { name: 'Your decision' }).waitFor();
  return { ...opened, question };
}

const decide = (page: Page, decision: string) => page.getByRole('radio', { name: decision });
const send = (page: Page, decision: string) => page.getByRole('button', { name: decision, exact: true });

describe('the inbox', () => {
  it('shows what waits, counts it in the rail, and takes an approval as it was edited', async () => {
    const runId = await startRefund('Refund twelve?');
    await questionOf(runId);
    const { page, trouble } = await openPage();
    await page.goto(`${pawl.url}/inbox`);
    await page.getByRole('link', { name: /^Inbox, \d+ waiting$/ }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Refund twelve?' }).getByRole('link').click();
    await page.getByText('Order o-1').waitFor();
    expect(await seriousIssues(page)).toEqual([]);

    await page.getByLabel('Amount').fill('900');
    await send(page, 'Approve').click();
    await page.getByText('At most 500.').waitFor();
    await page.getByLabel('Amount').fill('10');
    await page.getByRole('button', { name: 'Add to Tags' }).click();
    await page.getByRole('group', { name: 'Tags' }).getByRole('textbox').fill('late');
    await page.getByLabel('More').fill('{"by":');
    await send(page, 'Approve').click();
    await page.getByText('This is not JSON yet.').waitFor();
    await page.getByLabel('More').fill('{"by": 1}');
    await send(page, 'Approve').click();
    await page.getByRole('status').getByText('Approve · by local').waitFor();
    const { run } = await endOf(pawl, runId);
    expect(run.output).toEqual({ amount: 10, tags: ['late'], meta: { by: 1 } });
    expect(trouble).toEqual([]);
  });

  it('is worked through with the keyboard alone', async () => {
    const first = await startRefund('Refund by keys?');
    const second = await startFlow(pawl, [ask('second')]);
    await questionOf(first);
    await questionOf(second);
    const { page } = await openPage();
    await page.goto(`${pawl.url}/inbox?flow=none`);
    await page.getByRole('button', { name: 'Clear filters' }).waitFor();
    await focusByTab(page, 'Clear filters');
    await page.keyboard.press('Enter');
    await page.getByRole('listitem').filter({ hasText: 'Refund by keys?' }).waitFor();
    await page.keyboard.press('j');
    for (;;) {
      await page.getByRole('group', { name: 'Your decision' }).waitFor();
      if (await page.getByRole('heading', { name: 'Refund by keys?' }).isVisible()) break;
      const before = page.url();
      await page.keyboard.press('j');
      await expect.poll(() => page.url()).not.toBe(before);
    }
    await focusByTab(page, 'Approve');
    await page.keyboard.press('ArrowDown');
    await page.getByLabel('Reason (optional)').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('j is only a letter here');
    await focusByTab(page, 'Reject');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('j is only a letter here').waitFor();
    const { events } = await endOf(pawl, first);
    expect(events.find(({ type }) => type === 'inbox.answered')).toMatchObject({
      data: { decision: 'rejected', reason: 'j is only a letter here' },
    });
    await focusByTab(page, 'Next question');
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Your decision' }).waitFor();
  });

  it('V5: shows the evidence of what may have happened, and takes the word of a person about it', async () => {
    pawl.ledger.script({ op: 'charge' }, { cut: 'after' });
    const runId = await startFlow(pawl, [call('pay', 'charge', { args: { what: 'order 7' } })], {
      output: '{{ nodes.pay.output }}',
    });
    const { page } = await openQuestion(runId);
    await page.getByRole('heading', { name: /^Sent to / }).waitFor();
    await page.getByText('"what": "order 7"').waitFor();
    const [row] = pawl.ledger.of({ key: runId });
    await page.getByText(row!.key, { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Choose a decision' }).isDisabled()).toBe(true);
    expect(await seriousIssues(page)).toEqual([]);

    await decide(page, 'It happened').check();
    await page.getByLabel('What it answered', { exact: true }).getByRole('textbox').fill('{"id": 7}');
    await send(page, 'It happened').click();
    await page.getByRole('status').getByText('It happened · by local').waitFor();
    expect((await endOf(pawl, runId)).run).toMatchObject({ status: 'succeeded', output: { id: 7 } });
    expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
  });

  it('T19: tries a failed call again with other arguments', async () => {
    pawl.ledger.decideBy(({ body }) =>
      body.what === 'wrong' ? { status: 422, message: 'no such account' } : undefined,
    );
    const onError = { do: 'pause' as const };
    const runId = await startFlow(pawl, [call('pay', 'charge', { args: { what: 'wrong' }, onError })]);
    const { page } = await openQuestion(runId);
    await page.getByRole('heading', { name: /no such account/ }).waitFor();
    await decide(page, 'Try again').check();
    await page.getByLabel('With other arguments').check();
    await page.getByRole('group', { name: 'Values' }).getByRole('textbox').fill('"right"');
    await send(page, 'Try again').click();
    await page.getByRole('status').getByText('Try again · by local').waitFor();
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    expect(pawl.ledger.of({ key: runId }).map(({ body }) => body.what)).toEqual(['wrong', 'right']);
    pawl.ledger.decideBy(undefined);
  });

  it('shows the decision of somebody who was quicker', async () => {
    const runId = await startFlow(pawl, [ask('quick')]);
    const { page, question } = await openQuestion(runId);
    await page.route('**/answer', async (route) => {
      await pawl.client.answerQuestion({
        params: { question },
        body: { decision: 'rejected', reason: 'I was first' },
      });
      await route.continue();
    });
    await send(page, 'Approve').click();
    await page.getByRole('status').getByText('Reject · by local').waitFor();
    await page.getByRole('status').getByText('I was first').waitFor();
  });

  it('tells that a question is closed when its run was cancelled', async () => {
    const runId = await startFlow(pawl, [ask('late')]);
    const { page } = await openQuestion(runId);
    await pawl.client.cancelRun({ params: { runId }, body: {} });
    await page.getByRole('status').getByText('Nobody answered').waitFor();
  });

  it('works on a phone: one thing at a time, and the decision within reach', async () => {
    const runId = await startRefund('Refund on the way?');
    await questionOf(runId);
    const { page } = await openPage({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      colorScheme: 'dark',
    });
    await page.goto(`${pawl.url}/inbox`);
    const list = page.getByRole('list', { name: 'What waits for a person' });
    await list.getByText('Refund on the way?').tap();
    await send(page, 'Approve').waitFor();
    expect(await list.isVisible()).toBe(false);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back to the list' }).tap();
    await list.getByText('Refund on the way?').tap();
    await send(page, 'Approve').tap();
    await page.getByRole('status').getByText('Approve · by local').waitFor();
    expect((await endOf(pawl, runId)).run.output).toEqual({ amount: 12 });
  });
});
