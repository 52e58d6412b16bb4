// Would catch: a command that is found and does nothing, a key that is shown and not bound, and one that is heard where somebody types.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { endOf } from '../support/run-to-end.ts';
import { seriousIssues } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

let pawl: Pawl;
const FLOW = 'greet';

beforeAll(async () => {
  pawl = await startPawl({ workers: 1 });
  await pawl.client.createFlow({
    body: {
      format: 'pawl/1',
      name: FLOW,
      title: 'Greet somebody',
      nodes: [
        { id: 'begin', kind: 'transform', title: 'Read name', value: 'Ada' },
        { id: 'end', kind: 'transform', title: 'Say hello', value: '{{ nodes.begin.output }}' },
      ],
      edges: [{ from: 'begin', to: 'end' }],
    } as never,
  });
});

afterAll(async () => {
  await closeBrowser();
  await pawl.stop();
});

const paletteOf = (page: Page) => page.getByRole('dialog', { name: 'Go to or do …' });
const node = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);

/** Opens the palette by its keys, types, and chooses what comes first. */
async function choose(page: Page, typed: string, first: RegExp) {
  await page.keyboard.press('Control+k');
  await paletteOf(page).getByRole('combobox').waitFor();
  await page.keyboard.type(typed);
  await paletteOf(page).getByRole('option', { name: first, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await paletteOf(page).waitFor({ state: 'detached' });
}

describe('the command palette', () => {
  it('goes to a screen, a flow and a run from anywhere, by what they are called', async () => {
    await pawl.client.publishFlow({ params: { flow: FLOW } });
    const { runId } = await pawl.client.startRun({ body: { flow: FLOW } });
    await endOf(pawl, runId);
    const { page, trouble } = await openPage();
    await page.goto(`${pawl.url}/settings`);
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await choose(page, 'tool', /^Tools/);
    await page.waitForURL(`${pawl.url}/tools`);
    await choose(page, 'somebody gre', /^Greet somebody/);
    await page.waitForURL(`${pawl.url}/flows/${FLOW}`);
    await node(page, 'begin').waitFor();
    await choose(page, runId, new RegExp(runId.slice(-8)));
    await page.waitForURL(`${pawl.url}/runs/${runId}`);
    expect(trouble).toEqual([]);
  });

  it('finds the nodes of a canvas and what can be done there, each with the keys that do it', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/flows/${FLOW}`);
    await node(page, 'begin').waitFor();
    await choose(page, 'say', /^Say hello/);
    await node(page, 'end').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('connect');
    const connect = paletteOf(page).getByRole('option', { name: /^Connect a node/ });
    await connect.getByText('C', { exact: true }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Connect Say hello to …' }).waitFor();
    await page.keyboard.press('Escape');
    await choose(page, 'as a list', /^Show as a list/);
    await page.waitForURL(/view=list/);
    await choose(page, 'add', /^Add a node/);
    await page.getByPlaceholder('Search nodes').and(page.locator(':focus')).waitFor();
  });
});

describe('the keys of a screen', () => {
  it.each(['light', 'dark'] as const)('are shown by ?, and not where one types: %s', async (colorScheme) => {
    const { page, trouble } = await openPage({ colorScheme });
    await page.goto(`${pawl.url}/flows/${FLOW}`);
    await node(page, 'begin').focus();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys of this screen' });
    await keys.getByText('Remove an edge …').waitFor();
    await keys.getByText('Go to the node before, after, above, below').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await page.getByPlaceholder('Search nodes').focus();
    await page.keyboard.type('?');
    expect(await page.getByPlaceholder('Search nodes').inputValue()).toBe('?');
    expect(await keys.count()).toBe(0);
    await page.goto(`${pawl.url}/runs`);
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await page.keyboard.press('?');
    await keys.getByText('Go to or do something by its name').waitFor();
    expect(await keys.getByText('Remove an edge …').count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it('are those that the commands name, and each does what it says', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/flows/${FLOW}`);
    await node(page, 'begin').focus();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys of this screen' });
    const capsFor = async (words: string) =>
      keys.locator('dl > div').filter({ hasText: words }).locator('kbd').allInnerTexts();
    await keys.getByText('Show as a list').waitFor();
    const [list, edge] = [await capsFor('Show as a list'), await capsFor('Remove an edge …')];
    await page.keyboard.press('Escape');
    await node(page, 'begin').and(page.locator(':focus')).waitFor();
    await page.keyboard.press(edge[0]!.toLowerCase());
    await page.getByRole('dialog', { name: 'Remove an edge of Read name' }).waitFor();
    await page.keyboard.press('Escape');
    await node(page, 'begin').and(page.locator(':focus')).waitFor();
    await page.keyboard.press(list[0]!.toLowerCase());
    await page.waitForURL(/view=list/);
  });
});
