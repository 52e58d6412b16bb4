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

/** A flow of its own: read → decide → (yes) write, and a map beside them. */
async function newFlow(): Promise<string> {
  number += 1;
  const name = `draft-${number}`;
  const document: FlowDocument = {
    format: 'pawl/1',
    name,
    title: 'Sort requests',
    nodes: [
      { id: 'read', kind: 'transform', title: 'Read request', value: '{{ input }}' },
      { id: 'decide', kind: 'switch', title: 'Decide', cases: [{ port: 'yes', when: 'true' }] },
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
      { from: 'decide', port: 'default', to: 'each' },
    ],
  };
  await pawl.client.createFlow({ body: document as never });
  return name;
}

async function openFlow(flow: string) {
  const opened = await openPage();
  await opened.page.goto(`${pawl.url}/flows/${flow}`);
  await node(opened.page, 'read').waitFor();
  return opened;
}

const node = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);

async function draftOf(flow: string): Promise<FlowDocument> {
  return (await pawl.client.getFlow({ params: { flow } })).document as unknown as FlowDocument;
}

const saved = (page: Page) => page.getByRole('status').getByText('Saved', { exact: true }).waitFor();

/** Waits until the draft on the server is so. */
const onServer = (flow: string, isSo: (document: FlowDocument) => boolean) =>
  expect.poll(async () => isSo(await draftOf(flow))).toBe(true);

describe('the canvas', () => {
  it('draws a draft with its ports and open containers, and a look at it saves nothing', async () => {
    const flow = await newFlow();
    const { page, trouble } = await openFlow(flow);
    await node(page, 'decide').getByText('default').waitFor();
    await node(page, 'line').getByText('Read line').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    expect((await pawl.client.getFlow({ params: { flow } })).revision).toBe(1);
    await page.getByRole('button', { name: 'Close Each line' }).click();
    await node(page, 'line').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await node(page, 'line').waitFor();
    expect(trouble).toEqual([]);
  });

  it('builds a flow by keys alone, and saves it', async () => {
    const flow = await newFlow();
    const { page } = await openFlow(flow);
    await node(page, 'read').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    await page.keyboard.type('appro');
    await page.keyboard.press('Enter');
    await node(page, 'approval').waitFor();
    await page.keyboard.press('F2');
    await page.keyboard.type('Ask first');
    await page.keyboard.press('Enter');
    await onServer(flow, ({ nodes, edges }) => {
      const added = nodes.find(({ id }) => id === 'approval');
      return added?.title === 'Ask first' && edges.some(({ to }) => to === 'approval');
    });
    await saved(page);
    await page.keyboard.press('Delete');
    await node(page, 'approval').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await node(page, 'approval').getByText('Ask first').waitFor();
  });

  it('says why a connection is refused, and repeats in a loop instead', async () => {
    const flow = await newFlow();
    const { page } = await openFlow(flow);
    await drag(page, node(page, 'write').locator('.source'), node(page, 'read').locator('.target'));
    const bubble = page.getByRole('alert');
    await bubble.getByText('Write reply → Read request → Decide → Write reply').waitFor();
    await bubble.getByRole('button', { name: 'Wrap in a loop' }).click();
    await node(page, 'loop').waitFor();
    await onServer(flow, ({ nodes }) => nodes.some(({ id, kind }) => id === 'loop' && kind === 'loop'));
  });
});

describe('the settings of a node', () => {
  it('are edited as values or expressions, with their problems beside them, and published when none is left', async () => {
    const flow = await newFlow();
    const { page, trouble } = await openFlow(flow);
    await node(page, 'write').focus();
    await node(page, 'write').click({ position: { x: 110, y: 12 } });
    const settings = page.getByRole('complementary', { name: 'Settings of the node' });
    const prompt = settings.getByRole('textbox', { name: 'Prompt' });
    await prompt.fill('Reply to {{ nodes.reed.output }}');
    await settings.getByText('reed').first().waitFor();
    const problems = page.getByRole('region', { name: 'Problems' });
    await problems.getByRole('button').first().waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await prompt.fill('Reply to {{ nodes.read.output }}');
    await problems.getByText('No problems').waitFor();
    await node(page, 'read').click({ position: { x: 110, y: 12 } });
    await settings.getByRole('button', { name: 'Value', exact: true }).click();
    await settings.getByRole('textbox', { name: 'Value' }).fill('{"from": "Ada"}');
    await onServer(flow, ({ nodes }) => JSON.stringify(nodes[0]).includes('{"from":"Ada"}'));
    await page.getByRole('button', { name: 'Publish …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    const done = page.getByRole('dialog', { name: 'Version 1 is published' });
    await done.getByRole('button', { name: 'Run …' }).click();
    await page
      .getByRole('dialog', { name: `Run ${flow}` })
      .getByRole('button', { name: 'Start run' })
      .click();
    await page.waitForURL(/\/runs\//);
    expect(trouble).toEqual([]);
  });
});

describe('saving', () => {
  it('C76: merges what two tabs changed, and neither overwrites the other', async () => {
    const flow = await newFlow();
    const [one, other] = [await openFlow(flow), await openFlow(flow)];
    await rename(one.page, 'read', 'Mine');
    await saved(one.page);
    await onServer(flow, ({ nodes }) => nodes[0]?.title === 'Mine');
    // Both edits are made before the second tab hears of the first one's.
    await other.context.setOffline(true);
    await rename(other.page, 'read', 'Theirs');
    await rename(other.page, 'write', 'Write letter');
    await other.context.setOffline(false);
    const dialog = other.page.getByRole('dialog', { name: 'Somebody else changed this flow' });
    await dialog.getByRole('radio', { name: 'read /title: Theirs' }).check();
    expect(await seriousIssues(other.page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await saved(other.page);
    await onServer(flow, ({ nodes }) => nodes[0]?.title === 'Mine' && nodes[2]?.title === 'Write letter');
    // Each of the three is a revision of its own: the first draft, what one saved, what the other merged.
    expect((await pawl.client.getFlow({ params: { flow } })).revision).toBeGreaterThanOrEqual(3);
  });

  it('keeps edits in the browser while offline, and through a crash of the tab', async () => {
    const flow = await newFlow();
    const { page, context } = await openFlow(flow);
    await context.setOffline(true);
    await rename(page, 'read', 'Read later');
    await page.getByRole('status').getByText('Offline: kept in this browser').waitFor();
    // A tab that is closed sends what it has; one that crashes does not come to that.
    const crashed = page.waitForEvent('crash');
    await page.goto('chrome://crash').catch(() => undefined);
    await crashed;
    await page.close();
    expect((await draftOf(flow)).nodes[0]?.title).toBe('Read request');
    await context.setOffline(false);
    const again = await context.newPage();
    await again.goto(`${pawl.url}/flows/${flow}`);
    await node(again, 'read').getByText('Read later').waitFor();
    await onServer(flow, ({ nodes }) => nodes[0]?.title === 'Read later');
    await saved(again);
  });
});

describe('what is loaded after the first look', () => {
  const copies = (page: Page) => page.locator('.react-flow__node').filter({ hasText: 'Read request' });

  it('is there when the server is away by then', async () => {
    const { page, context } = await openPage();
    const isLoaded = page.waitForResponse(/assets\/rewrite-/).then((response) => response.finished());
    await page.goto(`${pawl.url}/flows/${await newFlow()}`);
    await isLoaded;
    await context.setOffline(true);
    await node(page, 'read').click({ position: { x: 110, y: 12 } });
    await page.keyboard.press('ControlOrMeta+d');
    await expect.poll(() => copies(page).count()).toBe(2);
  });

  it('leaves the rest as it is when it does not come, and says what to do', async () => {
    const flow = await newFlow();
    const { page } = await openPage();
    await page.route(/assets\/(rewrite|loaded-menu|publish-dialog)-/, (route) => route.abort());
    await page.goto(`${pawl.url}/flows/${flow}`);
    const told = page.getByRole('alert').filter({ hasText: 'A part of this page could not be loaded.' });
    const close = () => told.getByRole('button', { name: 'Close' }).click();
    await node(page, 'read').click({ position: { x: 110, y: 12 } });
    await page.keyboard.press('ControlOrMeta+d');
    await told.waitFor();
    await close();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await told.getByRole('button', { name: 'Load the page again' }).waitFor();
    await close();
    await rename(page, 'read', 'Still here');
    await onServer(flow, ({ nodes }) => nodes.length === 4 && nodes[0]?.title === 'Still here');
    await page.getByRole('button', { name: 'Publish' }).click();
    await told.waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.unroute(/assets\/(rewrite|loaded-menu|publish-dialog)-/);
    await told.getByRole('button', { name: 'Load the page again' }).click();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('dialog', { name: `Publish ${flow}` }).waitFor();
  });
});

async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  for (const [at, end] of [from, to].entries()) {
    const { x, y, width, height } = (await end.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 10 });
    if (at === 0) await page.mouse.down();
  }
  await page.mouse.up();
}

async function rename(page: Page, id: string, title: string): Promise<void> {
  await node(page, id).focus();
  await node(page, id).click({ position: { x: 110, y: 12 } });
  await page.keyboard.press('F2');
  await page.keyboard.type(title);
  await page.keyboard.press('Enter');
  await node(page, id).getByText(title).waitFor();
}
