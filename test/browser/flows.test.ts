import { readFileSync } from 'node:fs';
import type { FlowDocument, JsonObject } from '@pawl/dag-core';
import type { Page } from 'playwright-core';
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

const aFlow = (name: string, more: JsonObject = {}): FlowDocument =>
  ({
    format: 'pawl/1',
    name,
    title: `Flow ${name}`,
    input: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', minLength: 1, default: 'Ada' } },
    },
    nodes: [{ id: 'greet', kind: 'transform', title: 'Greet', value: 'Hello {{ input.name }}' }],
    edges: [],
    ...more,
  }) as unknown as FlowDocument;

const publish = (document: FlowDocument) =>
  pawl.client.publishFlow({ params: { flow: document.name }, body: document as never });

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });

const ended = (runId: string) =>
  expect.poll(async () => (await pawl.client.getRun({ params: { runId } })).status);

// First: the workspace is empty once.
describe('an empty workspace', () => {
  it('offers examples, of which each runs to a green end with one press and no key', async () => {
    const { page, trouble } = await openPage();
    await page.goto(`${pawl.url}/flows`);
    const card = page.getByRole('listitem').filter({ hasText: 'Sort a message' });
    await card.getByRole('button', { name: 'Open' }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await card.getByRole('button', { name: 'Run' }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    await page.getByText('Succeeded', { exact: true }).first().waitFor();
    await page.goBack();
    await row(page, 'sort-messages')
      .getByRole('link', { name: /^Succeeded, run/ })
      .waitFor();
    expect(await row(page, 'sort-messages').textContent()).toContain('100 %');
    expect(trouble).toEqual([]);
  });
});

describe('the flows', () => {
  it('are found by name and title, keep the search in the address, and are exported', async () => {
    await publish(aFlow('alpha'));
    await pawl.client.createFlow({ body: aFlow('beta') as never });
    const { page } = await openPage({ acceptDownloads: true });
    await page.goto(`${pawl.url}/flows`);
    expect(await row(page, 'alpha').textContent()).toContain('Published');
    expect(await row(page, 'beta').textContent()).toContain('Draft');
    expect(await page.getByRole('button', { name: 'Run Flow beta' }).isDisabled()).toBe(true);
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Search flows' }).fill('FLOW ALPHA');
    await row(page, 'beta').waitFor({ state: 'detached' });
    await page.waitForURL(/search=/);
    await page.getByRole('button', { name: 'More for Flow alpha' }).press('Enter');
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export as JSON' }).press('Enter');
    expect(JSON.parse(readFileSync(await (await download).path(), 'utf8'))).toEqual(aFlow('alpha'));
    await page.getByRole('searchbox', { name: 'Search flows' }).fill('no such');
    await page.getByText('No flow has “no such”').waitFor();
  });

  it('begin with a title, whose name can be changed but not taken twice', async () => {
    await publish(aFlow('taken'));
    const { page } = await openPage({ colorScheme: 'dark' });
    await page.goto(`${pawl.url}/flows`);
    await row(page, 'taken').waitFor();
    await page.getByRole('button', { name: 'New flow' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New flow' });
    await dialog.getByLabel('Title').fill('Äpfel zählen');
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('apfel-zahlen');
    await dialog.getByLabel('Name', { exact: true }).fill('taken');
    await dialog.getByRole('alert').getByText('There already is a flow').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await dialog.getByLabel('Name', { exact: true }).fill('apples');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/flows\/apples/);
    expect(await pawl.client.getFlow({ params: { flow: 'apples' } })).toMatchObject({
      title: 'Äpfel zählen',
    });
  });
});

describe('an import', () => {
  it('of a pasted text names each problem with its pointer, and becomes a draft all the same', async () => {
    await publish(aFlow('known'));
    const { page } = await openPage();
    await page.goto(`${pawl.url}/flows`);
    await row(page, 'known').waitFor();
    const text =
      'format: pawl/1\nname: known\nnodes:\n  - { id: a, kind: tool, tool: no.such@1 }\nedges: []\n';
    // As text: the types of a page are not those of this process.
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(text)});
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }`);
    const dialog = page.getByRole('dialog', { name: 'Import a flow' });
    await dialog.getByRole('alert').getByText('/nodes/0/tool').waitFor();
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('known-2');
    expect(await seriousIssues(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Import with its problems' }).click();
    await page.waitForURL(/\/flows\/known-2/);
    await page.getByRole('link', { name: 'Versions' }).click();
    // The canvas has a button of the same name, and may still be there when the address has changed.
    await page.getByRole('navigation', { name: 'Versions of known-2' }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    const publishing = page.getByRole('dialog', { name: 'Publish known-2' });
    await publishing.getByRole('alert').getByText('/nodes/0/tool').waitFor();
    expect(await publishing.getByRole('button', { name: 'Publish', exact: true }).isDisabled()).toBe(true);
    expect((await pawl.client.getFlow({ params: { flow: 'known-2' } })).document).toMatchObject({
      name: 'known-2',
    });
  });

  it('of a file that cannot be read says in which line it breaks', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/flows`);
    await page.getByRole('button', { name: 'Import' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import a flow' });
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'x.yaml', mimeType: 'text/yaml', buffer: Buffer.from('name: a\nnodes: [') });
    await dialog.getByRole('alert').getByText('2:9').waitFor();
    expect(await dialog.getByRole('button', { name: 'Import as a draft' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Import');
  });
});

describe('a start', () => {
  it('shows the call that does the same, names what the input lacks, and leads to the run', async () => {
    await publish(aFlow('greeting'));
    const { page } = await openPage();
    await page.goto(`${pawl.url}/flows?search=greeting`);
    await page.getByRole('button', { name: 'Run Flow greeting' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run greeting' });
    const name = dialog.getByRole('group', { name: 'Input' }).getByLabel('name');
    await expect.poll(() => name.inputValue()).toBe('Ada');
    await dialog.getByText(`${pawl.url}/v1/runs`).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await name.fill('');
    await dialog.getByRole('button', { name: 'Start run' }).click();
    await dialog.getByText(/This is needed|At least 1 characters/).waitFor();
    await name.fill('Grace');
    await dialog.getByText('"name":"Grace"').waitFor();
    await dialog.getByRole('button', { name: 'Start run' }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    const runId = page.url().split('/').at(-1)!;
    await ended(runId).toBe('succeeded');
    expect((await pawl.client.getRun({ params: { runId } })).input).toEqual({ name: 'Grace' });
  });
});

describe('versions', () => {
  it('are published with what changes in view, compared on the graph, and restored without losing the draft', async () => {
    const first = aFlow('growing');
    const second = aFlow('growing', {
      nodes: [
        { id: 'greet', kind: 'transform', title: 'Greet', value: 'Good day {{ input.name }}' },
        { id: 'end', kind: 'transform', title: 'End', value: '{{ nodes.greet.output }}' },
      ],
      edges: [{ from: 'greet', to: 'end' }],
    } as never);
    await publish(first);
    await pawl.client.saveDraft({
      params: { flow: 'growing' },
      headers: { 'if-match': '"1"' },
      body: second as never,
    });
    const { page, trouble } = await openPage();
    await page.goto(`${pawl.url}/flows/growing/versions`);
    await page.getByRole('button', { name: 'Publish' }).click();
    const publishing = page.getByRole('dialog', { name: 'Publish growing' });
    await publishing.getByRole('list', { name: 'What differs' }).getByText('greet → end').waitFor();
    await publishing.locator('[aria-label="End, added"]').waitFor();
    await publishing.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.waitForURL(/version=[0-9a-f]{64}/);
    const published = page.getByRole('dialog', { name: 'Version 2 is published' });
    await published.getByText(`${pawl.url}/v1/runs`).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await published.getByRole('button', { name: 'Close' }).click();
    await page.locator('[aria-label="End, added"]').waitFor();
    await page.locator('[aria-label="Greet, changed"]').waitFor();
    expect(await page.getByRole('link', { name: /^Version 2/ }).textContent()).toContain('Published');
    expect(await seriousIssues(page)).toEqual([]);

    await page.getByRole('link', { name: /^Version 1/ }).click();
    await page.getByRole('button', { name: 'Restore into the draft' }).click();
    const restoring = page.getByRole('dialog', { name: 'Restore version 1' });
    await restoring.getByRole('list', { name: 'What differs' }).getByText('end', { exact: true }).waitFor();
    await restoring.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('status').getByText('Version 1 is in the draft.').waitFor();
    const draftNodes = async () =>
      ((await pawl.client.getFlow({ params: { flow: 'growing' } })).document as unknown as FlowDocument).nodes
        .length;
    expect(await draftNodes()).toBe(1);
    await page.getByRole('button', { name: 'Put the former draft back' }).click();
    await expect.poll(draftNodes).toBe(2);
    expect(trouble).toEqual([]);
  });

  it('of a flow that is not there say so and lead back', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/flows/no-such-flow/versions`);
    await page.getByRole('alert').getByText('There is no flow').waitFor();
    await page.getByRole('link', { name: 'Go to the flows' }).click();
    await page.waitForURL(`${pawl.url}/flows`);
  });
});
