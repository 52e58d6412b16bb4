// Would catch: a sub-flow that is shown in another version than the one that runs, a way into it that does not lead back, and edits that
// are lost on the way.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { seriousIssues } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

let pawl: Pawl;

const runs = (id: string, title: string, flow: string) => ({ id, kind: 'flow', title, flow });
const says = (id: string, title: string) => ({ id, kind: 'transform', title, value: 1 });

beforeAll(async () => {
  pawl = await startPawl({ workers: 0 });
  const flow = async (name: string, title: string, nodes: readonly object[]) => {
    await pawl.client.createFlow({ body: { format: 'pawl/1', name, title, nodes, edges: [] } as never });
    if (name !== 'order' && name !== 'unborn') await pawl.client.publishFlow({ params: { flow: name } });
  };
  await flow('postcode', 'Find a postcode', [says('find', 'Look it up')]);
  await flow('address', 'Check an address', [
    runs('code', 'Postcode', 'postcode'),
    says('tidy', 'Tidy street'),
  ]);
  await flow('unborn', 'Not yet', [says('a', 'A')]);
  await flow('order', 'Take an order', [
    runs('check', 'Check address', 'address@1'),
    runs('later', 'Do later', 'unborn'),
    says('thank', 'Say thanks'),
  ]);
  // What was drawn since is not what runs.
  const { document, revision } = await pawl.client.getFlow({ params: { flow: 'address' } });
  const changed = document as never as { nodes: { title: string }[] };
  changed.nodes[1]!.title = 'Drawn since';
  await pawl.client.saveDraft({
    params: { flow: 'address' },
    headers: { 'if-match': `"${revision}"` },
    body: changed as never,
  });
});

afterAll(async () => {
  await closeBrowser();
  await pawl.stop();
});

const node = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);

describe('a node that runs a flow', () => {
  it('opens the version that it runs, and the flows in that; the address keeps the way, and it leads back to what was drawn', async () => {
    const { page, trouble } = await openPage();
    await page.goto(`${pawl.url}/flows/order`);
    await node(page, 'thank').waitFor();
    await node(page, 'thank').click({ position: { x: 110, y: 12 } });
    await page.keyboard.press('F2');
    await page.keyboard.type('Say goodbye');
    await page.keyboard.press('Enter');
    await node(page, 'check').getByRole('link', { name: 'Open address' }).click();
    await page.waitForURL(`${pawl.url}/flows/order?into=check`);
    await page.getByText('Version 1, to be looked at').waitFor();
    await node(page, 'tidy').getByText('Tidy street').waitFor();
    expect(await page.getByText('Drawn since').count()).toBe(0);
    expect(await seriousIssues(page)).toEqual([]);
    await node(page, 'code').click({ position: { x: 110, y: 12 } });
    await page.getByRole('link', { name: 'Open postcode' }).click();
    await node(page, 'find').getByText('Look it up').waitFor();
    await page.reload();
    await node(page, 'find').waitFor();
    const way = page.getByRole('navigation', { name: 'Way into sub-flows' });
    expect(await way.textContent()).toBe('Flows/Take an order/Check an address/Find a postcode');
    await way.getByRole('link', { name: 'Check an address' }).click();
    await node(page, 'tidy').waitFor();
    await way.getByRole('link', { name: 'Take an order' }).click();
    await node(page, 'thank').getByText('Say goodbye').waitFor();
    await page.goBack();
    await node(page, 'tidy').waitFor();
    await page.getByRole('link', { name: 'Edit this flow' }).click();
    await page.waitForURL(`${pawl.url}/flows/address`);
    await node(page, 'tidy').getByText('Drawn since').waitFor();
    expect(trouble).toEqual([]);
  });

  it('rule 8: is opened by keys on the canvas, and from its row in the list', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/flows/order`);
    await node(page, 'check').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('PageDown');
    await node(page, 'tidy').waitFor();
    await page.goto(`${pawl.url}/flows/order?view=list`);
    await page.locator('[data-row="check"]').click();
    await page.getByRole('link', { name: 'Open address' }).click();
    await page.waitForURL(/into=check/);
    await node(page, 'tidy').waitFor();
  });

  it('rule 7: says why there is nothing to show, and leads to the draft', async () => {
    const { page } = await openPage({ viewport: { width: 420, height: 800 } });
    await page.goto(`${pawl.url}/flows/order?into=later`);
    await page.getByRole('alert').getByText('unborn has no published version yet').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    expect(
      await page.evaluate<number>('document.scrollingElement.scrollWidth - window.innerWidth'),
    ).toBeLessThanOrEqual(0);
    await page.getByRole('link', { name: 'Go to the draft of unborn' }).click();
    await page.waitForURL(`${pawl.url}/flows/unborn`);
    await page.goto(`${pawl.url}/flows/order?into=thank`);
    await page.getByRole('alert').getByText('There is no node thank here that runs a flow.').waitFor();
  });
});
