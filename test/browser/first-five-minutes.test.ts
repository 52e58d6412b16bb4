// Would catch: a step of a new user's first flow that needs the documentation, or a shown call that does not work.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

let pawl: Pawl;
beforeAll(async () => {
  pawl = await startPawl({ workers: 1 });
});
afterAll(async () => {
  await closeBrowser();
  await pawl?.stop();
});

const node = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);

/** Puts a node behind another one, or on the empty canvas, with the mouse as a new user would. */
async function add(page: Page, what: string, after?: Locator): Promise<void> {
  if (after) await after.getByRole('button', { name: /^Add a node after/ }).click();
  await page
    .getByRole('option', { name: new RegExp(`^${what}`) })
    .first()
    .click();
}

async function test(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Everything' }).click();
  const dialog = page.getByRole('dialog', { name: 'Test this draft' });
  await dialog.getByRole('button', { name: 'Start the test' }).click();
  await dialog.waitFor({ state: 'detached' });
}

it('a new user draws three nodes, tests, breaks and mends them, publishes, and calls the flow by the line that is shown', async ({
  task,
}) => {
  // A second try finds the flow of the first.
  const title = `Say hello ${task.result?.retryCount ?? 0}`;
  const flow = title.toLowerCase().replaceAll(' ', '-');
  const { page, trouble } = await openPage();
  await page.goto(pawl.url);
  await page.getByRole('button', { name: 'New flow …' }).click();
  const naming = page.getByRole('dialog', { name: 'New flow' });
  await naming.getByRole('textbox', { name: 'Title' }).fill(title);
  await naming.getByRole('button', { name: 'Create flow' }).click();
  await page.waitForURL(`**/flows/${flow}*`);

  await add(page, 'Transform');
  await add(page, 'LLM', node(page, 'transform'));
  await add(page, 'Transform', node(page, 'llm'));
  const settings = page.getByRole('complementary', { name: 'Settings of the node' });
  const last = settings.getByRole('textbox', { name: 'Value', exact: true });
  await node(page, 'llm').click({ position: { x: 110, y: 12 } });
  await settings.getByRole('textbox', { name: 'Prompt' }).fill('Greet somebody.');
  await node(page, 'transform2').click({ position: { x: 110, y: 12 } });
  await last.fill('{{ nodes.llm.output }}');
  await test(page);
  for (const id of ['transform', 'llm', 'transform2'])
    await node(page, id).getByText('done', { exact: true }).waitFor();
  await settings.getByRole('combobox', { name: 'Values of' }).waitFor();

  await last.fill('{{ nodes.llm.output.greeting }}');
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  await test(page);
  await node(page, 'transform2').getByText('failed', { exact: true }).waitFor();
  const log = page.getByRole('region', { name: 'Test log' });
  await log.getByRole('button', { name: /^transform2 failed/ }).click();
  await log.getByRole('alert').getByText('gives nothing').waitFor();

  await last.fill('{{ nodes.llm.output }}');
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  await test(page);
  await node(page, 'transform2').getByText('done', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Publish …' }).click();
  await page
    .getByRole('dialog', { name: `Publish ${flow}` })
    .getByRole('button', { name: 'Publish', exact: true })
    .click();
  const line = await page.getByRole('dialog').locator('pre', { hasText: 'curl' }).textContent();
  const { stdout } = await promisify(execFile)('sh', ['-c', line!]);
  const { runId } = JSON.parse(stdout) as { runId: string };
  await expect.poll(async () => (await pawl.client.getRun({ params: { runId } })).status).toBe('succeeded');
  expect(trouble).toEqual([]);
});
