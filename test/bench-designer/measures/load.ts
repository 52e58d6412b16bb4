import { ask, type Drawing, open } from '../drawing.ts';
import { drawnFlow } from '../drawn-flow.ts';
import { unsized } from '../measures.ts';
import type { Rect } from '../probe/contract.ts';
import { sidesIn, type World } from './world.ts';

const SIZE = 50;

/** One round of the first load: pages that have never been there. */
export async function measureLoad(world: World, round: number): Promise<void> {
  if (!world.isWanted('load')) return;
  const { engine, site, samples, newPage } = world;
  const document = drawnFlow(`loaded-${round}`, SIZE);
  await engine.client.createFlow({ body: document as never });
  site.put(document);
  const canvas: Rect = { x: 60, y: 60, width: 1_000, height: 700 };
  for (const side of sidesIn(round)) {
    const address =
      side === 'ours' ? `${engine.url}/flows/${document.name}` : site.addressOf(document.name, canvas);
    const drawing: Drawing = { side, document, address, ...(await newPage()) };
    const { value } = await open(drawing);
    samples.add(unsized('load'), side, {
      value,
      details: { transferredKb: await ask(drawing, 'transferredKb') },
    });
    drawing.checkTrouble();
    await drawing.close();
  }
}
