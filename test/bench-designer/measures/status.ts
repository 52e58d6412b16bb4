import { ask, type Drawing, open, settle } from '../drawing.ts';
import { unsized } from '../measures.ts';
import type { Probe, Rect } from '../probe/contract.ts';
import { BEGIN, RUNNING, runningFlow, runningId } from '../running-flow.ts';
import { quantile, type Sample, type Side } from '../samples.ts';
import { sidesIn, type World } from './world.ts';

const FLOW = 'running';
const PATIENCE_MS = 180_000;
/** The words by which the pages say what happened to a node run, in the order in which it happens. */
const WORDS = { 'intent.recorded': 'running', 'outcome.succeeded': 'done' } as const;

/** One round: 200 nodes run in a real run, which a page of it follows. */
export class StatusMeasure {
  readonly #world: World;
  #canvas: Rect | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  async measure(round: number): Promise<void> {
    const { engine, site, samples } = this.#world;
    if (!this.#world.isWanted('status')) return;
    if (round === 0) {
      const document = runningFlow(FLOW);
      site.put(document);
      await engine.client.publishFlow({ params: { flow: FLOW }, body: document as never });
      await this.#take('ours', 'warm-up');
    }
    for (const side of sidesIn(round))
      samples.add(unsized('status'), side, await this.#take(side, `${round}-${side}`));
  }

  async #take(side: Side, key: string): Promise<Sample> {
    const { engine, site, newPage } = this.#world;
    const { client } = engine;
    const { runId } = await client.startRun({ body: { flow: FLOW, input: { key } }, headers: {} });
    const address =
      side === 'ours' ? `${engine.url}/runs/${runId}` : site.addressOf(FLOW, this.#canvas!, runId);
    const drawing: Drawing = { side, document: runningFlow(FLOW), address, ...(await newPage()) };
    await open(drawing);
    await settle(drawing);
    this.#canvas ??= await ask(drawing, 'canvas');
    await ask(drawing, 'watch');
    await client.sendSignal({ body: { name: BEGIN, key, runId } });
    await untilEnded(drawing);
    const { longestTaskMs, longTaskMs } = await ask(drawing, 'frames');
    const waits = await this.#check(drawing, runId);
    drawing.checkTrouble();
    await drawing.close();
    return {
      value: quantile(waits, 0.95),
      details: { medianMs: quantile(waits, 0.5), longestMs: quantile(waits, 1), longTaskMs, longestTaskMs },
    };
  }

  /**
   * @returns of each event the milliseconds until a frame showed it
   * @throws {Error} when the page shows other than what the API says, or an event was never shown
   */
  async #check(drawing: Drawing, runId: string): Promise<number[]> {
    const { client } = this.#world.engine;
    const ids = Array.from({ length: RUNNING }, (_, at) => runningId(at));
    const { items } = await client.listNodeRuns({ params: { runId }, query: { limit: 1_000 } });
    const shown = await ask(drawing, 'statuses');
    const wrong = ids.filter(
      (id) => items.find(({ path }) => path === id)?.status !== 'succeeded' || shown[id] !== 'done',
    );
    if (wrong.length > 0) {
      const said = wrong.slice(0, 5).map((id) => `${id}: ${shown[id] ?? 'nothing'}`);
      throw new Error(
        `${drawing.page.url()} does not show what the API says of ${wrong.length} nodes: ${said.join(', ')}.`,
      );
    }
    const times = (await ask(drawing, 'statusTimes', WORDS)).filter(({ path }) => ids.includes(path));
    const missed = times.filter(({ shownAt }) => shownAt === undefined);
    if (times.length !== 2 * RUNNING || missed.length > 0)
      throw new Error(
        `${drawing.page.url()} heard ${times.length} of ${2 * RUNNING} events, and never showed ${missed.length} of them.`,
      );
    return times.map(({ arrivedAt, shownAt }) => shownAt! - arrivedAt);
  }
}

/** Waits until the page says that all of them are done; what it says instead is told by the check that follows. */
async function untilEnded({ page }: Drawing): Promise<void> {
  await page
    .waitForFunction(
      ([word, count]) => {
        const { probe } = globalThis as unknown as { probe: Pick<Probe, 'statuses'> };
        return Object.values(probe.statuses()).filter((status) => status === word).length >= count;
      },
      [WORDS['outcome.succeeded'], RUNNING] as const,
      { polling: 250, timeout: PATIENCE_MS },
    )
    .catch(() => undefined);
}
