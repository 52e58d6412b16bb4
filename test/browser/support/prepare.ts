import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import type { TestProject } from 'vitest/node';

/** Browser tests look at the designer as it is built from the sources that are here, in a Chromium that came with the packages. */
export default async function prepareBrowser(project: TestProject): Promise<void> {
  execFileSync(process.execPath, [join(import.meta.dirname, '../../../scripts/build-designer.js')], {
    stdio: 'inherit',
  });
  // The software renderer for WebGL is a hundred megabytes that no page here uses.
  chromium.setGraphicsMode = false;
  project.provide('chromium', await chromium.executablePath());
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the browser's program. */
    chromium: string;
  }
}
