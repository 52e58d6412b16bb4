import { median } from '../../bench/result.ts';
import { ask, type Drawing } from '../drawing.ts';
import type { Sample } from '../samples.ts';

const COUNT = 'section[aria-label="Problems"] h2';
/** Of the generated flow (`drawnFlow`). */
const KNOWN = '1 problem';

/** Takes a node out, so that others read what is not there, and puts it back: until the list says that they can read it again. */
export async function problems(drawing: Drawing, id: string, times: number): Promise<Sample> {
  const { page } = drawing;
  const count = page.locator(COUNT);
  const told: number[] = [];
  for (let round = 0; round < times; round++) {
    const grip = await ask(drawing, 'gripOf', id);
    if (!grip) throw new Error(`Node ${id} of ${page.url()} cannot be clicked.`);
    await count.filter({ hasText: new RegExp(`^${KNOWN}$`) }).waitFor();
    await page.mouse.click(grip.x, grip.y);
    await page.keyboard.press('Delete');
    await count.filter({ hasNotText: new RegExp(`^${KNOWN}$`) }).waitFor();
    await ask(drawing, 'expect', 'keydown', COUNT, KNOWN);
    await page.keyboard.press('Control+z');
    told.push(await ask(drawing, 'shownAfterMs'));
  }
  return { value: median(told) };
}
