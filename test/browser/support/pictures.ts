import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Locator, Page } from 'playwright-core';
import { PNG } from 'pngjs';

const FOLDER = join(import.meta.dirname, '../pictures');

const fileOf = (name: string): string => join(FOLDER, `${name}.png`);

/** Greatest distance of two colours that count as the same, 0 to 1 (black against white): what rounding of one renderer makes. */
const SAME_COLOUR = 0.02;
/** Pixels that may differ all the same; the smallest thing that is drawn, the border of a badge, has more. */
const SPARE_PIXELS = 20;

/**
 * What may look otherwise on another machine is hidden: letters, which its fonts draw; what is as large as its letters gets a size.
 * Icons, borders, grounds and edges stay.
 */
const WITHOUT_LETTERS = `
  * { -webkit-text-fill-color: transparent; caret-color: transparent; }
  [class*='_badge_'] { width: 26px; overflow: hidden; }
  [class*='_what_'] { height: 17px; }
  [class*='_picker_'] > span { width: 48px; overflow: hidden; }
`;

/** Hides letters on the page, from before it is loaded, and shows its graph alone, in a place of `size` pixels. */
export async function showGraphAlone(page: Page, size: { width: number; height: number }): Promise<void> {
  const place = `.react-flow { position: fixed !important; inset: 0 auto auto 0; z-index: 99;
    width: ${size.width}px !important; height: ${size.height}px !important; }`;
  // A sheet that is made by a script, because the policy of the pages forbids styles in elements.
  await page.addInitScript(
    `const sheet = new CSSStyleSheet(); sheet.replaceSync(${JSON.stringify(WITHOUT_LETTERS + place)});
    document.adoptedStyleSheets = [sheet];`,
  );
}

/** A picture of an element as it stands, a point of the screen for each pixel. */
export const pictureOf = (element: Locator): Promise<Buffer> =>
  element.screenshot({ animations: 'disabled', scale: 'css' });

/** With `UPDATE_PICTURES=1` the picture is the stored one from here on. */
export function storeWhenAsked(name: string, png: Buffer): void {
  if (process.env.UPDATE_PICTURES) writeFileSync(fileOf(name), png);
}

/**
 * Says how a picture differs from the stored one of this name; undefined: it does not.
 *
 * @param png what {@link pictureOf} gave
 */
export function differenceFrom(name: string, png: Buffer): string | undefined {
  if (!existsSync(fileOf(name))) return `There is no picture ${fileOf(name)}. UPDATE_PICTURES=1 stores it.`;
  const [stored, shown] = [PNG.sync.read(readFileSync(fileOf(name))), PNG.sync.read(png)];
  const { width, height } = stored;
  if (shown.width !== width || shown.height !== height)
    return `${name} is ${shown.width} × ${shown.height} pixels and not ${width} × ${height}; see ${kept({ name, shown: png })}`;
  const marked = new PNG({ width, height });
  const count = pixelmatch(stored.data, shown.data, marked.data, width, height, { threshold: SAME_COLOUR });
  if (count <= SPARE_PIXELS) return undefined;
  const folder = kept({ name, shown: png, marked: PNG.sync.write(marked) });
  return `${count} pixels of ${name} differ, red in ${name}-marked.png; see ${folder}. If it is meant, UPDATE_PICTURES=1 stores it.`;
}

/** Writes pictures to a folder of their own, which is left for who looks at the failure. */
function kept({ name, ...pictures }: { name: string; shown: Buffer; marked?: Buffer }): string {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-pictures-'));
  for (const [what, png] of Object.entries(pictures)) writeFileSync(join(folder, `${name}-${what}.png`), png);
  return folder;
}
