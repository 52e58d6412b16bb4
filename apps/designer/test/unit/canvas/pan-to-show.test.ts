// Which mistake would this catch? A new node that comes to lie under the inspector, and a view that jumps although all is seen.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { panToShow } from '../../../src/canvas/pan-to-show.ts';

const PANE = { width: 900, height: 600 };
const RIMS = { left: 240, top: 24, right: 24, bottom: 60 };
const box = (x: number, y: number) => ({ x, y, width: 212, height: 64 });

describe('panning to what was added', () => {
  it('moves nothing when it is seen', () => {
    const view = { x: 10, y: 0, zoom: 1 };
    expect(panToShow(view, PANE, box(300, 100), RIMS)).toBe(view);
  });

  it('moves by what is missing at the right, and up and down only when that is missing too', () => {
    const view = { x: 0, y: 0, zoom: 1 };
    expect(panToShow(view, PANE, box(800, 100), RIMS)).toEqual({ x: -136, y: 0, zoom: 1 });
    expect(panToShow(view, PANE, box(800, 590), RIMS)).toEqual({ x: -136, y: -114, zoom: 1 });
    expect(panToShow(view, PANE, box(0, 0), RIMS)).toEqual({ x: 240, y: 24, zoom: 1 });
  });

  it('shows the upper left corner of what is larger than the pane', () => {
    const large = { x: 500, y: 100, width: 5_000, height: 40 };
    expect(panToShow({ x: 0, y: 0, zoom: 1 }, PANE, large, RIMS)).toEqual({ x: -260, y: 0, zoom: 1 });
  });

  it('shows whatever fits, at any zoom, and then moves nothing more', () => {
    const anyView = fc.record({
      x: fc.integer({ min: -5_000, max: 5_000 }),
      y: fc.integer({ min: -5_000, max: 5_000 }),
      zoom: fc.constantFrom(0.25, 0.5, 1, 2),
    });
    const anyPlace = fc.tuple(
      fc.integer({ min: -9_000, max: 9_000 }),
      fc.integer({ min: -9_000, max: 9_000 }),
    );
    fc.assert(
      fc.property(anyView, anyPlace, (view, [x, y]) => {
        const shown = panToShow(view, PANE, box(x, y), RIMS);
        const left = x * shown.zoom + shown.x;
        const top = y * shown.zoom + shown.y;
        expect(left).toBeGreaterThanOrEqual(RIMS.left);
        expect(left + 212 * shown.zoom).toBeLessThanOrEqual(PANE.width - RIMS.right);
        expect(top).toBeGreaterThanOrEqual(RIMS.top);
        expect(top + 64 * shown.zoom).toBeLessThanOrEqual(PANE.height - RIMS.bottom);
        expect(panToShow(shown, PANE, box(x, y), RIMS)).toBe(shown);
      }),
    );
  });
});
