import type { FlowDocument } from '@pawl/dag-core';
import { boxOf, doOverlap, lookOf, nodesOf } from '../../../apps/designer/src/editor/index.ts';
import { ask, type Drawing, detailsOf, settle, tell } from '../drawing.ts';
import type { Engine } from '../engine.ts';
import type { Spot } from '../probe/contract.ts';
import { quantile, type Sample } from '../samples.ts';
import { draftWhere } from './draft.ts';

export type Places = Readonly<Record<string, Spot>>;

/** The place of every node. */
export const placesOf = (document: FlowDocument): Places =>
  Object.fromEntries(
    nodesOf(document).map(({ id }) => {
      const { x = 0, y = 0 } = lookOf(document, id);
      return [id, { x, y }];
    }),
  );

/** Has the designer tidy the flow; gives the places as the server has them then, and the longest frame. */
export async function tidyUp(drawing: Drawing, engine: Engine): Promise<{ sample: Sample; places: Places }> {
  const { page, document } = drawing;
  const before = await draftWhere(engine, document.name, () => true);
  // Looked for beforehand: to search a page with many nodes by what they are called holds it up as well.
  const { x, y } = (await page.getByRole('button', { name: 'Tidy', exact: true }).boundingBox())!;
  await ask(drawing, 'expect', 'pointerdown', 'button[aria-label="Undo"][title^="Undo: tidy"]');
  await ask(drawing, 'watch');
  await page.mouse.click(x + 5, y + 5);
  const doneMs = await ask(drawing, 'shownAfterMs');
  await settle(drawing);
  const frames = await ask(drawing, 'frames');
  const old = JSON.stringify(placesOf(before));
  const after = await draftWhere(engine, document.name, (draft) => JSON.stringify(placesOf(draft)) !== old);
  checkApart(after);
  const sample = { value: quantile(frames.ms, 1), details: { ...detailsOf(frames), doneMs } };
  return { sample, places: placesOf(after) };
}

/** Gives the nodes of the bare page the same places at once. */
export async function placeAll(drawing: Drawing, places: Places): Promise<Sample> {
  await ask(drawing, 'watch');
  await tell(drawing, 'place', places);
  await settle(drawing);
  const frames = await ask(drawing, 'frames');
  for (const id of (await ask(drawing, 'drawn')).nodes) {
    const [at, wanted] = [await ask(drawing, 'placeOf', id), places[id]!];
    if (at?.x !== wanted.x || at.y !== wanted.y) throw new Error(`Bare node ${id} was not moved.`);
  }
  return { value: quantile(frames.ms, 1), details: detailsOf(frames) };
}

/** @throws {Error} when two nodes lie over one another */
function checkApart(document: FlowDocument): void {
  const boxes = nodesOf(document).map((node) => boxOf(document, node));
  boxes.forEach((box, at) => {
    if (boxes.slice(at + 1).some((other) => doOverlap(box, other)))
      throw new Error(`After tidying ${document.name} nodes lie over one another.`);
  });
}
