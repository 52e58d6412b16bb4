// Would catch: a member of an agent's tool that cannot be set in the browser, is lost there, or is wrong without saying so beside it.
import type { FlowDocument } from '@pawl/dag-core';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { seriousIssuesInBothThemes } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

let pawl: PawlWithLedger;

beforeAll(async () => {
  pawl = await startWithLedger({ workers: 1 });
});

afterAll(async () => {
  await closeBrowser();
  await pawl?.stop();
});

let number = 0;

/** The draft of a flow with one agent; what it may call is the test's. */
async function aDraft(tools: readonly unknown[]): Promise<string> {
  number += 1;
  const name = `agent-${number}`;
  const agent = { id: 'helper', kind: 'agent', title: 'Helper', model: 'sim:writer', prompt: 'Help.', tools };
  const document = { format: 'pawl/1', name, budget: { costUsd: 1 }, nodes: [agent], edges: [] };
  await pawl.client.createFlow({ body: document as never });
  return name;
}

async function openAgent(flow: string) {
  const opened = await openPage();
  opened.page.setDefaultTimeout(15_000);
  await opened.page.goto(`${pawl.url}/flows/${flow}`);
  const node = opened.page.locator('.react-flow__node[data-id="helper"]');
  await node.focus();
  await opened.page.keyboard.press('Enter');
  const inspector = opened.page.getByRole('complementary', { name: 'Settings of the node' });
  await inspector.waitFor();
  return { ...opened, inspector };
}

/** What the agent may call, as the engine has it. */
const saved = (flow: string) =>
  expect.poll(async () => {
    const { document } = await pawl.client.getFlow({ params: { flow } });
    return ((document as unknown as FlowDocument).nodes[0] as unknown as { tools: unknown }).tools;
  });

const cardOf = (inspector: Locator, name: RegExp) => inspector.getByRole('group', { name });

async function openCard(inspector: Locator, name: RegExp): Promise<Locator> {
  const card = cardOf(inspector, name);
  await card.getByText(/^Settings of this/).click();
  return card;
}

async function add(inspector: Locator, tool: string | { label: string }): Promise<void> {
  await inspector.getByLabel('Add a tool').selectOption(tool);
  await inspector.getByRole('button', { name: 'Add', exact: true }).click();
}

async function write(page: Page, field: Locator, text: string): Promise<void> {
  await field.focus();
  await page.keyboard.type(text);
}

describe('an agent on the canvas', () => {
  it('shows what it may do at worst, opens in place with what it may call, and closes, by keys as well', async () => {
    const flow = await aDraft([
      { tool: 'text.split@1' },
      { tool: 'http.post@1', name: 'refund' },
      { ask: 'person' },
    ]);
    const { page, trouble } = await openPage();
    await page.goto(`${pawl.url}/flows/${flow}`);
    const node = page.locator('.react-flow__node[data-id="helper"]');
    const badge = (place: Locator) => place.getByText('never sent again by itself', { exact: false });
    await badge(node).first().waitFor({ state: 'attached' });
    const rows = node.getByRole('listitem');
    expect(await rows.count()).toBe(0);
    await node.getByRole('button', { name: 'Open Helper' }).click();
    await expect
      .poll(() => rows.locator('span:not([class*="adge"])').first().textContent())
      .toBe('text_split');
    expect(await rows.count()).toBe(3);
    await badge(rows.nth(1)).waitFor({ state: 'attached' });
    await rows.nth(2).getByText('ask_person').waitFor();
    expect(await seriousIssuesInBothThemes(page)).toEqual([]);
    await node.focus();
    await page.keyboard.press('Enter');
    await node.focus();
    await page.keyboard.press('PageDown');
    await expect.poll(() => rows.count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByRole('button', { name: 'List' }).click();
    await page.getByText('may call text_split, refund, ask_person').waitFor();
    expect(trouble).toEqual([]);
  });
});

describe('what an agent may call', () => {
  it('has a row for each member of a tool, and each is undone by name', async () => {
    const flow = await aDraft([{ ask: 'person' }]);
    const { page, inspector, trouble } = await openAgent(flow);
    await add(inspector, 'ledger.put@1');
    const card = await openCard(inspector, /ledger\.put@1/);
    await card.getByLabel('Name for the model').fill('keep');
    await card.getByText('The model calls it keep').waitFor();
    await card.getByLabel('Description for the model').fill('Keeps it.');
    await write(page, card.getByRole('textbox', { name: 'what' }), 'a');
    await write(
      page,
      card.getByRole('textbox', { name: 'A person allows the call first when' }),
      'args.what',
    );
    await card.getByRole('button', { name: 'Say who allows it, and until when' }).click();
    await card.getByLabel('Who may answer').fill('ada, grace');
    await write(page, card.getByRole('textbox', { name: 'Deadline' }), 'P1D');
    await card.getByLabel('When nobody answers in time').selectOption({ label: 'It counts as rejected' });
    await card.getByLabel('When the call fails').selectOption({ label: 'Fail the agent' });
    await card.getByLabel('Tries at most').fill('2');
    await card.getByText('Try again once, after 1 s.').waitFor();
    await card.getByLabel('Time limit of one try, in seconds').fill('5');
    await card.getByLabel('Time limit of one try, in seconds').blur();
    const keep = {
      tool: 'ledger.put@1',
      name: 'keep',
      description: 'Keeps it.',
      args: { what: 'a' },
      approve: { when: 'args.what', who: ['ada', 'grace'], deadline: 'P1D', onDeadline: 'reject' },
      onError: 'fail',
      retry: { maxAttempts: 2 },
      timeoutMs: 5_000,
    };
    await saved(flow).toEqual([{ ask: 'person' }, keep]);
    await page.getByText('No problems').waitFor();
    expect(await seriousIssuesInBothThemes(page)).toEqual([]);
    const undo = page.getByRole('button', { name: 'Undo' });
    expect(await undo.getAttribute('title')).toBe('Undo: change helper/tools/1/timeoutMs');
    await undo.click();
    await expect.poll(() => undo.getAttribute('title')).toBe('Undo: change helper/tools/1/retry/maxAttempts');
    const { timeoutMs: _, ...before } = keep;
    await saved(flow).toEqual([{ ask: 'person' }, before]);
    expect(trouble).toEqual([]);
  });

  it('has a row for each member of a question to a person', async () => {
    const flow = await aDraft([{ tool: 'ledger.put@1' }]);
    const { page, inspector } = await openAgent(flow);
    await add(inspector, { label: 'Ask a person' });
    const card = await openCard(inspector, /^Ask a person/);
    await card.getByLabel('Name for the model').fill('ask_shop');
    await card.getByLabel('Description for the model').fill('Asks the shop.');
    await card.getByRole('button', { name: 'Add a field' }).click();
    await card.getByLabel('Who may answer').fill('ada');
    await write(page, card.getByRole('textbox', { name: 'Deadline' }), 'PT1H');
    await card.getByLabel('When nobody answers in time').selectOption({ label: 'It counts as rejected' });
    await saved(flow).toEqual([
      { tool: 'ledger.put@1' },
      {
        ask: 'person',
        name: 'ask_shop',
        description: 'Asks the shop.',
        form: { type: 'object', properties: { field: { type: 'string' } }, required: ['field'] },
        who: ['ada'],
        deadline: 'PT1H',
        onDeadline: 'reject',
      },
    ]);
    await page.getByText('No problems').waitFor();
    expect(await seriousIssuesInBothThemes(page)).toEqual([]);
  });

  it('gets a name of its own when it is added twice, and says beside it when a name is taken', async () => {
    const flow = await aDraft([{ tool: 'ledger.put@1' }]);
    const { inspector } = await openAgent(flow);
    await add(inspector, 'ledger.put@1');
    await saved(flow).toEqual([{ tool: 'ledger.put@1' }, { tool: 'ledger.put@1', name: 'ledger_put_2' }]);
    const card = await openCard(inspector, /· ledger_put_2$/);
    const name = card.getByLabel('Name for the model');
    await name.fill('no good');
    const row = cardOf(inspector, /no good$/);
    await row.getByText(/what the model calls it: a letter, then letters/).waitFor();
    // Said once, at its row; and out of sight never: closed, the card says it.
    expect(await row.getByText(/what the model calls it/).count()).toBe(1);
    await row.getByText('Settings of this tool').click();
    await row.getByText(/what the model calls it: a letter, then letters/).waitFor();
    await row.getByText('Settings of this tool').click();
    await row.getByLabel('Name for the model').fill('ledger_put');
    await inspector.getByText(/already knows tool 0 of this agent as "ledger_put"/).waitFor();
  });

  it('loses nothing that the form does not know', async () => {
    const odd = [
      { tool: 'ledger.put@1', approve: { when: 'true', because: 'money' }, note: { by: 'ada' } },
      'ledger.put@1',
      { ask: 'person', tool: 'ledger.put@1' },
    ];
    const flow = await aDraft(odd);
    const { page, inspector } = await openAgent(flow);
    const first = inspector
      .locator('[role=group]')
      .filter({ hasText: 'The model calls it ledger_put' })
      .first();
    await first.getByText(/has no property "note"/).waitFor();
    await cardOf(inspector, /Neither a tool nor a question/).waitFor();
    await first.getByText('Settings of this tool').click();
    await first.getByLabel('When the call fails').selectOption({ label: 'Fail the agent' });
    await saved(flow).toEqual([{ ...(odd[0] as object), onError: 'fail' }, odd[1], odd[2]]);
    expect(await seriousIssuesInBothThemes(page)).toEqual([]);
    await first.getByRole('button', { name: 'Remove note' }).click();
    await first.getByRole('button', { name: 'Remove because' }).click();
    const question = await openCard(inspector, /^Ask a person/);
    await question.getByRole('button', { name: 'Remove tool' }).click();
    await inspector.getByRole('button', { name: 'Remove Neither a tool nor a question to a person' }).click();
    await saved(flow).toEqual([
      { tool: 'ledger.put@1', approve: { when: 'true' }, onError: 'fail' },
      { ask: 'person' },
    ]);
    await page.getByText('No problems').waitFor();
  });

  it('rule 8: is added, opened and set by keys alone', async () => {
    const flow = await aDraft([{ ask: 'person' }]);
    const { page, inspector } = await openAgent(flow);
    await inspector.getByLabel('Add a tool').focus();
    await page.keyboard.type('ledger.ch');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const card = cardOf(inspector, /· ledger_charge$/);
    await card.getByText(/decides alone about ledger.charge@1/).waitFor();
    await card.getByText('Settings of this tool').focus();
    await page.keyboard.press('Enter');
    const approve = card.getByRole('textbox', { name: 'A person allows the call first when' });
    await approve.focus();
    await page.keyboard.type('true');
    await saved(flow).toEqual([{ ask: 'person' }, { tool: 'ledger.charge@1', approve: 'true' }]);
    await page.getByText('No problems').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await saved(flow).toEqual([{ ask: 'person' }, { tool: 'ledger.charge@1', approve: { when: 'true' } }]);
  });
});
