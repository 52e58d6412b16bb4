// Would catch: a page that says something else than the engine when events are lost, doubled, late or in another order, when the connection
// breaks or the tab sleeps; text of a model that is shown twice or in pieces; a node that still runs after it has ended.
import type { FlowDocument } from '@pawl/dag-core';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { en } from '../../apps/designer/src/text/en.ts';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { endOf } from '../support/run-to-end.ts';
import { eventOf, nodeRunsOf } from '../support/watch-run.ts';
import { closeBrowser, openPage } from './support/chromium.ts';
import {
  type FaultyProxy,
  type Mischief,
  type StreamFrame,
  startFaultyProxy,
} from './support/faulty-proxy.ts';

let pawl: Pawl;
let proxy: FaultyProxy;
const contexts: BrowserContext[] = [];

/** What the model says: characters of one to four bytes, long enough to come in many pieces. */
const SAID = Array.from({ length: 120 }, (_, at) => `${at} 北京 🌍 naïve.`).join(' ');

const story: FlowDocument = {
  format: 'pawl/1',
  name: 'story',
  title: 'Story',
  nodes: [
    // Nothing happens before the pages are there.
    { id: 'begin', kind: 'approval', title: 'Begin', subject: 'Tell the story?' },
    {
      id: 'parts',
      kind: 'map',
      title: 'Each part',
      over: '{{ [1..6] }}',
      body: {
        nodes: [{ id: 'read', kind: 'transform', title: 'Read part', value: '{{ item }}' }],
        edges: [],
      },
    },
    {
      id: 'write',
      kind: 'llm',
      title: 'Write story',
      model: 'sim:writer?latencyMs=2000',
      prompt: `Tell it.\n\`\`\`sim\n${JSON.stringify([{ say: SAID }])}\n\`\`\``,
    },
    { id: 'allow', kind: 'approval', title: 'Allow', subject: 'Print the story?' },
    { id: 'print', kind: 'transform', title: 'Print', value: '{{ nodes.write.output }}' },
    { id: 'burn', kind: 'transform', title: 'Burn', value: 'ash' },
  ],
  edges: [
    { from: 'begin', to: 'parts' },
    { from: 'parts', to: 'write' },
    { from: 'write', to: 'allow' },
    { from: 'allow', to: 'print' },
    { from: 'allow', port: 'rejected', to: 'burn' },
  ],
};

beforeAll(async () => {
  pawl = await startPawl({ workers: 1 });
  await pawl.client.publishFlow({ params: { flow: story.name }, body: story as never });
});

afterAll(async () => {
  await closeBrowser();
  await pawl?.stop();
});

beforeEach(async () => {
  proxy = await startFaultyProxy(pawl.url);
});

afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
  await proxy.close();
});

const start = async (): Promise<string> => (await pawl.client.startRun({ body: { flow: story.name } })).runId;

/** Answers what a node run asks, as soon as it does. */
async function approve(runId: string, path: 'begin' | 'allow'): Promise<void> {
  const { seq } = await eventOf(pawl, runId, 'inbox.asked', (event) => event.path === path);
  const question = `${runId}.${seq}`;
  await pawl.client.answerQuestion({ params: { question }, body: { decision: 'approved' } });
}

/** Lets the story be told and printed, to the end. */
async function tell(runId: string): Promise<void> {
  await approve(runId, 'begin');
  await approve(runId, 'allow');
  await endOf(pawl, runId);
}

/** The page of the run, and the list of runs beside it, both by way of the proxy. */
async function watch(runId: string): Promise<{ readonly run: Page; readonly list: Page }> {
  const { page: run, context } = await openPage();
  contexts.push(context);
  await run.addInitScript({ content: noteTexts(en.run.writing) });
  const list = await context.newPage();
  await Promise.all([
    run.goto(`${proxy.url}/runs/${runId}?select=write`),
    list.goto(`${proxy.url}/runs?flow=${story.name}`),
  ]);
  await Promise.all([
    node(run, 'Begin').getByText(en.nodeRunStatus.waiting).waitFor(),
    list.getByRole('link', { name: runId.slice(-8) }).waitFor(),
    expect.poll(() => proxy.openStreams).toBeGreaterThan(0),
  ]);
  return { run, list };
}

const node = (page: Page, title: string) =>
  page.locator('.react-flow__node').filter({ has: page.getByText(title, { exact: true }) });

/** Keeps every text that the page shows as being written, by the label of its section. */
const noteTexts = (label: string) => `
  globalThis.shown = [];
  new MutationObserver(() => {
    const text = document.querySelector('section[aria-label="${label}"] p')?.textContent;
    if (text && text !== shown.at(-1)) shown.push(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });`;

const textsShown = (page: Page): Promise<string[]> => page.evaluate<string[]>('shown');

/** Rule 2: page and list end up saying exactly what the engine says. */
async function expectTruth({ run: page, list }: { run: Page; list: Page }, runId: string): Promise<void> {
  const [run, nodeRuns] = await Promise.all([
    pawl.client.getRun({ params: { runId } }),
    nodeRunsOf(pawl, runId),
  ]);
  await page.getByText(`event ${run.lastSeq} of ${run.lastSeq}`, { exact: true }).waitFor();
  await page.getByText(en.runStatus[run.status], { exact: true }).first().waitFor();
  const truth = story.nodes.map(({ id, title }) => {
    const status = nodeRuns[id]?.status;
    return `${title}, ${status ? en.nodeRunStatus[status] : en.run.notReached}`;
  });
  const shown = () =>
    page
      .locator('.react-flow__node')
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('aria-label') ?? ''));
  await expect.poll(shown).toEqual(expect.arrayContaining(truth));
  await expect.poll(() => page.getByLabel(en.run.writing).count()).toBe(0);
  const row = list.getByRole('row').filter({ hasText: runId.slice(-8) });
  await row.getByText(en.runStatus[run.status], { exact: true }).waitFor();
}

/** Each text that was shown is the beginning of what was said, but for gaps that are marked. */
async function expectWholeTexts(page: Page): Promise<readonly string[]> {
  const shown = await textsShown(page);
  for (const text of shown) {
    let place = 0;
    for (const part of text.split(' … ')) {
      const found = SAID.indexOf(part, place);
      expect(found, `“${part}” after ${place}`).toBeGreaterThanOrEqual(place);
      place = found + part.length;
    }
    expect(text).not.toContain('\ufffd');
  }
  return shown;
}

const everyThird = (act: (frame: StreamFrame) => readonly StreamFrame[]): Mischief => {
  let count = 0;
  return (frame) => (frame.event !== '' && ++count % 3 === 0 ? act(frame) : [frame]);
};

/** Two neighbours change places. */
function swapped(): Mischief {
  let kept: StreamFrame | undefined;
  return (frame) => {
    if (!kept) {
      kept = frame;
      return [];
    }
    const both = [frame, kept];
    kept = undefined;
    return both;
  };
}

const LOSSES: readonly (readonly [string, () => Mischief])[] = [
  ['some are dropped', () => everyThird(() => [])],
  ['all are dropped', () => () => []],
  ['each comes twice', () => (frame) => [frame, frame]],
  ['neighbours change places', swapped],
  [
    'the ends of everything are dropped',
    () => (frame) => (/outcome|statusChanged|end/.test(frame.text) ? [] : [frame]),
  ],
];

describe('rule 2: a page says what the engine says', () => {
  it.each(LOSSES)('when of the events %s', async (_, mischief) => {
    const runId = await start();
    const pages = await watch(runId);
    proxy.mischief = mischief();
    await tell(runId);
    await expectTruth(pages, runId);
    await expectWholeTexts(pages.run);
  });

  it('tells the list of runs and the count of the inbox what changes, without being asked', async () => {
    const runId = await start();
    const { run, list } = await watch(runId);
    await run.close();
    const asked = () => proxy.asked.filter((line) => /^GET \/v1\/(runs|inbox)/.test(line)).length;
    const row = list.getByRole('row').filter({ hasText: runId.slice(-8) });
    const badge = list.getByRole('link', { name: /^Inbox, \d+ waiting$/ });
    await badge.waitFor();
    const waiting = async () => Number(/\d+/.exec((await badge.getAttribute('aria-label'))!)![0]);
    await expect.poll(waiting).toBe((await pawl.client.countInbox()).count);
    const [before, since] = [asked(), performance.now()];
    const other = await start();
    await list.getByRole('link', { name: other.slice(-8) }).waitFor();
    await expect.poll(waiting).toBe((await pawl.client.countInbox()).count);
    await tell(runId);
    await row.getByText(en.runStatus.succeeded, { exact: true }).waitFor();
    // Each is compared every 15 s, whatever is told.
    const comparisons = 2 * Math.ceil((performance.now() - since) / 15_000);
    expect(asked() - before).toBeLessThanOrEqual(comparisons);
  });

  it('C41: shows the text of a model as it is written, whole and once', async () => {
    const runId = await start();
    const pages = await watch(runId);
    await tell(runId);
    await expectTruth(pages, runId);
    const shown = await expectWholeTexts(pages.run);
    expect(shown.length).toBeGreaterThan(3);
  });

  it('when all events come late, after everything has ended', async () => {
    const runId = await start();
    const pages = await watch(runId);
    proxy.isHolding = true;
    await tell(runId);
    proxy.isHolding = false;
    await expectTruth(pages, runId);
    await expectWholeTexts(pages.run);
  });

  it('C40: when the connection breaks again and again', async () => {
    const runId = await start();
    const pages = await watch(runId);
    let frames = 0;
    proxy.mischief = (frame) => {
      frames += 1;
      if (frames % 4 === 0) proxy.cut();
      return [frame];
    };
    await tell(runId);
    await expectTruth(pages, runId);
    await expectWholeTexts(pages.run);
    expect(await pages.run.getByText(en.runStatus.failed, { exact: true }).count()).toBe(0);
  });

  it('when a gateway answers 502 for a while: it says so, and is right soon after', async () => {
    const runId = await start();
    const pages = await watch(runId);
    proxy.isAway = true;
    proxy.cut();
    await pages.run.getByText(en.run.behind).waitFor();
    await tell(runId);
    proxy.isAway = false;
    await expectTruth(pages, runId);
    expect(await pages.run.getByText(en.run.behind).count()).toBe(0);
  });

  it('when the gateway answered 502 while the page was opened', async () => {
    const runId = await start();
    const { page: run, context } = await openPage();
    contexts.push(context);
    await run.goto(`${proxy.url}/runs`);
    await run.getByRole('link', { name: runId.slice(-8) }).waitFor();
    const list = await context.newPage();
    await list.goto(`${proxy.url}/runs?flow=${story.name}`);
    await list.getByRole('link', { name: runId.slice(-8) }).waitFor();
    // The code of the page is here already.
    await run.getByRole('link', { name: runId.slice(-8) }).hover();
    const ofRun = new RegExp(`/v1/runs(/|\\?run=)${runId}`);
    await run.route(ofRun, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }));
    await run.getByRole('link', { name: runId.slice(-8) }).click();
    await run.getByText(en.run.notHereYet).waitFor();
    await run.unroute(ofRun);
    await tell(runId);
    await expectTruth({ run, list }, runId);
  });

  it('when the tab slept and missed everything', async () => {
    const runId = await start();
    const pages = await watch(runId);
    const sessions = await Promise.all(
      [pages.run, pages.list].map((page) => page.context().newCDPSession(page)),
    );
    for (const session of sessions) await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    proxy.mischief = () => [];
    await tell(runId);
    proxy.cut();
    proxy.mischief = undefined;
    for (const session of sessions) await session.send('Page.setWebLifecycleState', { state: 'active' });
    await expectTruth(pages, runId);
    await expectWholeTexts(pages.run);
  });

  it('in a mix of all of this, by chance', async () => {
    const seed = Number(process.env.EVENT_LOSS_SEED ?? Date.now() % 1_000_000);
    console.info(`EVENT_LOSS_SEED=${seed}`);
    const chance = aChance(seed);
    const kept: StreamFrame[] = [];
    const watched = [];
    for (const runId of [await start(), await start(), await start()])
      watched.push({ runId, pages: await watch(runId) });
    proxy.mischief = (frame) => {
      const roll = chance();
      if (roll < 0.04) proxy.cut();
      if (roll < 0.2) return [];
      if (roll < 0.35) return [frame, frame];
      if (roll < 0.5) {
        kept.push(frame);
        return [];
      }
      return roll < 0.75 ? [frame, ...kept.splice(0)] : [frame];
    };
    for (const { runId } of watched) {
      if (chance() < 0.5) {
        proxy.isAway = true;
        proxy.cut();
        await tell(runId);
        proxy.isAway = false;
      } else await tell(runId);
    }
    for (const { runId, pages } of watched) {
      await expectTruth(pages, runId);
      await expectWholeTexts(pages.run);
    }
  });
});

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function aChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
