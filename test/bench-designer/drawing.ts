import type { FlowDocument } from '@pawl/dag-core';
import type { ProbedPage } from './browser.ts';
import type { BareFlow, Frames, Probe, Spot } from './probe/contract.ts';
import { quantile, type Sample, type Side } from './samples.ts';

/** A page in which a flow is drawn: the designer's, or the bare one. */
export interface Drawing extends ProbedPage {
  readonly side: Side;
  readonly document: FlowDocument;
  readonly address: string;
}

/** Asks the page that is measured. */
export function ask<M extends keyof Probe>(
  { page }: Pick<Drawing, 'page'>,
  method: M,
  ...given: Parameters<Probe[M]>
): Promise<Awaited<ReturnType<Probe[M]>>> {
  return page.evaluate(
    ([name, values]) =>
      (globalThis as unknown as { probe: Record<string, (...all: unknown[]) => unknown> }).probe[name]!(
        ...values,
      ),
    [method as string, given as unknown[]] as const,
  ) as Promise<Awaited<ReturnType<Probe[M]>>>;
}

/** Tells the bare page something. */
export function tell<M extends keyof BareFlow>(
  { page }: Pick<Drawing, 'page'>,
  method: M,
  ...given: Parameters<BareFlow[M]>
): Promise<void> {
  return page.evaluate(
    ([name, values]) =>
      (globalThis as unknown as { bareFlow: Record<string, (...all: unknown[]) => void> }).bareFlow[name]!(
        ...values,
      ),
    [method as string, given as unknown[]] as const,
  );
}

/** Opens the flow; milliseconds from the beginning of the navigation until a frame shows every node and every edge. */
export async function open(drawing: Drawing): Promise<Sample> {
  const { page, address, document } = drawing;
  await page.goto(address, { waitUntil: 'commit' });
  const counts = [document.nodes.length, document.edges.length] as const;
  await page.waitForFunction(
    ([nodes, edges]) => (globalThis as unknown as { probe: Probe }).probe.drawnAt(nodes, edges) !== undefined,
    counts,
  );
  await checkDrawn(drawing);
  return { value: (await ask(drawing, 'drawnAt', ...counts))! };
}

/** @throws {Error} naming what is missing, when not every node and edge is in the page */
async function checkDrawn(drawing: Drawing): Promise<void> {
  const { document, page } = drawing;
  const { nodes, edges } = await ask(drawing, 'drawn');
  const there = new Set(nodes);
  const missing = document.nodes.filter(({ id }) => !there.has(id)).map(({ id }) => id);
  if (missing.length === 0 && there.size === document.nodes.length && edges === document.edges.length) return;
  const counted = `${there.size} of ${document.nodes.length} nodes and ${edges} of ${document.edges.length} edges`;
  throw new Error(`${page.url()} draws ${counted}; it lacks ${missing.slice(0, 5).join(', ') || 'none'}.`);
}

/** Waits until the page has next to nothing to do, so that what is left of opening it disturbs nothing. */
export async function settle(drawing: Drawing): Promise<void> {
  for (let before = await cpuMs(drawing); ; ) {
    await drawing.page.waitForTimeout(400);
    const now = await cpuMs(drawing);
    if (now - before < 40) break;
    before = now;
  }
  drawing.checkTrouble();
}

/** Times the frames while something moves, `move` telling in how many steps: the one that 95 of 100 do not pass is the figure. */
export async function timeMoves(drawing: Drawing, move: () => Promise<number>): Promise<Sample> {
  const before = await cpuMs(drawing);
  await ask(drawing, 'watch');
  const moves = await move();
  const frames = await ask(drawing, 'frames');
  const cpuMsPerMove = ((await cpuMs(drawing)) - before) / moves;
  return { value: quantile(frames.ms, 0.95), details: { ...detailsOf(frames), cpuMsPerMove } };
}

/** Figures behind a figure of frames. */
export const detailsOf = ({ ms, longTaskMs, longestTaskMs }: Frames): Record<string, number> => ({
  medianMs: quantile(ms, 0.5),
  longestMs: quantile(ms, 1),
  longTaskMs,
  longestTaskMs,
});

/** Milliseconds of processor time that the thread of the page took so far. */
async function cpuMs({ cost }: Drawing): Promise<number> {
  const { metrics } = await cost.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000;
}

/** Presses at a spot, goes through points that are counted from there, and lets go at the last one; gives their number. */
export async function dragBy({ page }: Drawing, from: Spot, path: readonly Spot[]): Promise<number> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (const { x, y } of path) await page.mouse.move(from.x + x, from.y + y);
  await page.mouse.up();
  return path.length;
}

/** Twice to `far` and as far to the other side in `count` steps, and `end` away from the beginning at the last one. */
export function swing(count: number, far: Spot, end: Spot): Spot[] {
  return Array.from({ length: count }, (_, step) => {
    const share = (step + 1) / count;
    const out = Math.sin(share * Math.PI * 4);
    return { x: Math.round(far.x * out + end.x * share), y: Math.round(far.y * out + end.y * share) };
  });
}

/**
 * Waits until something is where it must be, give or take what rounding explains.
 *
 * @throws {Error} when frames go by and it is not
 */
export async function untilMoved(
  { page }: Drawing,
  what: string,
  from: Spot,
  by: Spot,
  read: () => Promise<Spot | undefined>,
): Promise<void> {
  let to: Spot | undefined;
  for (let frame = 0; frame < 60; frame++) {
    to = await read();
    if (to && Math.abs(to.x - from.x - by.x) <= 3 && Math.abs(to.y - from.y - by.y) <= 3) return;
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
  throw new Error(
    `${what} of ${page.url()} went from ${JSON.stringify(from)} to ${JSON.stringify(to)}; expected ${JSON.stringify(by)} further.`,
  );
}
