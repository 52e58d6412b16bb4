// Would catch: a drag that comes to stand beside a line it shows, a frame that leaves behind what lies in it, one gesture that takes two
// steps to undo, nodes that are drawn anew because the zoom changes, and edges that are lost with what is not drawn from far away.
import type { FlowDocument } from '@pawl/dag-core';
import type { Locator, Page } from 'playwright-core';
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
type Place = { readonly x: number; readonly y: number };

/** Three nodes without edges, a little out of line. */
async function open(options: Parameters<typeof openPage>[0] = {}, query = '') {
  const flow = `drawing-${++number}`;
  const nodes = ['one', 'two', 'three'].map((id) => ({
    id,
    kind: 'transform',
    title: `Node ${id}`,
    value: 1,
  }));
  const layout = { one: { x: 0, y: 0 }, two: { x: 300, y: 130 }, three: { x: 33, y: 290 } };
  await pawl.client.createFlow({
    body: { format: 'pawl/1', name: flow, nodes, edges: [], layout } as never,
  });
  const opened = await openPage(options);
  await opened.page.goto(`${pawl.url}/flows/${flow}${query}`);
  if (query === '') await node(opened.page, 'three').waitFor();
  return { ...opened, flow };
}

const node = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
const layoutOf = async (flow: string) =>
  ((await pawl.client.getFlow({ params: { flow } })).document as unknown as FlowDocument).layout as Record<
    string,
    Place
  >;
const drawingsOf = async (flow: string, key: '$notes' | '$frames') =>
  Object.values(((await layoutOf(flow))[key] ?? {}) as never as Record<string, Record<string, unknown>>);
const placeOf = async (flow: string, id: string) => {
  const { x, y } = (await layoutOf(flow))[id]!;
  return [x, y];
};

/** Drags an element by pixels of the screen, and holds it before it lets go. A drag begins with the first pixels, which do not count. */
async function dragBy(page: Page, what: Locator, by: Place, held?: () => Promise<void>) {
  const box = (await what.boundingBox())!;
  const [x, y] = [box.x + 60, box.y + 12];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 3, y);
  await page.mouse.move(x + 3 + by.x, y + by.y, { steps: 5 });
  await held?.();
  await page.mouse.up();
}

/** Draws an edge from one node to another one. */
async function connect(page: Page, from: string, to: string) {
  await node(page, from).locator('.react-flow__handle.source').hover();
  await page.mouse.down();
  await node(page, to).hover({ position: { x: 60, y: 12 } });
  await page.mouse.up();
}

async function choose(page: Page, ...ids: string[]) {
  await page.keyboard.press('Escape');
  for (const [at, id] of ids.entries())
    await node(page, id).click({
      position: { x: 110, y: 12 },
      ...(at > 0 && { modifiers: ['ControlOrMeta'] }),
    });
}

describe('dragging', () => {
  it('D18: comes into line with a node that is near, shows the line, and is undone at once; with Alt it goes anywhere', async () => {
    const { page, flow, trouble } = await open();
    await dragBy(page, node(page, 'three'), { x: -30, y: 1 }, () =>
      page.locator('[class*="guide"]').first().waitFor({ state: 'attached' }),
    );
    await expect.poll(() => placeOf(flow, 'three')).toEqual([0, 290]);
    expect(await page.locator('[class*="guide"]').count()).toBe(0);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => placeOf(flow, 'three')).toEqual([33, 290]);
    await page.keyboard.down('Alt');
    await dragBy(page, node(page, 'three'), { x: -31, y: 3 });
    await page.keyboard.up('Alt');
    await expect.poll(() => placeOf(flow, 'three')).toEqual([2, 293]);
    expect(trouble).toEqual([]);
  });
});

describe('what is added', () => {
  it('comes into view when it would lie beyond the rim, below the inspector or the palette', async () => {
    const { page } = await open();
    const [drawing, palette] = [page.locator('[data-drawing]'), page.locator('[data-palette]')];
    const isSeen = async (id: string) => {
      const [box, pane, left] = await Promise.all(
        [node(page, id), drawing, palette].map(async (each) => (await each.boundingBox())!),
      );
      return box!.x >= left!.x + left!.width && box!.x + box!.width <= pane!.x + pane!.width;
    };
    await node(page, 'two').click({ position: { x: 110, y: 12 } });
    const made = ['transform', 'transform2', 'transform3', 'transform4', 'transform5'];
    for (const id of made) {
      await page.keyboard.press('Tab');
      await page.keyboard.type('transform');
      await page.keyboard.press('Enter');
      await node(page, id).and(page.locator(':focus')).waitFor();
      await expect.poll(() => isSeen(id)).toBe(true);
    }
    // Some of them lay beyond the rim: the view has moved, and is as near as before.
    expect(await isSeen('one')).toBe(false);
    expect(await page.locator('.react-flow').evaluate((it) => it.scrollLeft)).toBe(0);
  });
});

describe('the line below the name of a node', () => {
  it('names its kind in the language of the screen, and as it is written in flows to who points at it', async () => {
    const { page } = await open({ locale: 'zh-CN' });
    const line = node(page, 'one').getByText('转换', { exact: true });
    await line.waitFor();
    expect(await line.getAttribute('title')).toBe('transform');
  });
});

describe('several nodes', () => {
  it('are aligned and distributed by a bar and by keys, each in one step', async () => {
    const { page, flow } = await open();
    await choose(page, 'one', 'two', 'three');
    const bar = page.getByRole('toolbar', { name: 'Arrange 3 nodes' });
    await bar.getByRole('button', { name: 'Align left' }).click();
    await expect.poll(() => placeOf(flow, 'two')).toEqual([0, 130]);
    expect(await placeOf(flow, 'three')).toEqual([0, 290]);
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => placeOf(flow, 'two')).toEqual([300, 130]);
    await page.keyboard.press('Alt+Shift+V');
    await expect.poll(() => placeOf(flow, 'two')).toEqual([300, 145]);
    await page.keyboard.press('Alt+W');
    await expect.poll(() => placeOf(flow, 'three')).toEqual([33, 0]);
    await page.keyboard.press('Escape');
    await bar.waitFor({ state: 'detached' });
  });
});

describe('notes and frames', () => {
  it('are copied, cut and pasted by keys, also in another tab, and duplicated with the nodes beside them', async () => {
    const { page, context, flow, trouble } = await open();
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: 'Text of the note' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Ask Ada first');
    await page.keyboard.press('Escape');
    const notes = (on: Page) => on.locator('.react-flow__node').filter({ hasText: 'Ask Ada first' });
    await notes(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ControlOrMeta+c');
    await page.keyboard.press('ControlOrMeta+v');
    await expect.poll(() => drawingsOf(flow, '$notes')).toHaveLength(2);
    const [first, second] = await drawingsOf(flow, '$notes');
    expect(Number(second!.x) - Number(first!.x)).toBe(32);
    // What was pasted is selected, so it is what is cut.
    await page.keyboard.press('ControlOrMeta+x');
    await expect.poll(() => drawingsOf(flow, '$notes')).toEqual([first]);

    const other = await context.newPage();
    const elsewhere = `drawing-${++number}`;
    const node = { id: 'there', kind: 'transform', title: 'There', value: 1 };
    await pawl.client.createFlow({
      body: { format: 'pawl/1', name: elsewhere, nodes: [node], edges: [] } as never,
    });
    await other.goto(`${pawl.url}/flows/${elsewhere}`);
    await other.locator('.react-flow__node[data-id="there"]').click();
    await other.keyboard.press('ControlOrMeta+v');
    await notes(other).waitFor();
    await expect.poll(() => drawingsOf(elsewhere, '$notes')).toMatchObject([{ text: 'Ask Ada first' }]);
    await other.keyboard.press('ControlOrMeta+z');
    await notes(other).waitFor({ state: 'detached' });

    await page.bringToFront();
    await page.keyboard.press('ControlOrMeta+a');
    await notes(page).click({ modifiers: ['ControlOrMeta'] });
    await page.keyboard.press('ControlOrMeta+d');
    await expect.poll(() => drawingsOf(flow, '$notes')).toHaveLength(2);
    await page.locator('.react-flow__node[data-id="three2"]').waitFor();
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => drawingsOf(flow, '$notes')).toEqual([first]);
    expect(trouble).toEqual([]);
  });

  it('are resized by keys, each press one step to undo', async () => {
    const { page, flow } = await open();
    await page.keyboard.press('f');
    await page.getByRole('textbox', { name: 'Title of the frame' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Part one');
    await page.keyboard.press('Enter');
    await expect.poll(() => drawingsOf(flow, '$frames')).toMatchObject([{ title: 'Part one' }]);
    const [before] = await drawingsOf(flow, '$frames');
    const larger = (by: Place) => [
      { ...before, width: Number(before!.width) + by.x, height: Number(before!.height) + by.y },
    ];
    await page.keyboard.press('Alt+Shift+ArrowRight');
    await page.keyboard.press('Alt+Shift+ArrowUp');
    await expect.poll(() => drawingsOf(flow, '$frames')).toEqual(larger({ x: 10, y: -10 }));
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => drawingsOf(flow, '$frames')).toEqual(larger({ x: 10, y: 0 }));
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog');
    await keys.getByText('Make a note or frame larger or smaller').waitFor();
    await keys.getByText('Paste, keeping the edges that come in').waitFor();
  });

  it('are drawn, written, coloured, resized and removed, each undone in one step', async () => {
    const { page, flow, trouble } = await open();
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: 'Text of the note' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Ask Ada first');
    await page.keyboard.press('Escape');
    const note = page.locator('.react-flow__node').filter({ hasText: 'Ask Ada first' });
    await note.and(page.locator(':focus')).waitFor();
    await page
      .getByRole('toolbar', { name: 'What can be done with it' })
      .getByRole('button', { name: 'Yellow' })
      .click();
    await expect
      .poll(() => drawingsOf(flow, '$notes'))
      .toMatchObject([{ text: 'Ask Ada first', color: 'degraded' }]);
    expect(await seriousIssues(page)).toEqual([]);
    const [before] = await drawingsOf(flow, '$notes');
    const corner = (await note.locator('.react-flow__resize-control.handle.bottom.right').boundingBox())!;
    await page.mouse.move(corner.x + 4, corner.y + 4);
    await page.mouse.down();
    await page.mouse.move(corner.x + 54, corner.y + 34, { steps: 5 });
    await page.mouse.up();
    await expect
      .poll(async () => Number((await drawingsOf(flow, '$notes'))[0]?.width))
      .toBeGreaterThan(Number(before!.width) + 30);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => drawingsOf(flow, '$notes')).toEqual([before]);
    await note.click();
    await page.keyboard.press('Delete');
    await note.waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+z');
    await note.waitFor();
    await page.getByRole('button', { name: 'List' }).click();
    await page.getByRole('textbox', { name: 'Text of the note' }).fill('Ask Bob');
    await expect.poll(() => drawingsOf(flow, '$notes')).toMatchObject([{ text: 'Ask Bob' }]);
    expect(await seriousIssues(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it('D19: a frame stands around what was selected, and takes it along', async () => {
    const { page, flow } = await open({ colorScheme: 'dark' });
    await choose(page, 'one', 'two');
    await page.keyboard.press('f');
    await page.getByRole('textbox', { name: 'Title of the frame' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Read');
    await page.keyboard.press('Enter');
    const frame = page.locator('.react-flow__node').filter({ hasText: 'Read' }).first();
    await expect.poll(() => drawingsOf(flow, '$frames')).toMatchObject([{ title: 'Read', x: -24, y: -48 }]);
    await page.keyboard.press('Escape');
    await page.keyboard.down('Alt');
    await dragBy(page, frame.getByText('Read'), { x: 40, y: 60 });
    await page.keyboard.up('Alt');
    await expect.poll(async () => (await placeOf(flow, 'one'))[1]).toBeGreaterThan(40);
    const [x, y] = await placeOf(flow, 'one');
    expect(await placeOf(flow, 'two')).toEqual([x! + 300, y! + 130]);
    expect(await placeOf(flow, 'three')).toEqual([33, 290]);
    expect(await drawingsOf(flow, '$frames')).toMatchObject([{ x: x! - 24, y: y! - 48 }]);
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => placeOf(flow, 'one')).toEqual([0, 0]);
  });

  it('come from the palette and from a right click on the canvas as well', async () => {
    const { page, flow } = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('note');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Text of the note' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('By name');
    await page.keyboard.press('Escape');
    await page.locator('.react-flow__pane').click({ button: 'right', position: { x: 700, y: 90 } });
    await page.getByRole('menuitem', { name: 'Add a note here' }).click();
    await page.getByRole('textbox', { name: 'Text of the note' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('By hand');
    await expect
      .poll(async () => (await drawingsOf(flow, '$notes')).map(({ text }) => text))
      .toEqual(['By name', 'By hand']);
  });
});

describe('the zoom', () => {
  it('says less of nodes the further away they are, and draws them anew only where they are empty blocks', async () => {
    const { page } = await open();
    const graph = page.locator('.react-flow');
    const detail = () => graph.getAttribute('data-detail');
    const edges = page.locator('.react-flow__edge-path');
    await connect(page, 'one', 'two');
    await expect.poll(() => edges.count()).toBe(1);
    await expect.poll(detail).toBe('full');
    await page.evaluate(`
      globalThis.redrawn = 0;
      new MutationObserver((all) => { globalThis.redrawn += all.length; })
        .observe(document.querySelector('.react-flow__nodes'), { subtree: true, childList: true, characterData: true, attributes: true });
    `);
    const zoomOut = page.getByRole('button', { name: 'Zoom out' });
    for (let clicks = 0; clicks < 20 && (await detail()) !== 'brief'; clicks++) await zoomOut.click();
    expect(await node(page, 'one').getByText('transform').isVisible()).toBe(false);
    expect(await node(page, 'one').getByText('Node one').isVisible()).toBe(true);
    expect(await page.evaluate('globalThis.redrawn')).toBe(0);
    for (let clicks = 0; clicks < 20 && (await detail()) !== 'block'; clicks++) await zoomOut.click();
    await expect.poll(() => graph.locator('.react-flow__handle').count()).toBe(0);
    expect(await node(page, 'one').textContent()).toBe('');
    expect(await edges.count()).toBe(1);
    expect(await seriousIssues(page)).toEqual([]);
    for (let clicks = 0; clicks < 20 && (await detail()) !== 'full'; clicks++)
      await page.getByRole('button', { name: 'Zoom in' }).click();
    await node(page, 'one').getByText('Node one').waitFor();
    await connect(page, 'three', 'two');
    await expect.poll(() => edges.count()).toBe(2);
  });
});
