import type { Browser, BrowserContext, Page } from 'playwright-core';
import { inject } from 'vitest';
import { launchChromium } from './launch.ts';

let shared: Promise<Browser> | undefined;

/** A page in a profile of its own, in the Chromium of this test file, 1,440 × 900 unless told otherwise. */
export async function openPage(
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ readonly page: Page; readonly context: BrowserContext; readonly trouble: readonly string[] }> {
  shared ??= launchChromium(inject('chromium'));
  const context = await (await shared).newContext({
    viewport: { width: 1_440, height: 900 },
    reducedMotion: 'reduce',
    locale: 'en-US',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  return { page, context, trouble: troubleOf(page) };
}

/** Ends the Chromium of this test file. */
export async function closeBrowser(): Promise<void> {
  await (await shared)?.close();
  shared = undefined;
}

/** What went wrong in the page that no test asked for. */
function troubleOf(page: Page): string[] {
  const trouble: string[] = [];
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') trouble.push(`console: ${message.text()}`);
  });
  return trouble;
}
