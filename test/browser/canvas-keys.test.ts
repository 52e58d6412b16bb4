// Would catch: something on the canvas that only a pointer can do, a list that says or does less than the canvas, and a screen that is too
// wide for a phone or for letters of twice the size.
import type { FlowDocument } from '@pawl/dag-core';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { seriousIssues } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

let pawl: Pawl;

beforeAll(async () => {
  pawl = await startPawl({ workers: 1 });
});

afterAll(async () => {
  await closeBrowser();
  await pawl.stop();
});

let number = 0;

async function newFlow(parts: Pick<FlowDocument, 'nodes' | 'edges'> = { nodes: [], edges: [] }) {
  const name = `keys-${++number}`;
  await pawl.client.createFlow({
    body: { format: 'pawl/1', name, title: 'By keys', ...parts } as never,
  });
  return name;
}

/** read → decide → (yes) write, and a map beside them. */
const SOME: Pick<FlowDocument, 'nodes' | 'edges'> = {
  nodes: [
    { id: 'read', kind: 'transform', title: 'Read request', value: '{{ input }}' },
    { id: 'decide', kind: 'switch', title: 'Decide', cases: [{ port: 'yes', when: 'nodes.read.output' }] },
    { id: 'write', kind: 'llm', title: 'Write reply', model: 'sim:writer', prompt: 'Reply.' },
    {
      id: 'each',
      kind: 'map',
      title: 'Each line',
      over: '{{ [1, 2] }}',
      body: {
        nodes: [{ id: 'line', kind: 'transform', title: 'Read line', value: '{{ item }}' }],
        edges: [],
      },
    },
  ],
  edges: [
    { from: 'read', to: 'decide' },
    { from: 'decide', port: 'yes', to: 'write' },
  ],
};

const node = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
const row = (page: Page, id: string) => page.locator(`[data-row="${id}"]`);
const draftOf = async (flow: string) =>
  (await pawl.client.getFlow({ params: { flow } })).document as unknown as FlowDocument;
const edgesOf = async (flow: string) =>
  (await draftOf(flow)).edges.map(({ from, port, to }) => `${from}${port ? `:${port}` : ''} -> ${to}`);
const heard = (page: Page, words: string) =>
  page.locator('[aria-live]').getByText(words).waitFor({ state: 'attached' });
const isFocused = (locator: Locator) => locator.and(locator.page().locator(':focus')).waitFor();
const sticksOut = (page: Page) =>
  page.evaluate<number>('document.scrollingElement.scrollWidth - window.innerWidth');

/** Adds a node by its name in the palette, and says its id. */
async function add(page: Page, words: string, id: string, at: (page: Page, id: string) => Locator) {
  await page.keyboard.press('/');
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
  await isFocused(at(page, id));
}

/** Tests the flow from the keyboard, and waits until a node is done. */
async function test(page: Page, done: Locator) {
  await page.keyboard.press('Escape');
  await page.keyboard.press('t');
  const start = page
    .getByRole('dialog', { name: 'Test this draft' })
    .getByRole('button', { name: 'Start the test' });
  await expect.poll(() => start.isEnabled()).toBe(true);
  await start.focus();
  await page.keyboard.press('Enter');
  await done.getByText('done', { exact: true }).waitFor();
}

describe('by keys alone', () => {
  it.each([
    ['the canvas', 'canvas', node],
    ['the list', 'list', row],
  ] as const)('rule 8: three nodes are added, connected and run on %s', async (_, view, at) => {
    const flow = await newFlow();
    const { page, trouble } = await openPage();
    await page.goto(`${pawl.url}/flows/${flow}?view=${view}`);
    await page.getByRole('region', { name: 'Drawing of the flow' }).waitFor();
    await page.getByPlaceholder('Search nodes').waitFor();
    await add(page, 'transf', 'transform', at);
    await heard(page, 'Added transform');
    await add(page, 'code', 'code', at);
    await page.keyboard.press('Escape');
    await add(page, 'join', 'join', at);
    await page.keyboard.press('Escape');
    await at(page, 'code').focus();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'Connect code to …' });
    await dialog.getByRole('option', { name: /^join/ }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.type('jo');
    await page.keyboard.press('Enter');
    await heard(page, 'Connected code → join');
    await isFocused(at(page, 'code'));
    await expect.poll(() => edgesOf(flow)).toEqual(['transform -> code', 'code -> join']);
    await test(page, at(page, 'join'));
    expect(trouble).toEqual([]);
  });

  it('rule 7: what cannot be connected is listed with the reason, and a loop is the way out of a circle', async () => {
    const flow = await newFlow(SOME);
    const { page } = await openPage();
    await page.goto(`${pawl.url}/flows/${flow}`);
    await node(page, 'write').focus();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'Connect Write reply to …' });
    await dialog.getByRole('option', { name: /Read line.*cannot cross the border of Each line/ }).waitFor();
    await page.keyboard.type('read req');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('Write reply → Read request → Decide → Write reply').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await node(page, 'loop').waitFor();
    await heard(page, 'Wrapped in loop');
    await page.keyboard.press('Control+z');
    await heard(page, 'Undone: wrap in loop');
    await node(page, 'loop').waitFor({ state: 'detached' });
  });

  it('rule 8: an edge is chosen by its port, and removed', async () => {
    const flow = await newFlow(SOME);
    const { page } = await openPage();
    await page.goto(`${pawl.url}/flows/${flow}`);
    await node(page, 'decide').focus();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'Connect Decide to …' });
    await dialog.getByRole('radio', { name: 'default', checked: true }).waitFor();
    await page.keyboard.type('each');
    await page.keyboard.press('Enter');
    await expect.poll(() => edgesOf(flow)).toContain('decide:default -> each');
    await isFocused(node(page, 'decide'));
    await page.keyboard.press('x');
    await page.getByRole('dialog', { name: 'Remove an edge of Decide' }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.type('reply');
    await page.keyboard.press('Enter');
    await heard(page, 'Removed the edge Decide → Write reply');
    await expect.poll(() => edgesOf(flow)).toEqual(['read -> decide', 'decide:default -> each']);
  });

  it('rule 8: arrows go along the edges, with Shift they select on the way, and lead into containers', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/flows/${await newFlow(SOME)}`);
    await node(page, 'read').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await isFocused(node(page, 'decide'));
    await page.keyboard.press('Shift+ArrowRight');
    await isFocused(node(page, 'write'));
    await expect.poll(() => page.locator('.react-flow__node.selected').count()).toBe(2);
    await node(page, 'each').focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.keyboard.press('PageDown');
    await isFocused(node(page, 'line'));
    await page.keyboard.press('PageUp');
    await isFocused(node(page, 'each'));
  });
});

describe('the list of a flow', () => {
  it('rule 8: says what the canvas says, and does what it does', async () => {
    const flow = await newFlow(SOME);
    const { page, trouble } = await openPage();
    await page.goto(`${pawl.url}/flows/${flow}`);
    await page.getByRole('button', { name: 'List' }).click();
    await page.waitForURL(/view=list/);
    await row(page, 'decide').getByText('after Read request').waitFor();
    await row(page, 'decide').getByText('leads to Write reply by yes').waitFor();
    await row(page, 'decide').getByText('reads Read request').waitFor();
    const inside = page.getByRole('list', { name: 'Inside Each line' });
    await inside.locator('[data-row="line"]').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await row(page, 'read').focus();
    await page.keyboard.press('ArrowDown');
    await isFocused(row(page, 'decide'));
    await page
      .getByRole('complementary', { name: 'Settings of the node' })
      .getByRole('heading', { name: 'Decide' })
      .waitFor();
    await page.keyboard.press('End');
    await isFocused(row(page, 'line'));
    await page.keyboard.press('ArrowLeft');
    await isFocused(row(page, 'each'));
    await page.keyboard.press('ArrowLeft');
    await inside.waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowRight');
    await inside.waitFor();
    await row(page, 'write').click();
    const actions = page.getByRole('group', { name: 'What can be done with Write reply' });
    await actions.getByRole('button', { name: 'Rename' }).click();
    await page.keyboard.type('Answer');
    await page.keyboard.press('Enter');
    await row(page, 'write').getByText('Answer').waitFor();
    await page.keyboard.press('Delete');
    await row(page, 'write').waitFor({ state: 'detached' });
    await heard(page, 'Removed Answer');
    await expect.poll(() => edgesOf(flow)).toEqual(['read -> decide']);
    await page.reload();
    await row(page, 'decide').waitFor();
    await page.getByRole('button', { name: 'Canvas' }).click();
    await node(page, 'read').waitFor();
    expect(trouble).toEqual([]);
  });

  it.each([
    ['a phone', { width: 420, height: 800 }, 'light'],
    ['letters of twice the size', { width: 720, height: 450 }, 'dark'],
  ] as const)('fits %s, and so do canvas and settings', async (_, viewport, colorScheme) => {
    const flow = await newFlow(SOME);
    const { page } = await openPage({ viewport, colorScheme });
    await page.goto(`${pawl.url}/flows/${flow}${viewport.width > 700 ? '?view=list' : ''}`);
    await row(page, 'write').click();
    await page
      .getByRole('complementary', { name: 'Settings of the node' })
      .getByRole('tab', { name: 'Settings' })
      .waitFor();
    expect(await sticksOut(page)).toBeLessThanOrEqual(0);
    expect(await seriousIssues(page)).toEqual([]);
    await page
      .getByRole('group', { name: /Write reply/ })
      .getByRole('button', { name: 'Connect …' })
      .click();
    await page
      .getByRole('dialog')
      .getByRole('option', { name: /^Each line/ })
      .click();
    await expect.poll(() => edgesOf(flow)).toContain('write -> each');
    await page.getByRole('button', { name: 'Canvas' }).click();
    await node(page, 'write').waitFor();
    expect(await sticksOut(page)).toBeLessThanOrEqual(0);
    expect(await seriousIssues(page)).toEqual([]);
  });
});
