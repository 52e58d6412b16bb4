// Would catch: a failure inside a sub-flow that the page of the run above hides or names wrongly; a run of a sub-flow that is shown as of
// another moment, of another item, or is read although nobody looks at it; a place that is lost when the page is loaded again.
import type { NodeConfig } from '@pawl/dag-core';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, publishFlow } from '../support/watch-run.ts';
import { seriousIssuesInBothThemes } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

let pawl: PawlWithLedger;
/** The card is refused, two flows further down. */
let nested: string;
/** Of three orders the second is refused. */
let mapped: string;

const runs = (id: string, title: string, flow: string, more: object = {}) =>
  ({ id, kind: 'flow', title, flow, ...more }) as const;
const says = (id: string, title: string) => ({ id, kind: 'transform', title, value: 1 }) as const;
const start = async (flow: string, input: object = {}) =>
  (await pawl.client.startRun({ body: { flow, input: input as never } })).runId;

beforeAll(async () => {
  pawl = await startWithLedger();
  const given = { input: '{{ input }}' };
  const charge = call('pay', 'charge', { title: 'Charge card', args: { what: '{{ input.n }}' } });
  await publishFlow(pawl, [says('sum', 'Add it up'), charge], { name: 'card', title: 'Card' });
  await publishFlow(pawl, [says('account', 'Open account'), runs('card', 'Take the card', 'card', given)], {
    name: 'bill',
    title: 'Bill',
  });
  await publishFlow(
    pawl,
    [says('check', 'Check order'), runs('bill', 'Send bill', 'bill', given), says('thank', 'Say thanks')],
    { name: 'order', title: 'Order' },
  );
  const each: NodeConfig = {
    id: 'each',
    kind: 'map',
    title: 'Each order',
    over: '{{ input.orders }}',
    onItemError: 'collect',
    body: { nodes: [runs('bill', 'Send bill', 'bill', { input: '{{ item }}' })], edges: [] },
  };
  await publishFlow(pawl, [each], { name: 'orders', title: 'Orders' });
  pawl.ledger.decideBy(({ body }) =>
    body.what === 2 ? { status: 422, message: 'The card is blocked' } : undefined,
  );
  nested = await start('order', { n: 2 });
  mapped = await start('orders', { orders: [{ n: 1 }, { n: 2 }, { n: 3 }] });
  for (const runId of [nested, mapped]) await endOf(pawl, runId);
});

afterAll(async () => {
  await closeBrowser();
  await pawl?.stop();
});

const node = (page: Page, label: string) =>
  page.locator('.react-flow__node').and(page.getByLabel(label, { exact: true }));
const detail = (page: Page, title: string) => page.getByRole('article', { name: title });
const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Timeline' }).getByRole('button', { name, exact: true });
const open = async (runId: string, search = '', options: Parameters<typeof openPage>[0] = {}) => {
  const opened = await openPage(options);
  await opened.page.goto(`${pawl.url}/runs/${runId}${search}`);
  return opened;
};
/** Runs of which the page asks for events, in order. */
const runsRead = (page: Page) => {
  const read: string[] = [];
  page.on('request', (request) => {
    const [, runId] = /\/v1\/runs\/([^/]+)\/events/.exec(request.url()) ?? [];
    if (runId !== undefined && !read.includes(runId)) read.push(runId);
  });
  return read;
};
const firstRunBelow = async (runId: string, path: string) =>
  (await eventOf(pawl, runId, 'flow.started', (event) => event.path === path)).data.runId;

describe('a failure in a sub-flow of a sub-flow', () => {
  it('rule 3: is named with its class and what to do where the outer node is, and stands in graph and timeline', async () => {
    const { page, trouble } = await open(nested);
    const card = detail(page, 'Send bill').getByRole('alert');
    await card.getByText('It will fail again as it is · attempt 1').waitFor();
    await card.getByText('Change the input or the flow, then start a new run.').waitFor();
    await node(page, 'Charge card, failed').waitFor();
    await row(page, 'Charge card').waitFor();
    const critical = page.locator('[data-critical="true"] [aria-pressed]');
    await expect
      .poll(() => critical.allInnerTexts())
      .toEqual(['Check order', 'Send bill', 'Open account', 'Take the card', 'Add it up', 'Charge card']);
    expect(await seriousIssuesInBothThemes(page)).toEqual([]);
    await card.getByRole('button', { name: 'Failed in Send bill → Take the card → Charge card' }).click();
    await page.waitForURL(/select=bill%2F%2Fcard%2F%2Fpay/);
    const charged = detail(page, 'Charge card');
    await charged.getByRole('region', { name: /^Sent to ledger.charge@1/ }).waitFor();
    expect(await row(page, 'Charge card').getAttribute('aria-pressed')).toBe('true');
    const way = charged.getByRole('navigation', { name: 'Way into sub-flows' });
    expect(await way.getByRole('button').allInnerTexts()).toEqual(['Send bill', 'Take the card']);
    expect(await seriousIssuesInBothThemes(page)).toEqual([]);
    await way.getByRole('link', { name: 'Open this run' }).click();
    await page.getByRole('link', { name: /^part of run/ }).waitFor();
    await detail(page, 'Charge card').waitFor();
    expect(trouble).toEqual([]);
  });

  it('is told also while the sub-flow is closed; what is closed stays closed when the page is loaded again', async () => {
    const { page } = await open(nested);
    await node(page, 'Charge card, failed').waitFor();
    await page.locator('.react-flow').getByRole('button', { name: 'Close Send bill' }).click();
    await node(page, 'Take the card, failed').waitFor({ state: 'detached' });
    await page.reload();
    await node(page, 'Send bill, failed').waitFor();
    await detail(page, 'Send bill')
      .getByRole('button', { name: /^Failed in .* → Charge card$/ })
      .waitFor();
    await row(page, 'Charge card').waitFor();
    expect(await node(page, 'Take the card, failed').count()).toBe(0);
    expect(await row(page, 'Add it up').count()).toBe(0);
  });

  it('in a run that is not kept any more is told by the outer one, which says that, and leads back', async () => {
    const { page } = await openPage();
    const gone = await firstRunBelow(nested, 'bill');
    const problem = { type: 'about:blank', title: 'Not found', status: 404, code: 'run_not_found' };
    await page.route(`**/v1/runs/${gone}/events*`, (route) =>
      route.fulfill({ status: 404, json: { ...problem, detail: `There is no run ${gone}.` } }),
    );
    await page.goto(`${pawl.url}/runs/${nested}?select=bill//card//pay`);
    const bill = detail(page, 'Send bill');
    await bill.getByRole('alert').getByText(`There is no run ${gone}.`).waitFor();
    await bill.getByRole('button', { name: 'Look at Send bill' }).click();
    await bill.getByText('The service answered 422: The card is blocked').first().waitFor();
    await node(page, 'Open account, not reached').waitFor();
  });

  it('shows by the one cursor how it stood inside, event by event, and again when the page is loaded again', async () => {
    const { page } = await open(nested, '?select=bill//card//pay');
    await node(page, 'Charge card, failed').waitFor();
    const back = page.getByRole('button', { name: 'One event back' });
    await back.click();
    // The run itself had no event between the start of its sub-flow and its end.
    for (const before = node(page, 'Charge card, running'); (await before.count()) === 0; )
      await back.click();
    await node(page, 'Send bill, waiting').waitFor();
    await node(page, 'Take the card, waiting').waitFor();
    await node(page, 'Add it up, done').waitFor();
    await detail(page, 'Charge card').getByText('pay · running').waitFor();
    expect(new URL(page.url()).searchParams.get('after')).toMatch(/^\d+$/);
    await page.reload();
    await node(page, 'Charge card, running').waitFor();
    await page.getByText(/^event \d of \d \+ /).waitFor();
    expect(await seriousIssuesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Now' }).click();
    await node(page, 'Charge card, failed').waitFor();
  });
});

describe('a sub-flow in a map', () => {
  it('is the run of the item that is shown, and those of the others are not read', async () => {
    const { page, trouble } = await openPage();
    const read = runsRead(page);
    await page.goto(`${pawl.url}/runs/${mapped}`);
    await node(page, 'Charge card, failed').waitFor();
    const bills = await Promise.all([0, 1, 2].map((item) => firstRunBelow(mapped, `each/${item}/bill`)));
    const failed = [mapped, bills[1]!, await firstRunBelow(bills[1]!, 'card')];
    expect(read.toSorted()).toEqual(failed.toSorted());
    await page.getByRole('button', { name: 'The next one' }).click();
    await page.waitForURL(/select=each%2F2/);
    await node(page, 'Open account, done').waitFor({ state: 'detached' });
    expect(read).toHaveLength(3);
    await page.locator('.react-flow').getByRole('button', { name: 'Open Send bill' }).click();
    await node(page, 'Take the card, done').waitFor();
    expect(read.slice(3)).toEqual([bills[2]]);
    await node(page, 'Open account, done').click();
    await page.waitForURL(/select=each%2F2%2Fbill%2F%2Faccount/);
    await page.reload();
    await detail(page, 'Open account').getByText('account · done').waitFor();
    await node(page, 'Take the card, done').waitFor();
    await page.getByRole('button', { name: 'The one before' }).click();
    await node(page, 'Take the card, failed').waitFor();
    expect(await seriousIssuesInBothThemes(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });
});

describe('a sub-flow that was undone', () => {
  it('shows its undo run below the node run of the undoing', async () => {
    pawl.ledger.decideBy((row) =>
      row.key.endsWith(':ship:0') ? { status: 422, message: 'No such street' } : undefined,
    );
    await publishFlow(pawl, [call('hold', 'reserve', { title: 'Hold goods' })], { name: 'goods' });
    const nodes = [runs('goods', 'Get goods', 'goods'), call('ship', 'charge', { title: 'Ship' })];
    const runId = await start(await publishFlow(pawl, nodes, { onFailure: 'compensate' }));
    await endOf(pawl, runId);
    const { page, trouble } = await open(runId, '?select=goods/undo');
    const undoing = page.getByRole('region', { name: 'Run of goods' });
    await undoing.getByText('Succeeded').waitFor();
    await undoing.getByRole('button', { name: 'Hold goods undone' }).click();
    await detail(page, 'Hold goods').getByRole('button', { name: 'Hold goods / undo done' }).click();
    await page.waitForURL(/select=goods%2Fundo%2F%2Fhold%2Fundo/);
    await detail(page, 'Hold goods / undo').getByText('hold/undo · done').waitFor();
    await row(page, 'Hold goods / undo').waitFor();
    await page
      .getByRole('navigation', { name: 'Way into sub-flows' })
      .getByRole('button', { name: 'Get goods / undo' })
      .click();
    await undoing.waitFor();
    expect(await seriousIssuesInBothThemes(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });
});

describe('a sub-flow that runs', () => {
  it('rule 2: is followed while it is open', async () => {
    const held = gate();
    pawl.ledger.decideBy(() => ({ hold: held.opened }));
    const runId = await start('order', { n: 5 });
    await pawl.ledger.arrived(1, { key: await firstRunBelow(await firstRunBelow(runId, 'bill'), 'card') });
    const { page } = await open(runId);
    await page.locator('.react-flow').getByRole('button', { name: 'Open Send bill' }).click();
    await page.locator('.react-flow').getByRole('button', { name: 'Open Take the card' }).click();
    await node(page, 'Charge card, running').waitFor();
    held.open();
    await node(page, 'Charge card, done').waitFor();
    await node(page, 'Say thanks, done').waitFor();
    expect(new URL(page.url()).searchParams.get('open')).toBe('bill,bill//card');
  });
});

describe('without a mouse, and on a phone', () => {
  it('rule 8: a sub-flow is opened, entered and left by keys', async () => {
    const { page } = await open(nested, '?select=bill&open=-bill');
    const bill = node(page, 'Send bill, failed');
    await bill.waitFor();
    await bill.focus();
    await page.keyboard.press('PageDown');
    await node(page, 'Take the card, failed').waitFor();
    await page.keyboard.press('PageDown');
    await detail(page, 'Open account').waitFor();
    await expect.poll(() => isFocused(node(page, 'Open account, done'))).toBe(true);
    await page.keyboard.press('PageUp');
    await detail(page, 'Send bill').waitFor();
    await expect.poll(() => isFocused(bill)).toBe(true);
  });

  it('rule 8: the list of the timeline opens it and shows what is inside, without the graph', async () => {
    const { page } = await open(mapped, '?select=each/2/bill', { viewport: { width: 420, height: 900 } });
    await page
      .getByRole('list', { name: 'Timeline' })
      .getByRole('button', { name: 'Open each/2 / Send bill' })
      .click();
    await row(page, 'Open account').click();
    await detail(page, 'Open account').waitFor();
    await detail(page, 'Open account').getByRole('button', { name: 'each/2 / Send bill' }).click();
    await detail(page, 'Send bill').getByRole('button', { name: 'Take the card done' }).click();
    await detail(page, 'Take the card').getByRole('button', { name: 'Open in place' }).click();
    await row(page, 'Charge card').waitFor();
    expect(await seriousIssuesInBothThemes(page)).toEqual([]);
  });
});

const isFocused = (element: Locator) => element.evaluate((it) => it === it.ownerDocument.activeElement);
