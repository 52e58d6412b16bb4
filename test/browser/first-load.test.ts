// Would catch: something large that the first look at a canvas does not need, and that is loaded with it all the same.
import { expect, it } from 'vitest';
import { firstLoad, kilobytes } from '../../scripts/first-load.js';

const LIMIT_KB = 300;

it('the canvas loads at most 300 KB of gzip before it is shown', () => {
  const files = firstLoad('src/screens/canvas/canvas-screen.tsx');
  const list = files.map(({ name, bytes }) => `${(bytes / 1024).toFixed(1)} KB  ${name}`).join('\n');
  expect(kilobytes(files), `All that is loaded at first:\n${list}`).toBeLessThanOrEqual(LIMIT_KB);
});
