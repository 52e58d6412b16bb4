// Would catch: a status that is drawn in another colour, without its border or like another one, in one of the themes.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE_RUN_LOOKS } from '../../apps/designer/src/graph/status.ts';
import { en } from '../../apps/designer/src/text/en.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { closeBrowser, openPage } from './support/chromium.ts';
import { GRAPH_SIZE, PLACES, type Standing, startInEveryStanding } from './support/every-standing.ts';
import { differenceFrom, pictureOf, showGraphAlone, storeWhenAsked } from './support/pictures.ts';

let pawl: PawlWithLedger;
let runId: string;

beforeAll(async () => {
  pawl = await startWithLedger();
  // It has told which tools there are; what is ready stays ready without it.
  const [worker] = pawl.workers;
  worker!.kill('SIGKILL');
  await worker!.ended;
  runId = await startInEveryStanding(pawl);
});

afterAll(async () => {
  await closeBrowser();
  await pawl?.stop();
});

const THEMES = ['light', 'dark'] as const;

/** The graph of the run alone, when every node has come to stand as it should. */
async function openGraph(theme: (typeof THEMES)[number]): Promise<Page> {
  const { page } = await openPage({ colorScheme: theme, deviceScaleFactor: 1 });
  await showGraphAlone(page, GRAPH_SIZE);
  // Leases are no events, and no worker is here that could have one.
  const held = { path: 'runs', attempt: 1, workerId: 'one', isAlive: true, leftMs: 600_000 };
  await page.route(`**/v1/runs/${runId}/work`, (route) => route.fulfill({ json: { items: [held] } }));
  await page.goto(`${pawl.url}/runs/${runId}`);
  for (const { node, standing } of PLACES)
    await page
      .locator('.react-flow__node')
      .and(page.getByLabel(`${node.title}, ${wordsOf(standing)}`, { exact: true }))
      .getByText(signOf(standing), { exact: true })
      .first()
      .waitFor({ state: 'attached' });
  await page.locator('.react-flow').getByText('1×').first().waitFor({ state: 'attached' });
  return page;
}

const statusOf = (standing: Standing) => (standing === 'given' ? 'succeeded' : standing);

function wordsOf(standing: Standing): string {
  const status = statusOf(standing);
  return status === 'notReached' ? en.run.notReached : en.nodeRunStatus[status];
}

/** Letters are in no picture, so the sign of a status is looked for by itself; what was not reached has none. */
function signOf(standing: Standing): string | RegExp {
  const status = statusOf(standing);
  return status === 'notReached' ? /./ : NODE_RUN_LOOKS[status].sign;
}

describe.each(THEMES)('in the %s theme', (theme) => {
  it('when a node run stands somehow, its node looks as in the stored picture', async () => {
    const page = await openGraph(theme);
    const shown = new Set(PLACES.map(({ standing }) => standing));
    expect(Object.keys(NODE_RUN_LOOKS).filter((status) => !shown.has(status as never))).toEqual([]);
    const graph = page.locator('.react-flow');
    const picture = await pictureOf(graph);
    storeWhenAsked(`node-standings-${theme}`, picture);
    expect(differenceFrom(`node-standings-${theme}`, picture)).toBeUndefined();

    // The comparison is one that can fail: a single colour is changed.
    await page.evaluate("document.documentElement.style.setProperty('--wait', 'teal')");
    expect(differenceFrom(`node-standings-${theme}`, await pictureOf(graph))).toMatch(/pixels .* differ/);
  });
});
