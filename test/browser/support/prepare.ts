import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { chromiumPath } from './launch.ts';

/** Browser tests look at the designer as it is built from the sources that are here, in a Chromium that came with the packages. */
export default async function prepareBrowser(project: TestProject): Promise<void> {
  execFileSync(process.execPath, [join(import.meta.dirname, '../../../scripts/build-designer.js')], {
    stdio: 'inherit',
  });
  project.provide('chromium', await chromiumPath());
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the browser's program. */
    chromium: string;
  }
}
