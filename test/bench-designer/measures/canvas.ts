import type { FlowDocument } from '@pawl/dag-core';
import { ask, type Drawing, open, settle, tell } from '../drawing.ts';
import { drawnFlow } from '../drawn-flow.ts';
import { SIZED_MEASURES, type SizedMeasure, sized } from '../measures.ts';
import type { FlowSize } from '../options.ts';
import type { Viewport } from '../probe/contract.ts';
import type { Sample, Side } from '../samples.ts';
import { drag } from './drag.ts';
import { pan } from './pan.ts';
import { problems } from './problems.ts';
import { select } from './select.ts';
import { type Places, placeAll, placesOf, tidyUp } from './tidy.ts';
import { sidesIn, type World } from './world.ts';

/** One round of everything that is measured on a generated flow: the designer and the bare page side by side. */
export async function measureCanvas(world: World, size: FlowSize, round: number): Promise<void> {
  const wanted = SIZED_MEASURES.filter(world.isWanted);
  if (wanted.length === 0) return;
  const document = drawnFlow(`drawn-${size}-${round}`, size);
  await world.engine.client.createFlow({ body: document as never });
  world.site.put(document);
  const canvas = new CanvasRound(world, size, round, await openBoth(world, document));
  await canvas.open();
  if (wanted.some((name) => name !== 'open')) await canvas.measure();
  await canvas.close();
}

type Both = Readonly<Record<Side, Drawing>>;

/** Two pages that have been at the flow before, so that everything is in their caches. */
async function openBoth({ newPage, engine, site }: World, document: FlowDocument): Promise<Both> {
  const address = `${engine.url}/flows/${document.name}`;
  const ours: Drawing = { side: 'ours', document, address, ...(await newPage()) };
  await open(ours);
  await settle(ours);
  const bare: Drawing = {
    side: 'bare',
    document,
    address: site.addressOf(document.name, await ask(ours, 'canvas')),
    ...(await newPage()),
  };
  await open(bare);
  return { ours, bare };
}

class CanvasRound {
  readonly #world: World;
  readonly #size: FlowSize;
  readonly #round: number;
  readonly #both: Both;

  constructor(world: World, size: FlowSize, round: number, both: Both) {
    this.#world = world;
    this.#size = size;
    this.#round = round;
    this.#both = both;
  }

  async open(): Promise<void> {
    const { ours, bare } = this.#both;
    for (const { page } of [ours, bare]) await page.goto('about:blank');
    await this.#each('open', open);
  }

  async measure(): Promise<void> {
    const { quick } = this.#world.options;
    const moves = quick ? 60 : 120;
    const { engine } = this.#world;
    const selections = quick ? 5 : 10;
    const [middle, ...around] = this.#middleNodes(2 * selections);
    await this.#lookAlike();
    await this.#each('pan-whole', (drawing) => pan(drawing, moves));
    await this.#zoomIn(middle!);
    await this.#each('pan', (drawing) => pan(drawing, moves));
    await this.#each('drag', (drawing) => drag(drawing, middle!, moves, engine));
    await this.#each('select', (drawing) => select(drawing, around, selections));
    if (this.#world.isWanted('problems'))
      this.#add('problems', 'ours', await problems(this.#both.ours, around[0]!, quick ? 1 : 3));
    await this.#tidy();
  }

  async close(): Promise<void> {
    for (const drawing of Object.values(this.#both)) {
      drawing.checkTrouble();
      await drawing.close();
    }
  }

  /** First near, then far: each time from the places that the flow was given. */
  async #tidy(): Promise<void> {
    const { ours, bare } = this.#both;
    const drawn = placesOf(ours.document);
    if (this.#world.isWanted('tidy')) {
      await this.#lookAlike();
      await this.#tidyBoth('tidy', drawn);
      await ours.page.keyboard.press('Control+z');
    }
    if (!this.#world.isWanted('tidy-whole')) return;
    await ours.page.locator('.react-flow__controls-fitview').click();
    await settle(ours);
    await tell(bare, 'place', drawn);
    await this.#lookAlike();
    await this.#tidyBoth('tidy-whole', drawn);
  }

  async #tidyBoth(name: 'tidy' | 'tidy-whole', drawn: Places): Promise<void> {
    const { ours, bare } = this.#both;
    const { sample, places } = await tidyUp(ours, this.#world.engine);
    if (Object.keys(places).length !== Object.keys(drawn).length) throw new Error('Tidying lost nodes.');
    this.#add(name, 'ours', sample);
    this.#add(name, 'bare', await placeAll(bare, places));
  }

  /** Both are looked at as the designer is now. */
  async #lookAlike(): Promise<void> {
    const { ours, bare } = this.#both;
    await settle(ours);
    await this.#look(await ask(ours, 'viewport'));
    await settle(bare);
  }

  #look(viewport: Viewport): Promise<void> {
    return tell(this.#both.bare, 'look', viewport);
  }

  /** Turns the wheel over a node until the zoom is 1. */
  async #zoomIn(id: string): Promise<void> {
    const { ours } = this.#both;
    const [{ zoom }, grip] = [await ask(ours, 'viewport'), await ask(ours, 'gripOf', id)];
    if (!grip) throw new Error(`Node ${id} is not in view.`);
    await ours.page.mouse.move(grip.x, grip.y);
    // A notch of the wheel zooms by 2 to the power of its pixels times 0.002 (d3-zoom).
    await ours.page.mouse.wheel(0, Math.log2(zoom) / 0.002);
    await this.#lookAlike();
    const now = await ask(ours, 'viewport');
    if (Math.abs(now.zoom - 1) > 0.02) throw new Error(`The wheel zoomed to ${now.zoom}; expected 1.`);
  }

  /** Nodes around the middle of the grid, the one in the middle first. */
  #middleNodes(count: number): string[] {
    const { document } = this.#both.ours;
    const places = Object.entries(placesOf(document));
    const middle = {
      x: Math.max(...places.map(([, { x }]) => x)) / 2,
      y: Math.max(...places.map(([, { y }]) => y)) / 2,
    };
    const far = ({ x, y }: { readonly x: number; readonly y: number }) =>
      Math.hypot(x - middle.x, y - middle.y);
    return places
      .toSorted(([, one], [, other]) => far(one) - far(other))
      .slice(0, count)
      .map(([id]) => id);
  }

  async #each(name: SizedMeasure, take: (drawing: Drawing) => Promise<Sample>): Promise<void> {
    if (name !== 'open' && !this.#world.isWanted(name)) return;
    for (const side of sidesIn(this.#round)) {
      const sample = await take(this.#both[side]);
      if (this.#world.isWanted(name)) this.#add(name, side, sample);
    }
  }

  #add(name: SizedMeasure, side: Side, sample: Sample): void {
    this.#world.samples.add(sized(name, this.#size), side, sample);
  }
}
