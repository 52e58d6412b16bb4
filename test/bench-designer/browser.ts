import type { CDPSession, Page } from 'playwright-core';
import type { Closers } from '../bench/closers.ts';
import { chromiumPath, launchChromium } from '../browser/support/launch.ts';
import { bundleForPage } from './page-code.ts';

/** A page that can be asked (`Probe`), in a profile of its own with an empty cache. */
export interface ProbedPage {
  readonly page: Page;
  /** What the page costs. */
  readonly cost: CDPSession;
  /** @throws {Error} with what went wrong in the page */
  checkTrouble(): void;
  close(): Promise<void>;
}

/** Starts the Chromium of the tests; what it gives opens pages in it. */
export async function startBrowser(closers: Closers): Promise<() => Promise<ProbedPage>> {
  const { script } = await bundleForPage('probe/probe.ts');
  const browser = await launchChromium(await chromiumPath());
  closers.add(() => browser.close());
  return async () => {
    const context = await browser.newContext({
      viewport: { width: 1_440, height: 900 },
      reducedMotion: 'reduce',
      locale: 'en-US',
    });
    await context.addInitScript({ content: `(() => {${script}})()` });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const troubles: string[] = [];
    page.on('pageerror', ({ message }) => troubles.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') troubles.push(message.text());
    });
    const cost = await context.newCDPSession(page);
    // Processor time of the page's thread, which others on the machine disturb little.
    await cost.send('Performance.enable', { timeDomain: 'threadTicks' });
    return {
      page,
      cost,
      checkTrouble() {
        if (troubles.length > 0) throw new Error(`${page.url()}: ${troubles.slice(0, 3).join(' · ')}`);
      },
      close: () => context.close(),
    };
  };
}
