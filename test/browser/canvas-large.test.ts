// Would catch: nodes that stay where they were when a large flow is tidied, a map that shows another part than is in view, or moves it the
// other way; and transitions that everything makes for who asked for none.
import type { FlowDocument } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { seriousIssues } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

let pawl: Pawl;

beforeAll(async () => {
  pawl = await startPawl({ workers: 0 });
});

afterAll(async () => {
  await closeBrowser();
  await pawl.stop();
});

let number = 0;

/** A flow of so many nodes in rows of eight, without edges. */
async function openLarge(count: number, options: Parameters<typeof openPage>[0] = {}) {
  const flow = `large-${++number}`;
  const ids = Array.from({ length: count }, (_, at) => `n${at}`);
  const layout = Object.fromEntries(ids.map((id, at) => [id, { x: (at % 8) * 280, y: (at >> 3) * 130 }]));
  const nodes = ids.map((id) => ({ id, kind: 'transform', value: 1 }));
  const body = { format: 'pawl/1', name: flow, nodes, edges: [], layout };
  await pawl.client.createFlow({ body: body as never });
  const { page } = await openPage(options);
  await page.goto(`${pawl.url}/flows/${flow}`);
  await page.getByRole('img', { name: 'Small map' }).waitFor();
  return { page, flow };
}

describe('a large flow that is tidied', () => {
  it('comes to show every node where the draft says, and is as before with one step back', async () => {
    const { page, flow } = await openLarge(140);
    const drawnPlaces = () =>
      page.locator('.react-flow__node').evaluateAll((all) =>
        all.map((each) => {
          const { dataset, style } = each as unknown as {
            dataset: { id: string };
            style: { transform: string };
          };
          const [x, y] = style.transform.match(/-?\d+(?:[.]\d+)?/g)!.map(Number);
          return [dataset.id, Math.round(x!), Math.round(y!)];
        }),
      );
    const savedPlaces = async () => {
      const { document } = await pawl.client.getFlow({ params: { flow } });
      const { layout = {} } = document as unknown as FlowDocument;
      return Object.entries(layout as Record<string, { x: number; y: number }>).map(([id, { x, y }]) => [
        id,
        Math.round(x),
        Math.round(y),
      ]);
    };
    const byId = (places: readonly unknown[]) => places.map((place) => JSON.stringify(place)).toSorted();
    await expect.poll(async () => (await drawnPlaces()).length).toBe(140);
    const before = byId(await savedPlaces());
    await page.getByRole('button', { name: 'Tidy', exact: true }).click();
    await expect.poll(async () => byId(await savedPlaces()), { timeout: 20_000 }).not.toEqual(before);
    const after = byId(await savedPlaces());
    await expect.poll(async () => byId(await drawnPlaces())).toEqual(after);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => byId(await drawnPlaces())).toEqual(before);
  });
});

describe('for a person who asked for less motion', () => {
  it('nothing begins to move by and by when nodes move', async () => {
    const { page } = await openLarge(40, { reducedMotion: 'reduce' });
    await page.evaluate(`
      globalThis.begun = [];
      document.addEventListener('transitionrun', ({ propertyName }) => globalThis.begun.push(propertyName), true);
    `);
    const first = page.locator('.react-flow__node[data-id="n0"]');
    const place = () =>
      first.evaluate((each) => (each as unknown as { style: { transform: string } }).style.transform);
    const before = await place();
    await first.hover();
    await page.mouse.down();
    await page.mouse.move(700, 500, { steps: 4 });
    await page.mouse.up();
    await expect.poll(place).not.toBe(before);
    expect(await page.evaluate('globalThis.begun')).toEqual([]);
  });
});

describe('the map of a large flow', () => {
  it('shows what is in view, is dragged to move it, and zooms by the wheel', async () => {
    const { page } = await openLarge(40);
    const map = page.getByRole('img', { name: 'Small map' });
    const view = async () => {
      const transform = await page.locator('.react-flow__viewport').getAttribute('style');
      const [x, y, zoom] = transform!.match(/-?\d+(?:[.]\d+)?/g)!.map(Number);
      return { x: x!, y: y!, zoom: zoom! };
    };
    const mask = () => map.locator('path').last().getAttribute('d');
    await expect.poll(async () => (await view()).zoom).toBeLessThan(1);
    const [before, shown] = [await view(), await mask()];
    const box = (await map.boundingBox())!;
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.down();
    await page.mouse.move(middle.x + 20, middle.y + 10);
    await page.mouse.up();
    await page.mouse.move(middle.x, middle.y);
    const moved = await view();
    // To the right on the map is to the right in the flow, so the flow goes to the left; twice as far as down.
    expect(moved.x).toBeLessThan(before.x - 20);
    expect((moved.x - before.x) / (moved.y - before.y)).toBeCloseTo(2, 1);
    expect(moved.zoom).toBe(before.zoom);
    await expect.poll(mask).not.toBe(shown);
    await page.mouse.wheel(0, -200);
    await expect.poll(async () => (await view()).zoom).toBeGreaterThan(before.zoom);
    expect(await seriousIssues(page)).toEqual([]);
  });
});
