// Would catch: a Test tab that promises other calls than the test makes, shows another output than the run gave, or has ways of its own to test.
import type { FlowDocument } from '@pawl/dag-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call } from '../support/watch-run.ts';
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

let drawn = 0;

/** A draft that nobody has published: begin → put → charge → end. */
async function aDraft(): Promise<string> {
  const name = `tried-${++drawn}`;
  const document: FlowDocument = {
    format: 'pawl/1',
    name,
    title: 'Take an order',
    nodes: [
      { id: 'begin', kind: 'transform', title: 'Read order', value: { order: 7 } },
      call('put', 'put', { title: 'Save order', args: { what: '{{ nodes.begin.output.order }}' } }),
      call('charge', 'charge', { title: 'Charge card', args: { what: '{{ nodes.put.output.nonce }}' } }),
      { id: 'end', kind: 'transform', title: 'Say thanks', value: '{{ nodes.charge.output.nonce }}' },
    ],
    edges: [
      { from: 'begin', to: 'put' },
      { from: 'put', to: 'charge' },
      { from: 'charge', to: 'end' },
    ],
  };
  await pawl.client.createFlow({ body: document as never });
  return name;
}

async function openTab(flow: string, id: string, options: Parameters<typeof openPage>[0] = {}) {
  const opened = await openPage(options);
  opened.page.setDefaultTimeout(15_000);
  await opened.page.goto(`${pawl.url}/flows/${flow}`);
  await opened.page.locator(`.react-flow__node[data-id="${id}"]`).focus();
  await opened.page.keyboard.press('Enter');
  const tab = await toTab(opened.page);
  return { ...opened, tab };
}

async function toTab(page: Page) {
  const inspector = page.getByRole('complementary', { name: 'Settings of the node' });
  await inspector.getByRole('tab', { name: 'Test' }).click();
  const tab = inspector.getByRole('tabpanel', { name: 'Test' });
  await tab.getByRole('heading', { name: 'Try it' }).waitFor();
  return tab;
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Test this draft' });
const layoutOf = (flow: string) =>
  expect.poll(
    async () => ((await pawl.client.getFlow({ params: { flow } })).document as never as FlowDocument).layout,
  );

describe('the Test tab of a node', () => {
  it('rule 6: says of each part what would be called, and what must not be repeated', async () => {
    const flow = await aDraft();
    const { page, tab, trouble } = await openTab(flow, 'put');
    const part = (name: RegExp) => tab.getByRole('listitem', { name });
    await part(/^Only/).getByText('Save order calls ledger.put@1').waitFor();
    expect(await part(/^Only/).getByText('Charge card').count()).toBe(0);
    await part(/^From here/)
      .getByText('Charge card must not be repeated: off until you let it run')
      .waitFor();
    await part(/^To here/)
      .getByText('Save order calls ledger.put@1')
      .waitFor();
    await tab.getByText('This flow has not run yet.').waitFor();
    await tab.getByText('None. Pin what a run gave').waitFor();
    expect(await seriousIssuesInBothThemes(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it('is seen as a whole among the tabs of the narrow inspector', async () => {
    const { page } = await openTab(await aDraft(), 'put', { viewport: { width: 880, height: 800 } });
    const box = await page.getByRole('tab', { name: 'History' }).boundingBox();
    expect(box!.x + box!.width).toBeLessThanOrEqual(880);
  });

  it('rule 8: leads by keys to the list, and shows after the test what the node gave', async () => {
    const flow = await aDraft();
    const { page, tab } = await openTab(flow, 'put');
    await tab.getByRole('button', { name: 'To here: what leads to Save order' }).focus();
    await page.keyboard.press('Enter');
    const dialog = dialogOf(page);
    await dialog.getByRole('radio', { name: /^To here/, checked: true }).waitFor();
    const start = dialog.getByRole('button', { name: 'Start the test' });
    await expect.poll(() => start.isEnabled()).toBe(true);
    await start.focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const [run] = (await pawl.client.listRuns({ query: { flow, mode: 'test' } })).items;
    await endOf(pawl, run!.id);
    expect(pawl.ledger.of({ key: run!.id }).map(({ op }) => op)).toEqual(['put']);
    const gave = tab.getByRole('region', { name: 'What it gave' });
    await gave.getByText('"nonce"').waitFor();
    expect(await seriousIssuesInBothThemes(page)).toEqual([]);
  });

  it('Y3: pins what the run gave, shows it, and from then on counts it as given; undone by name', async () => {
    const flow = await aDraft();
    const { runId } = await pawl.client.startTest({
      params: { flow },
      body: { part: { do: 'all' }, allow: ['charge'] },
    });
    await endOf(pawl, runId);
    const { output } = await pawl.client.getNodeRun({ params: { runId }, query: { path: 'put' } });
    const { page, tab } = await openTab(flow, 'put');
    const gave = tab.getByRole('region', { name: 'What it gave' });
    await gave.getByRole('button', { name: 'Pin this output' }).click();
    await layoutOf(flow).toMatchObject({ put: { pin: { output } } });
    const pinned = tab.getByRole('region', { name: 'Pinned output' });
    await pinned.getByText('"nonce"').waitFor();
    expect(await seriousIssuesInBothThemes(page)).toEqual([]);
    await page.locator('.react-flow__node[data-id="charge"]').click();
    const part = tab.getByRole('listitem', { name: /^To here/ });
    await part.getByText('1 is given an output').waitFor();
    expect(await part.getByText('Save order calls').count()).toBe(0);
    await page.locator('.react-flow__node[data-id="put"]').click();
    await pinned.getByRole('button', { name: 'Remove the pin' }).click();
    await tab.getByText('None. Pin what a run gave').waitFor();
    const undo = page.getByRole('button', { name: 'Undo' });
    expect(await undo.getAttribute('title')).toMatch(/pin.*put/);
    await undo.click();
    await pinned.getByText('"nonce"').waitFor();
  });

  it('rule 4: shows the beginning of an output that is too long, and says why it cannot be pinned', async () => {
    const flow = `tried-${++drawn}`;
    const nodes = [{ id: 'big', kind: 'transform', value: '{{ $pad("", 300000, "x") }}' }];
    await pawl.client.createFlow({ body: { format: 'pawl/1', name: flow, nodes, edges: [] } as never });
    const { runId } = await pawl.client.startTest({ params: { flow }, body: { part: { do: 'all' } } });
    await endOf(pawl, runId);
    const { tab } = await openTab(flow, 'big');
    await tab.getByText('The first 64 of 293 KB are shown.').waitFor();
    await tab.getByRole('button', { name: 'Pin this output' }).click();
    await tab.getByText('Too large to be pinned').waitFor();
  });
});
