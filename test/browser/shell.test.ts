import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { seriousIssues } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

let pawl: Pawl;

beforeAll(async () => {
  pawl = await startPawl({ workers: 0 });
});

afterAll(async () => {
  await closeBrowser();
  await pawl.stop();
});

describe('the shell', () => {
  it('opens at the flows, says which place is open, and goes to each by the rail', async () => {
    const { page, trouble } = await openPage();
    await page.goto(pawl.url);
    await page.waitForURL(`${pawl.url}/flows`);
    const rail = page.getByRole('navigation', { name: 'Main' });
    for (const place of ['Runs', 'Compare', 'Inbox', 'Tools', 'Settings', 'Flows']) {
      await rail.getByRole('link', { name: place }).click();
      await page.waitForURL(`${pawl.url}/${place.toLowerCase()}`);
      expect(await rail.locator('[aria-current=page]').getAttribute('aria-label')).toBe(place);
      expect(await seriousIssues(page)).toEqual([]);
    }
    expect(trouble).toEqual([]);
  });

  it('speaks Chinese to a browser that does', async () => {
    const { page } = await openPage({ locale: 'zh-CN' });
    await page.goto(`${pawl.url}/flows`);
    await page.getByRole('link', { name: '流程' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
  });

  it('is dark for a system that is', async () => {
    const { page } = await openPage({ colorScheme: 'dark' });
    await page.goto(`${pawl.url}/flows`);
    await page.getByRole('link', { name: 'Flows' }).waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await seriousIssues(page)).toEqual([]);
  });

  it('remembers the language and the theme that a person chose', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/settings`);
    await page.getByLabel('Theme').selectOption('dark');
    await page.getByLabel('Language').selectOption('zh-CN');
    await page.reload();
    await page.getByRole('heading', { name: '设置', exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await page.getByLabel('主题').inputValue()).toBe('dark');
  });

  it('names an address that no screen has, and the way out', async () => {
    const { page } = await openPage();
    await page.goto(`${pawl.url}/flowers`);
    await page.getByText('There is no page at this address.').waitFor();
    await page.getByRole('link', { name: 'Go to the flows' }).click();
    await page.waitForURL(`${pawl.url}/flows`);
  });
});
