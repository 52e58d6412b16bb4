import { median } from '../../bench/result.ts';
import { ask, type Drawing } from '../drawing.ts';
import { quantile, type Sample } from '../samples.ts';

/** What says that a node is selected: in the designer the title in its inspector. */
function signOf({ side, document }: Drawing, id: string): [selector: string, text?: string] {
  if (side === 'bare') return [`.react-flow__node.selected[data-id="${id}"]`];
  return [
    'aside[aria-label="Settings of the node"] h2',
    document.nodes.find((node) => node.id === id)!.title!,
  ];
}

/** Selects one node after the other with the mouse. The first, which may load something, is apart. */
export async function select(drawing: Drawing, ids: readonly string[]): Promise<Sample> {
  const times: number[] = [];
  for (const id of ids) {
    const grip = await ask(drawing, 'gripOf', id);
    if (!grip) throw new Error(`Node ${id} of ${drawing.page.url()} cannot be clicked.`);
    await ask(drawing, 'expect', 'pointerdown', ...signOf(drawing, id));
    await drawing.page.mouse.click(grip.x, grip.y);
    times.push(await ask(drawing, 'shownAfterMs'));
  }
  const [firstMs = Number.NaN, ...others] = times;
  return { value: median(others), details: { firstMs, p95Ms: quantile(others, 0.95) } };
}
