import type { Page } from 'playwright-core';

/** Presses Tab, or Shift+Tab, until the element with this name has the focus. */
export async function focusByTab(page: Page, name: string, by: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 100; presses++) {
    const focused = await page.evaluate<string>(
      '(({ activeElement: it }) => it?.labels?.[0]?.textContent ?? it?.ariaLabel ?? it?.textContent ?? "")(document)',
    );
    if (focused.startsWith(name)) return;
    await page.keyboard.press(by);
  }
  throw new Error(`Tab never reached ${name}`);
}
