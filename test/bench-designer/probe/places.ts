import type { Probe, Rect, Spot } from './contract.ts';

const NUMBERS = /-?\d+(?:[.]\d+)?(?:e-?\d+)?/g;
const one = <E extends Element = HTMLElement>(selector: string): E | null =>
  document.querySelector<E>(selector);
const nodeOf = (id: string) => one(`.react-flow__node[data-id="${id}"]`);
const numbersIn = (text: string): number[] => (text.match(NUMBERS) ?? []).map(Number);

function canvas(): Rect {
  const { x, y, width, height } = one('.react-flow')!.getBoundingClientRect();
  return { x, y, width, height };
}

/** Where things are, as React Flow wrote it into the page. */
export const places: Pick<Probe, 'viewport' | 'canvas' | 'placeOf' | 'gripOf' | 'emptySpot'> = {
  canvas,
  viewport() {
    const [x = 0, y = 0, zoom = 1] = numbersIn(one('.react-flow__viewport')!.style.transform);
    return { x, y, zoom };
  },
  placeOf(id) {
    const node = nodeOf(id);
    if (!node) return undefined;
    const [x = 0, y = 0] = numbersIn(node.style.transform);
    return { x, y };
  },
  gripOf(id) {
    const node = nodeOf(id);
    if (!node) return undefined;
    const { x, y, width, height } = node.getBoundingClientRect();
    const grip = { x: x + width * 0.4, y: y + Math.min(height / 2, 20) };
    return document.elementFromPoint(grip.x, grip.y)?.closest('.react-flow__node') === node
      ? grip
      : undefined;
  },
  emptySpot() {
    const { x, y, width, height } = canvas();
    const spots: Spot[] = [];
    for (let down = 0.3; down < 0.7; down += 0.013)
      for (let right = 0.35; right < 0.75; right += 0.009)
        spots.push({ x: Math.round(x + width * right), y: Math.round(y + height * down) });
    return spots.find((spot) =>
      document.elementFromPoint(spot.x, spot.y)?.classList.contains('react-flow__pane'),
    );
  },
};
