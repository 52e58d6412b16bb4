// Would catch: a test from the canvas that calls what was not chosen, says something else than it does, or cannot be started by keys.
import type { FlowDocument } from '@pawl/dag-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call } from '../support/watch-run.ts';
import { seriousIssues } from './support/axe.ts';
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
  const name = `order-${++drawn}`;
  const document: FlowDocument = {
    format: 'pawl/1',
    name,
    title: 'Take an order',
    input: {
      type: 'object',
      properties: { order: { type: 'integer', title: 'Order' } },
      required: ['order'],
    },
    nodes: [
      { id: 'begin', kind: 'transform', title: 'Read order', value: { order: '{{ input.order }}' } },
      call('put', 'put', { title: 'Save order', args: { what: '{{ nodes.begin.output.order }}' } }),
      call('charge', 'charge', { title: 'Charge card', args: { what: '{{ nodes.put.output.nonce }}' } }),
      {
        id: 'end',
        kind: 'transform',
        title: 'Say thanks',
        value: { paid: '{{ nodes.charge.output.nonce }}' },
      },
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

async function openFlow(flow: string) {
  const opened = await openPage();
  await opened.page.goto(`${pawl.url}/flows/${flow}`);
  await node(opened.page, 'end').waitFor();
  return opened;
}

const node = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Test this draft' });
const testsOf = async (flow: string) =>
  (await pawl.client.listRuns({ query: { flow, mode: 'test' } })).items.map(({ id }) => id);
const asked = (runId: string) => pawl.ledger.of({ key: runId }).map(({ op }) => op);

describe('a test from the canvas', () => {
  it('Y2, rule 6: lists what would be called, leaves what must not be repeated off, and shows how it went on the canvas', async () => {
    const flow = await aDraft();
    const { page, trouble } = await openFlow(flow);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Everything' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText('Calls ledger.put@1').waitFor();
    await dialog.getByText('Does not run: it needs Charge card').waitFor();
    await dialog.getByText('1 node calls something outside · 2 do not run').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await dialog.getByRole('spinbutton', { name: /^Order/ }).fill('7');
    await dialog.getByRole('button', { name: 'Start the test' }).click();
    await dialog.waitFor({ state: 'detached' });
    await node(page, 'put').getByText('done', { exact: true }).waitFor();
    const [runId] = await testsOf(flow);
    await endOf(pawl, runId!);
    expect(asked(runId!)).toEqual(['put']);
    await page.getByText(`Test run ${runId!.slice(-8)}`).waitFor();
    const log = page.getByRole('region', { name: 'Test log' });
    await log.getByRole('button', { name: /Save order/ }).waitFor();
    expect(await log.getByRole('button', { name: /Charge card/ }).count()).toBe(0);
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByRole('button', { name: 'Take the test off the canvas' }).click();
    await log.waitFor({ state: 'detached' });
    expect(await node(page, 'put').getByText('done', { exact: true }).count()).toBe(0);
    expect((await pawl.client.getFlow({ params: { flow } })).publishedVersion).toBeUndefined();
    expect(trouble).toEqual([]);
  });

  it('Y3: an output that was pinned is given from then on, also after a reload; a published run never looks at it', async () => {
    const flow = await aDraft();
    const { runId: first } = await pawl.client.startTest({
      params: { flow },
      body: { part: { do: 'all' }, allow: ['charge'], input: { order: 3 } },
    });
    await endOf(pawl, first);
    const { page } = await openFlow(flow);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Everything' }).click();
    await dialogOf(page).getByText('Given: recorded output').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Start the test' }).click();
    const log = page.getByRole('region', { name: 'Test log' });
    await log.getByRole('button', { name: /Charge card/ }).click();
    await log.getByRole('button', { name: 'Pin this output' }).click();
    await node(page, 'charge').getByText('An output is pinned').waitFor();
    await expect
      .poll(
        async () =>
          ((await pawl.client.getFlow({ params: { flow } })).document as never as FlowDocument).layout,
      )
      .toMatchObject({ charge: { pin: { output: { op: 'charge' } } } });
    await page.reload();
    await node(page, 'charge').getByText('An output is pinned').waitFor();
    await page.keyboard.press('t');
    await dialogOf(page).getByText('Given: pinned output').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Start the test' }).click();
    await page.getByRole('region', { name: 'Test log' }).getByText('Given: pinned output').waitFor();
    const [pinnedRun] = await testsOf(flow);
    await endOf(pawl, pinnedRun!);
    expect(asked(pinnedRun!)).toEqual(['put']);

    await pawl.client.publishFlow({ params: { flow } });
    const { runId } = await pawl.client.startRun({ body: { flow, input: { order: 4 } } });
    await endOf(pawl, runId);
    expect(asked(runId)).toEqual(['put', 'charge']);
  });

  it('rule 8: from a node, by keys alone, with an output that is written', async () => {
    const flow = await aDraft();
    const { page } = await openFlow(flow);
    await node(page, 'charge').focus();
    await page.keyboard.press('Shift+F10');
    const highlighted = (name: RegExp) =>
      page.getByRole('menuitem', { name }).and(page.locator('[data-highlighted]')).waitFor();
    await highlighted(/^To here/);
    await page.keyboard.press('ArrowDown');
    await highlighted(/^From here/);
    await page.keyboard.press('Enter');
    const dialog = dialogOf(page);
    await dialog.getByRole('radio', { name: /^From here/, checked: true }).waitFor();
    const choice = (name: string) => dialog.getByLabel(`What happens with ${name}`);
    await choice('Save order').focus();
    await page.keyboard.press('w');
    await dialog.getByLabel('Output of Save order').focus();
    await page.keyboard.type('{"nonce": 99}');
    await choice('Charge card').focus();
    await page.keyboard.press('c');
    await dialog.getByText('Calls ledger.charge@1').waitFor();
    await dialog.getByRole('spinbutton', { name: /^Order/ }).focus();
    await page.keyboard.type('1');
    const start = dialog.getByRole('button', { name: 'Start the test' });
    await expect.poll(() => start.isEnabled()).toBe(true);
    await start.focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await node(page, 'end').getByText('done', { exact: true }).waitFor();
    await node(page, 'put').getByText('Given: made-up output').waitFor();
    const [runId] = await testsOf(flow);
    await endOf(pawl, runId!);
    expect(asked(runId!)).toEqual(['charge']);
    expect(pawl.ledger.of({ key: runId! })[0]!.body.what).toBe(99);
  });

  it('Y2: only a node, with what an earlier run recorded before it', async () => {
    const flow = await aDraft();
    const { runId: first } = await pawl.client.startTest({
      params: { flow },
      body: { part: { do: 'to', node: 'begin' }, input: { order: 21 } },
    });
    await endOf(pawl, first);
    const { page } = await openFlow(flow);
    await node(page, 'put').click({ button: 'right' });
    await page.getByRole('menuitem', { name: /^Only/ }).click();
    await dialogOf(page).getByText('Given: recorded output').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Start the test' }).click();
    await node(page, 'put').getByText('done', { exact: true }).waitFor();
    await page
      .getByRole('region', { name: 'Test log' })
      .getByRole('button', { name: /Read order/ })
      .click();
    await page.getByRole('link', { name: `Recorded by run ${first.slice(-8)}` }).waitFor();
    const [runId] = await testsOf(flow);
    expect(asked(runId!)).toEqual(['put']);
    expect(pawl.ledger.of({ key: runId! })[0]!.body.what).toBe(21);
  });

  it('V15: one that waits for a person leads to where it is decided, and can be cancelled from the canvas', async () => {
    const flow = `asks-${++drawn}`;
    const nodes = [{ id: 'end', kind: 'approval', title: 'Ask first', subject: 'Go on?' }];
    await pawl.client.createFlow({ body: { format: 'pawl/1', name: flow, nodes, edges: [] } as never });
    const { page } = await openFlow(flow);
    await page.keyboard.press('t');
    await dialogOf(page).getByText('Asks a person').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Start the test' }).click();
    await node(page, 'end').getByText('waiting').waitFor();
    const decide = page.getByRole('link', { name: 'Decide' });
    await decide.waitFor();
    expect(await decide.getAttribute('href')).toBe(`/inbox?flow=${flow}`);
    await page.getByRole('button', { name: 'Cancel the test' }).click();
    await page.getByRole('status').getByText('Cancelled').waitFor();
    expect((await pawl.client.listRuns({ query: { flow } })).items).toMatchObject([
      { status: 'cancelled', mode: 'test' },
    ]);
  });

  it('is told apart in the list of runs and on its page', async () => {
    const flow = await aDraft();
    const { runId } = await pawl.client.startTest({
      params: { flow },
      body: { part: { do: 'to', node: 'begin' }, input: { order: 1 } },
    });
    await endOf(pawl, runId);
    const { page } = await openPage();
    await page.goto(`${pawl.url}/runs?flow=${flow}`);
    await page.getByText(`${flow} · Test`).waitFor();
    await page.getByLabel('Kind').selectOption('live');
    await page.getByText('No run fits these filters.').waitFor();
    await page.goto(`${pawl.url}/runs/${runId}`);
    await page.getByRole('heading', { level: 1 }).getByText('Test', { exact: true }).waitFor();
  });
});
