import type { FlowDocument } from '@pawl/dag-core';
import { lookOf } from '../../../apps/designer/src/editor/index.ts';
import { ask, type Drawing, dragBy, swing, timeMoves, untilMoved } from '../drawing.ts';
import type { Engine } from '../engine.ts';
import type { Sample } from '../samples.ts';
import { draftWhere } from './draft.ts';

const FAR = { x: 110, y: 60 } as const;
const END = { x: 60, y: 30 } as const;
/** React Flow counts from where it takes a press for the beginning of a drag. */
const FIRST = { x: 2, y: 1 } as const;

/** Drags a node about; in the designer its place must then be in the draft. */
export async function drag(drawing: Drawing, id: string, moves: number, engine: Engine): Promise<Sample> {
  const [grip, before] = [await ask(drawing, 'gripOf', id), await ask(drawing, 'placeOf', id)];
  if (!grip || !before) throw new Error(`Node ${id} of ${drawing.page.url()} cannot be taken.`);
  const sample = await timeMoves(drawing, () => dragBy(drawing, grip, [FIRST, ...swing(moves, FAR, END)]));
  await untilMoved(drawing, `Node ${id}`, before, END, () => ask(drawing, 'placeOf', id));
  if (drawing.side === 'ours')
    await draftWhere(engine, drawing.document.name, (draft) =>
      isAt(draft, id, { x: before.x + END.x, y: before.y + END.y }),
    );
  return sample;
}

function isAt(draft: FlowDocument, id: string, at: { readonly x: number; readonly y: number }): boolean {
  const { x = Number.NaN, y = Number.NaN } = lookOf(draft, id);
  return Math.abs(x - at.x) <= 3 && Math.abs(y - at.y) <= 3;
}
