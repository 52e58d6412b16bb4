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

/**
 * Selects `count` nodes with the mouse, one after the other, and passes over those that lie under something, as under the map of the
 * canvas. The first, which may load something, is apart.
 *
 * @throws {Error} when fewer of them can be clicked
 */
export async function select(drawing: Drawing, ids: readonly string[], count: number): Promise<Sample> {
  const times: number[] = [];
  for (const id of ids) {
    if (times.length === count) break;
    const grip = await ask(drawing, 'gripOf', id);
    if (!grip) continue;
    await ask(drawing, 'expect', 'pointerdown', ...signOf(drawing, id));
    await drawing.page.mouse.click(grip.x, grip.y);
    times.push(await ask(drawing, 'shownAfterMs'));
  }
  if (times.length < count)
    throw new Error(
      `Of the nodes ${ids.join(', ')} of ${drawing.page.url()} only ${times.length} can be clicked; expected ${count}.`,
    );
  const [firstMs = Number.NaN, ...others] = times;
  return { value: median(others), details: { firstMs, p95Ms: quantile(others, 0.95) } };
}
