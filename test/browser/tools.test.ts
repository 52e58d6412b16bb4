// Would catch: a tool that workers offer and the catalogue does not show, an effect class that is told wrongly, a schema whose
// table leaves something out, a search that an address does not keep.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { seriousIssues } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

let pawl: PawlWithLedger;
let writeRoot: string;

beforeAll(async () => {
  writeRoot = await mkdtemp(join(tmpdir(), 'pawl-tools-'));
  pawl = await startWithLedger({ workers: 1, writeRoot });
});

afterAll(async () => {
  await closeBrowser();
  await pawl?.stop();
  await rm(writeRoot, { recursive: true });
});

const write = (id: string, path: string) => ({
  id,
  kind: 'tool',
  tool: 'files.write@1',
  args: { path, text: 'x' },
  onError: { do: 'continue' },
});
const NOTES = {
  format: 'pawl/1',
  name: 'notes',
  title: 'Write notes',
  nodes: [write('first', 'a.txt'), write('second', 'b.txt'), write('outside', '../c.txt')],
  edges: [],
};
const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;

/** The names of the tools that are listed, in their order. */
const listed = async (page: Page): Promise<string[]> => {
  const names = page.getByRole('table', { name: 'Tools' }).locator('tbody th code');
  return names.allTextContents();
};

const cellsOf = (page: Page, table: 'Input' | 'Output', field: string): Promise<string[]> =>
  page
    .getByRole('table', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: field, exact: true }) })
    .getByRole('cell')
    .allTextContents();

const fact = (page: Page, name: string): Promise<string | null> =>
  page
    .getByRole('region', { name: 'Facts' })
    .locator('dl > div')
    .filter({ hasText: name })
    .locator('dd')
    .textContent();

describe('the catalogue', () => {
  it('lists every tool that workers offer, with its class', async () => {
    const { page, trouble } = await openPage();
    await page.goto(`${pawl.url}/tools`);
    await page.getByRole('link', { name: 'Read a file' }).waitFor();
    const { items } = await pawl.client.listTools();
    expect(await listed(page)).toEqual(items.map(({ name, version }) => `${name}@${version}`).sort());
    const row = page.getByRole('row').filter({ hasText: 'ledger.reserve@1' });
    expect(await row.textContent()).toContain('repeated with the same key it happens once');
    expect(await row.textContent()).toContain('can be undone');
    expect(await seriousIssues(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it('is searched and narrowed to classes, which the address keeps through a tool and back', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/tools`);
    await page.getByRole('searchbox', { name: 'Search tools' }).fill('LEDGER.');
    await page.getByRole('button', { name: /^non-repeatable/ }).press('Enter');
    await page.waitForURL(/effect=/);
    await expect.poll(() => listed(page)).not.toContain('ledger.put@1');
    const narrowed = await listed(page);
    expect(narrowed).toContain('ledger.charge@1');
    expect(narrowed.filter((name) => !name.startsWith('ledger.'))).toEqual([]);
    await page.reload();
    await expect.poll(() => listed(page)).toEqual(narrowed);
    expect(await page.getByRole('searchbox', { name: 'Search tools' }).inputValue()).toBe('LEDGER.');

    await page.getByRole('link', { name: 'ledger.charge', exact: true }).press('Enter');
    await page.waitForURL(/\/tools\/ledger\.charge@1/);
    await page.getByRole('main').getByRole('heading', { name: 'ledger.charge', exact: true }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Tools' }).press('Enter');
    await expect.poll(() => listed(page)).toEqual(narrowed);

    await page.getByRole('searchbox', { name: 'Search tools' }).fill('no such');
    await page.getByText('No tool fits.').waitFor();
  });

  it('fits a phone, in the dark', async () => {
    const { page } = await openPage(PHONE);
    await page.goto(`${pawl.url}/tools?search=files`);
    await page.getByRole('link', { name: 'Read a file' }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.getByRole('link', { name: 'Read a file' }).click();
    await page.getByRole('table', { name: 'Output' }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});

describe('a tool', () => {
  it('shows what it takes and gives, field by field beside the schema', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/tools/files.read@1`);
    await page.getByText('It changes nothing, so it may be repeated freely.').waitFor();
    expect(await cellsOf(page, 'Input', 'path')).toEqual([
      'text',
      'required',
      'Relative to the allowed folder.',
    ]);
    expect(await cellsOf(page, 'Input', 'encoding')).toEqual([
      '"utf8" or "base64"',
      'optional',
      'When left out: "utf8"',
    ]);
    expect(await cellsOf(page, 'Output', 'bytes')).toEqual(['whole number', 'required', 'Size of the file.']);
    const figure = page.getByRole('region', { name: 'Input' }).getByRole('figure');
    const { items } = await pawl.client.listTools();
    expect(JSON.parse((await figure.locator('pre').textContent())!)).toEqual(
      items.find(({ name }) => name === 'files.read')!.input,
    );
    expect(await seriousIssues(page)).toEqual([]);
  });

  it('V5: says what becomes of a call whose outcome is lost, and what it can be asked', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/tools/ledger.probed@1`);
    await page.getByText('Pawl asks the tool, then a person.').waitFor();
    expect(await fact(page, 'Tells afterwards whether a call happened')).toBe('Yes');
    expect(await fact(page, 'What it did can be undone')).toBe('No');
    expect(await fact(page, 'Time limit of one try')).toBe('the usual one of the worker');
    await page.goto(`${pawl.url}/tools/ledger.pay@1`);
    await page.getByText('Pawl asks a person.').waitFor();
    expect(await fact(page, 'What it did can be undone')).toBe('Yes');
    await page.getByRole('region', { name: 'Output' }).getByText('It does not say.').waitFor();
  });

  it('names the flows that call it, by draft and version, and tells how its calls went', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/tools/files.write@1`);
    const users = page.getByRole('region', { name: 'Used by' });
    await users.getByText('No flow calls it').waitFor();
    await page.getByText('No call in the last 7 days.').waitFor();
    await pawl.client.publishFlow({ params: { flow: 'notes' }, body: NOTES as never });
    const { runId } = await pawl.client.startRun({ body: { flow: 'notes', input: {} }, headers: {} });
    await endOf(pawl, runId);
    await page.reload();
    await users.getByRole('link', { name: 'Write notes' }).waitFor();
    expect(await users.getByRole('listitem').allTextContents()).toEqual([
      'Write notesversion 1draftfirst, second, outside',
    ]);
    const row = page.getByRole('table', { name: 'Calls' }).getByRole('row', { name: /Last 24 hours/ });
    expect((await row.getByRole('cell').allTextContents()).slice(0, 2)).toEqual(['3', '33 %1 call']);
    expect(await seriousIssues(page)).toEqual([]);
    await users.getByRole('link', { name: 'version 1' }).press('Enter');
    await page.waitForURL(/flows\/notes\/versions\?version=[0-9a-f]{64}/);

    await page.goto(`${pawl.url}/tools/files.read@1`);
    await page.getByText('are not recorded one by one').waitFor();
  });

  it('that nobody offers is named, with the way to those that are there', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/tools/no.such@7`);
    await page.getByRole('alert').getByText('No worker has offered no.such@7.').waitFor();
    await page.getByRole('link', { name: 'Go to the tools' }).press('Enter');
    await page.getByRole('link', { name: 'Read a file' }).waitFor();
  });
});

describe('trying a tool', () => {
  const trying = (page: Page) => page.getByRole('region', { name: 'Try it' });
  const result = (page: Page) => page.getByRole('region', { name: 'How it ended' });

  it('calls it from its form, by keys alone, and shows what it gave', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/tools/files.write@1`);
    await trying(page).getByText('what the tool changes is changed').waitFor();
    await trying(page).getByLabel('path').fill('tried.txt');
    await trying(page).getByLabel('text').fill('by hand');
    await trying(page).getByRole('button', { name: 'Call it' }).focus();
    await page.keyboard.press('Enter');
    await result(page).getByText('Succeeded').waitFor();
    const given = JSON.parse((await result(page).locator('pre').textContent())!);
    expect(given).toMatchObject({ path: 'tried.txt', bytes: 7 });
    expect(await readFile(join(writeRoot, 'tried.txt'), 'utf8')).toBe('by hand');
    expect(await seriousIssues(page)).toEqual([]);
    await result(page).getByRole('link', { name: 'Open the run' }).press('Enter');
    await page.waitForURL(/runs\/[0-9a-f-]{36}\?select=call/);
    await page.getByRole('banner').getByText('files.write@1').waitFor();
  });

  it('says why a call failed, and what to do next', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/tools/files.write@1`);
    await trying(page).getByLabel('path').fill('../out.txt');
    await trying(page).getByRole('button', { name: 'Call it' }).click();
    await result(page).getByRole('alert').getByText('Change the arguments, then try again.').waitFor();
    await result(page).getByText('path_outside').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    const field = trying(page).getByLabel('path');
    await field.fill('');
    await trying(page).getByRole('button', { name: 'Call it' }).click();
    const id = await field.getAttribute('id');
    await expect.poll(() => page.evaluate<string>('document.activeElement?.id ?? ""')).toBe(id);
  });

  it('rule 6: what must not be repeated needs a tick, which counts for one call', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/tools/ledger.charge@1`);
    await trying(page).getByText('cannot be taken back').waitFor();
    const button = trying(page).getByRole('button', { name: 'Call it' });
    const tick = trying(page).getByRole('checkbox', { name: 'Yes, call it once with these arguments' });
    await expect.poll(() => button.isDisabled()).toBe(true);
    expect(pawl.ledger.of({ op: 'charge' })).toEqual([]);
    await tick.press('Space');
    await expect.poll(() => button.isDisabled()).toBe(false);
    await button.press('Enter');
    await result(page).getByText('Succeeded').waitFor();
    expect(pawl.ledger.of({ op: 'charge' })).toHaveLength(1);
    expect(await tick.isChecked()).toBe(false);
    await expect.poll(() => button.isDisabled()).toBe(true);
    await page
      .getByRole('table', { name: 'Calls' })
      .getByRole('row', { name: /24 hours/ })
      .waitFor();
  });

  it('fits a phone, in the dark', async () => {
    const { page } = await openPage({ ...PHONE, viewport: { width: 420, height: 900 } });
    await page.goto(`${pawl.url}/tools/ledger.charge@1`);
    await trying(page).getByRole('checkbox').check();
    await trying(page).getByRole('button', { name: 'Call it' }).click();
    await result(page).getByText('Succeeded').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(420);
  });
});
