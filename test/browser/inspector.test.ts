import type { FlowDocument, NodeConfig } from '@pawl/dag-core';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { seriousIssues } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

// The inspector must offer and show what the engine would read and give, and every edit must be one that can be undone.

let pawl: Pawl;

beforeAll(async () => {
  pawl = await startPawl({ workers: 1 });
});

afterAll(async () => {
  await closeBrowser();
  await pawl.stop();
});

let number = 0;

/** A flow that ran once: find → each (line → price) → sum → write. */
async function flowThatRan(more: readonly NodeConfig[] = []): Promise<string> {
  const name = await newFlow(more);
  await pawl.client.publishFlow({ params: { flow: name } });
  await runOf(name, 'Ada');
  return name;
}

/** The same, before it ran. */
async function newFlow(more: readonly NodeConfig[] = []): Promise<string> {
  number += 1;
  const name = `inspected-${number}`;
  const document: FlowDocument = {
    format: 'pawl/1',
    name,
    title: 'Add up an order',
    input: { type: 'object', properties: { customer: { type: 'string', description: 'Who ordered' } } },
    nodes: [
      {
        id: 'find',
        kind: 'transform',
        title: 'Find order',
        value: {
          customer: '{{ input.customer }}',
          lines: [
            { sku: 'A', cents: 100 },
            { sku: 'B', cents: 250 },
          ],
        },
      },
      {
        id: 'each',
        kind: 'map',
        title: 'Each line',
        over: '{{ nodes.find.output.lines }}',
        body: {
          nodes: [{ id: 'price', kind: 'transform', title: 'Price', value: '{{ item.cents / 100 }}' }],
          edges: [],
        },
      },
      { id: 'sum', kind: 'transform', title: 'Sum', value: '{{ $sum(nodes.each.output) }}' },
      {
        id: 'write',
        kind: 'llm',
        title: 'Write',
        model: 'sim:writer',
        prompt: 'Write to {{ nodes.find.output.customer }}.',
      },
      ...more,
    ],
    edges: [
      { from: 'find', to: 'each' },
      { from: 'each', to: 'sum' },
      { from: 'sum', to: 'write' },
      ...more.map(({ id }) => ({ from: 'write', to: id })),
    ],
  };
  await pawl.client.createFlow({ body: document as never });
  return name;
}

async function runOf(flow: string, customer: string): Promise<string> {
  const { runId } = await pawl.client.startRun({ body: { flow, input: { customer } } });
  await expect.poll(async () => (await pawl.client.getRun({ params: { runId } })).status).toBe('succeeded');
  return runId;
}

async function openNode(flow: string, id: string) {
  const opened = await openPage();
  opened.page.setDefaultTimeout(15_000);
  await opened.page.goto(`${pawl.url}/flows/${flow}`);
  return { ...opened, inspector: await select(opened.page, id) };
}

async function select(page: Page, id: string): Promise<Locator> {
  const node = page.locator(`.react-flow__node[data-id="${id}"]`);
  await node.focus();
  await page.keyboard.press('Enter');
  const inspector = page.getByRole('complementary', { name: 'Settings of the node' });
  await inspector.waitFor();
  return inspector;
}

async function nodeOf(flow: string, id: string): Promise<NodeConfig | undefined> {
  const { document } = await pawl.client.getFlow({ params: { flow } });
  return (document as unknown as FlowDocument).nodes.find((node) => node.id === id);
}

/** The value of a setting on the server. */
const onServer = <N = Record<string, unknown>>(flow: string, id: string, read: (node: N) => unknown) =>
  expect.poll(async () => read((await nodeOf(flow, id)) as N));

describe('an expression', () => {
  it('is completed from what can be read, with the values of the last run', async () => {
    const flow = await flowThatRan();
    const { page, inspector, trouble } = await openNode(flow, 'sum');
    const field = inspector.getByRole('textbox', { name: 'Value' });
    await field.fill('');
    await page.keyboard.type('nodes.');
    const options = page.getByRole('listbox', { name: 'What can be read here' });
    await options.getByRole('option', { name: /^each.*\[1,2\.5\]/ }).waitFor();
    expect(await options.getByRole('option', { name: /^write/ }).count()).toBe(0);
    await page.keyboard.type('find.output.');
    await options.getByRole('option', { name: /^customer.*"Ada"/ }).waitFor();
    await page.keyboard.type('cus');
    await page.keyboard.press('Enter');
    await onServer(flow, 'sum', ({ value }) => value).toBe('{{ nodes.find.output.customer }}');
    await inspector.getByText('In this run: "Ada"').waitFor();
    expect(trouble).toEqual([]);
  });

  it('shows what it gives on the run that is chosen, and on which item', async () => {
    const flow = await flowThatRan();
    await runOf(flow, 'Grace');
    const { inspector, page } = await openNode(flow, 'price');
    await inspector.getByText('In this run: 1', { exact: true }).waitFor();
    await inspector.getByLabel('Item').fill('2');
    await inspector.getByText('In this run: 2.5').waitFor();
    await select(page, 'sum');
    await inspector.getByText('In this run: 3.5').waitFor();
    await inspector.getByRole('textbox', { name: 'Value' }).fill('nodes.find.output.customer');
    await inspector.getByText('In this run: "Grace"').waitFor();
    await inspector.getByLabel('Values of run').selectOption({ index: 1 });
    await inspector.getByText('In this run: "Ada"').waitFor();
  });

  it('that is wrong is underlined, with the sentence of the core, and says in words why it gives nothing', async () => {
    const flow = await flowThatRan();
    const { inspector } = await openNode(flow, 'sum');
    const field = inspector.getByRole('textbox', { name: 'Value' });
    await field.fill('1 + nodes.fnd.output.total');
    const underlined = inspector.locator('.cm-lintRange-error');
    await underlined.waitFor();
    expect(await underlined.textContent()).toBe('nodes.fnd.output.total');
    await inspector.getByText('There is no node "fnd"').waitFor();
    await inspector.getByText('fnd is not in the version that ran.').waitFor();
    await field.fill('nodes.find.output.total');
    await inspector.getByText('It gives nothing here.').waitFor();
  });

  it('that reads another type than is wanted, or a node that is not there, is mended by a press (rule 7)', async () => {
    const note = { path: 'a.txt', text: '{{ nodes.each.output }}' } as const;
    const flow = await newFlow([{ id: 'keep', kind: 'tool', tool: 'files.write@1', args: note }]);
    const { page, inspector, trouble } = await openNode(flow, 'keep');
    const problems = page.getByRole('region', { name: 'Problems' });
    const said = 'args.text must be text, and nodes.each.output is a list';
    await inspector.getByText(said).waitFor();
    await problems.getByText(said).waitFor();
    await problems.getByRole('button', { name: 'Use {{ $string(nodes.each.output) }}' }).click();
    await onServer(flow, 'keep', ({ args }) => args).toMatchObject({
      text: '{{ $string(nodes.each.output) }}',
    });
    await expect.poll(() => page.getByText(said).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await inspector.getByText(said).waitFor();
    const field = inspector.getByRole('textbox', { name: 'text' });
    await field.fill('$sum(nodes.eech.output) & ""');
    await inspector.getByRole('button', { name: 'Use each' }).click();
    await onServer(flow, 'keep', ({ args }) => args).toMatchObject({
      text: '{{ $sum(nodes.each.output) & "" }}',
    });
    expect(trouble).toEqual([]);
  });

  it('that never ends does not freeze the page', async () => {
    const flow = await flowThatRan();
    const { inspector, page } = await openNode(flow, 'sum');
    const field = inspector.getByRole('textbox', { name: 'Value' });
    await field.fill('($f := function($x) { $f($x + 1) }; $f(1))');
    await inspector.getByText(/It takes too long|too deeply/).waitFor();
    await field.fill('1 + 1');
    await inspector.getByText('In this run: 2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
  });
});

describe('by keys alone', () => {
  it('a value becomes an expression, is completed, undone by the editor, and Tab leaves the field', async () => {
    const flow = await flowThatRan();
    const { page, inspector } = await openNode(flow, 'find');
    await inspector.getByLabel('Title').focus();
    await press(page, 'Tab', () => focusedName(page), 'Id, read by expressions');
    await press(page, 'Tab', () => focusedName(page), 'Insert a value into Value');
    await press(page, 'Tab', () => focusedName(page), 'Value');
    await press(page, 'Tab', () => focusedName(page), 'Expression');
    await page.keyboard.press('Enter');
    await inspector.getByRole('textbox', { name: 'Value' }).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('inp');
    await page
      .getByRole('option', { name: /^input/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await onServer(flow, 'find', ({ value }) => value).toBe('{{ input }}');
    await page.keyboard.press('Control+z');
    await onServer(flow, 'find', ({ value }) => JSON.stringify(value).includes('sku')).toBe(true);
    const field = page.locator('.cm-content:focus');
    expect(await field.count()).toBe(1);
    await page.keyboard.press('Tab');
    await field.waitFor({ state: 'detached' });
  });

  it('JavaScript is indented by Tab, and left by Escape and Tab, as the field says', async () => {
    const flow = await flowThatRan([
      { id: 'code', kind: 'code', title: 'Code', source: 'export default () => 1;\n' },
    ]);
    const { page, inspector } = await openNode(flow, 'code');
    const field = inspector.getByRole('textbox', { name: 'JavaScript' });
    await field.focus();
    expect(await field.getAttribute('aria-describedby')).not.toBeNull();
    await inspector.getByText('Escape, then Tab, leaves the field').waitFor();
    await page.keyboard.press('Tab');
    await onServer(flow, 'code', ({ source }) => source).toBe('  export default () => 1;\n');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await page.locator('.cm-content:focus').waitFor({ state: 'detached' });
  });

  it('messages of a prompt are added, written and moved', async () => {
    const flow = await flowThatRan();
    const { page, inspector } = await openNode(flow, 'write');
    await inspector.getByRole('button', { name: 'Add a message' }).focus();
    await page.keyboard.press('Enter');
    await inspector.getByRole('textbox', { name: 'Message 2' }).focus();
    await page.keyboard.type('Be kind.');
    await inspector.getByLabel('Role of message 2').selectOption('system');
    await inspector.getByRole('button', { name: 'Move message 2 up' }).focus();
    await page.keyboard.press('Enter');
    await onServer(flow, 'write', ({ prompt }) => prompt).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Write to {{ nodes.find.output.customer }}.' },
    ]);
    await inspector.getByText('In this run: "Write to Ada."').waitFor();
  });
});

/** What the control is called that has the focus. */
const focusedName = (page: Page) =>
  page
    .locator(':focus')
    .evaluate((at: { labels?: { textContent: string }[]; ariaLabel: string | null; textContent: string }) =>
      (at.ariaLabel ?? at.labels?.[0]?.textContent ?? at.textContent).trim(),
    );

async function press(page: Page, key: string, read: () => Promise<string>, wanted: string): Promise<void> {
  await page.keyboard.press(key);
  await expect.poll(read).toBe(wanted);
}

describe('the forms', () => {
  it('of a tool ask for each argument as its schema names it, and say what the tool does', async () => {
    const { items } = await pawl.client.listTools();
    const tool = items.find((each) => each.name === 'files.write')!;
    const flow = await newFlow([
      {
        id: 'keep',
        kind: 'tool',
        title: 'Keep',
        tool: `${tool.name}@${tool.version}`,
        args: { path: 'a.txt', text: 'x' },
      },
    ]);
    const { inspector } = await openNode(flow, 'keep');
    await inspector.getByText(/It is sent with a key|It is never sent again by itself/).waitFor();
    const names = Object.keys((tool.input as { properties: object }).properties);
    for (const name of names) await inspector.getByLabel(new RegExp(`^${name}( · optional)?$`)).waitFor();
    await inspector.getByText(/Try again up to 3 times, waiting 1 s, then 2 s, then 4 s/).waitFor();
    await inspector.getByLabel('Tries at most').fill('1');
    await inspector.getByText('It is tried once.').waitFor();
    await onServer(flow, 'keep', ({ retry }) => retry).toEqual({ maxAttempts: 1 });
  });

  it('build a schema row by row, with the JSON view of the same', async () => {
    const flow = await flowThatRan();
    const { inspector, page } = await openNode(flow, 'write');
    await inspector.getByRole('button', { name: 'Add a field' }).click();
    const row = inspector.getByRole('group', { name: 'Field field' });
    await row.getByLabel('Type').selectOption('number');
    await row.getByLabel('What it means').fill('How sure it is');
    await row.getByLabel('Name').fill('score');
    await page.keyboard.press('Enter');
    const schema = {
      type: 'object',
      properties: { score: { type: 'number', description: 'How sure it is' } },
      required: ['score'],
    };
    await onServer(flow, 'write', ({ output }: { output?: { schema?: unknown } }) => output?.schema).toEqual(
      schema,
    );
    await inspector.getByRole('button', { name: 'JSON' }).click();
    const text = inspector.getByRole('textbox', { name: 'Schema of the answer' });
    await text.getByText('"How sure it is"').waitFor();
    await text.fill('{"type": "object", "properties": {');
    await inspector.getByText('This is not JSON yet.').waitFor();
    expect(((await nodeOf(flow, 'write')) as never as { output: { schema: unknown } }).output.schema).toEqual(
      schema,
    );
  });

  it('offer models with what they cost', async () => {
    const flow = await flowThatRan();
    const { inspector, page } = await openNode(flow, 'write');
    await inspector.getByRole('button', { name: /^Model sim:writer/ }).click();
    const list = page.getByRole('dialog', { name: 'Model' });
    await list.getByText('Simulator: needs no key').first().waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await list.getByLabel('Another one: provider:model, Enter').fill('sim:judge');
    await page.keyboard.press('Enter');
    await onServer(flow, 'write', ({ model }) => model).toBe('sim:judge');
  });

  it('of the flow say what a run may spend, and an agent without a budget leads there', async () => {
    const agent = {
      id: 'help',
      kind: 'agent',
      title: 'Help',
      model: 'sim:writer',
      prompt: 'Help.',
      tools: [{ ask: 'person' }],
    };
    number += 1;
    const flow = `inspected-${number}`;
    await pawl.client.createFlow({
      body: { format: 'pawl/1', name: flow, nodes: [agent], edges: [] } as never,
    });
    const { inspector, page } = await openNode(flow, 'help');
    await inspector.getByText('the flow has no budget').waitFor();
    await inspector.getByRole('button', { name: 'Set the budget of the flow' }).click();
    const settings = page.getByRole('complementary', { name: 'Settings of the flow' });
    await settings.getByText('A run may spend whatever it takes.').waitFor();
    await settings.getByLabel('Money, in USD').fill('0.5');
    await settings.getByText('A run may spend up to $0.5.').waitFor();
    await page.getByText('No problems').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
  });
});

describe('the tabs', () => {
  it('show what the node got, gave, and how it ran lately', async () => {
    const flow = await flowThatRan();
    const { inspector, page, trouble } = await openNode(flow, 'write');
    await inspector.getByRole('tab', { name: 'Input' }).click();
    await inspector.getByText('Sent to sim:writer').waitFor();
    await inspector.getByText('Write to Ada.').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await inspector.getByRole('tab', { name: 'Output' }).click();
    await inspector.getByText('What it gave').waitFor();
    await select(page, 'each');
    await inspector.getByText('2.5').waitFor();
    await select(page, 'price');
    await inspector.getByRole('tab', { name: 'History' }).click();
    await inspector.getByRole('link', { name: /done each\/1\/price/ }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await inspector.getByRole('link', { name: /done each\/0\/price/ }).click();
    await page.waitForURL(/\/runs\/.*select=/);
    expect(trouble).toEqual([]);
  });

  it('show the beginning of a value that is too big, and stay quick', async () => {
    const flow = await flowThatRan([
      { id: 'big', kind: 'transform', title: 'Big', value: '{{ $pad("", 300000, "x") }}' },
    ]);
    const { inspector } = await openNode(flow, 'big');
    await inspector.getByText(/^In this run: "xxx/).waitFor();
    await inspector.getByRole('tab', { name: 'Output' }).click();
    await inspector.getByText('The first 64 of 293 KB are shown.').waitFor();
  });

  it('without a run say that there is none', async () => {
    number += 1;
    const flow = `inspected-${number}`;
    const nodes = [{ id: 'only', kind: 'transform', value: '{{ input }}' }];
    await pawl.client.createFlow({ body: { format: 'pawl/1', name: flow, nodes, edges: [] } as never });
    const { inspector } = await openNode(flow, 'only');
    await inspector.getByText('Values of the last run are shown here once there is one.').waitFor();
    await inspector.getByRole('tab', { name: 'Output' }).click();
    await inspector.getByText('This flow has not run yet.').waitFor();
  });
});
