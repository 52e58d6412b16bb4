import { ask, type Drawing, dragBy, swing, timeMoves, untilMoved } from '../drawing.ts';
import type { Sample } from '../samples.ts';

const FAR = { x: 300, y: 120 } as const;
const END = { x: 40, y: 20 } as const;

/** Drags the canvas about. */
export async function pan(drawing: Drawing, moves: number): Promise<Sample> {
  const spot = await ask(drawing, 'emptySpot');
  if (!spot) throw new Error(`${drawing.page.url()} shows no spot at which its canvas can be taken.`);
  const before = await ask(drawing, 'viewport');
  const sample = await timeMoves(drawing, () => dragBy(drawing, spot, swing(moves, FAR, END)));
  await untilMoved(drawing, 'The canvas', before, END, () => ask(drawing, 'viewport'));
  return sample;
}
