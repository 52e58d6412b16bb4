import packaged from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** Path of the Chromium that came with the packages; it is unpacked when it is first asked for. */
export function chromiumPath(): Promise<string> {
  // The software renderer for WebGL is a hundred megabytes that no page here uses.
  packaged.setGraphicsMode = false;
  return packaged.executablePath();
}

/** Starts a Chromium as all tests and the benchmark of the designer use it. */
export const launchChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'] });
