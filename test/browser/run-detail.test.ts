import type { FlowDocument, Json } from '@pawl/dag-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { rehearsedAgent } from '../support/rehearsal.ts';
import { seriousIssues } from './support/axe.ts';
import { closeBrowser, openPage } from './support/chromium.ts';

let pawl: Pawl;

const TABLE = `name,points\nAda,7\n"Bob, the second",5\n`;
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const keep = (id: string, name: string, mediaType: string, more: Record<string, Json>) =>
  ({
    id,
    kind: 'tool',
    title: `Keep ${name}`,
    tool: 'artifact.write@1',
    args: { name, mediaType, ...more },
  }) as const;

const part: FlowDocument = {
  format: 'pawl/1',
  name: 'measure-part',
  title: 'Measure part',
  nodes: [{ id: 'measure', kind: 'transform', title: 'Measure', value: '{{ $length(input.part) }}' }],
  edges: [],
};

const everything: FlowDocument = {
  format: 'pawl/1',
  name: 'everything',
  title: 'Everything',
  budget: { costUsd: 1, tokens: 100_000 },
  nodes: [
    {
      id: 'parts',
      kind: 'map',
      title: 'Each part',
      over: '{{ input.parts }}',
      onItemError: 'collect',
      body: {
        nodes: [{ id: 'read', kind: 'transform', title: 'Read part', value: '{{ $number(item) }}' }],
        edges: [],
      },
    },
    {
      id: 'write',
      kind: 'llm',
      title: 'Write summary',
      model: 'sim:writer',
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Summarise: {{ input.text }}' },
      ],
    },
    { id: 'long', kind: 'code', title: 'Long text', source: "export default () => 'é'.repeat(100000)" },
    keep('table', 'points.csv', 'text/csv', { content: TABLE }),
    keep('picture', 'dot.png', 'image/png', { content: PICTURE, encoding: 'base64' }),
    keep('archive', 'all.zip', 'application/zip', { content: 'UEs=', encoding: 'base64' }),
    {
      id: 'sub',
      kind: 'flow',
      title: 'Measure it',
      flow: 'measure-part@latest',
      input: { part: '{{ input.text }}' },
    },
    rehearsedAgent(
      [
        { calls: [{ name: 'keep', args: { name: 'note.txt', mediaType: 'text/plain', content: 'noted' } }] },
        { say: 'It is kept.' },
      ],
      { id: 'agent', title: 'Agent', tools: [{ tool: 'artifact.write@1', name: 'keep' }] },
    ),
  ],
  edges: [
    { from: 'parts', to: 'write' },
    { from: 'write', to: 'long' },
    { from: 'table', to: 'picture' },
    { from: 'picture', to: 'archive' },
    { from: 'sub', to: 'agent' },
  ],
};

let runId: string;

beforeAll(async () => {
  pawl = await startPawl({ workers: 1 });
  for (const document of [part, everything])
    await pawl.client.publishFlow({ params: { flow: document.name }, body: document as never });
  ({ runId } = await pawl.client.startRun({
    body: {
      flow: 'everything',
      input: { parts: ['1', 'two', '3'], text: 'Ada wrote the first program. It was long.' },
    },
    headers: {},
  }));
  for await (const _ of pawl.client.runEvents(runId)); // until it has ended
});

afterAll(async () => {
  await closeBrowser();
  await pawl.stop();
});

const openRun = async (select = '') => {
  const { page, trouble } = await openPage({ acceptDownloads: true });
  await page.goto(`${pawl.url}/runs/${runId}${select && `?select=${encodeURIComponent(select)}`}`);
  return { page, trouble };
};
const node = (page: Page, label: string) =>
  page.locator('.react-flow__node').and(page.getByLabel(label, { exact: true }));
const detail = (page: Page, title: string) => page.getByRole('article', { name: title });

describe('the graph of a run', () => {
  it('opens a map in place with the item that failed, and goes from item to item', async () => {
    const { page } = await openRun('write');
    await node(page, 'Read part, failed').waitFor();
    const items = page.getByRole('group', { name: 'Items of Each part' });
    await items.getByText('2 of 3').waitFor();
    await items.getByRole('button', { name: 'The next one' }).click();
    await page.waitForURL(/select=parts%2F2/);
    await node(page, 'Read part, done').waitFor();
    await node(page, 'Read part, done').click();
    await page.waitForURL(/select=parts%2F2%2Fread/);
  });

  it('folds a map and opens it again', async () => {
    const { page } = await openRun('write');
    await node(page, 'Read part, failed').waitFor();
    await page.getByRole('button', { name: 'Close Each part' }).click();
    await node(page, 'Read part, failed').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open Each part' }).click();
    await node(page, 'Read part, failed').waitFor();
  });

  it('opens an agent with the model call and the tool calls of a turn, and shows another turn', async () => {
    const { page } = await openRun('agent/turn-0/keep-0');
    await node(page, 'model, done').waitFor();
    await node(page, 'keep-0, done').waitFor();
    const turns = page.getByRole('group', { name: 'Items of Agent' });
    await turns.getByRole('button', { name: 'The next one' }).click();
    await page.waitForURL(/select=agent%2Fturn-1/);
    await node(page, 'keep-0, done').waitFor({ state: 'detached' });
    expect(await seriousIssues(page)).toEqual([]);
  });
});

describe('the detail of a node run', () => {
  it('shows what a model was asked and said as a conversation, with key, worker and cost', async () => {
    const { page, trouble } = await openRun('write');
    const said = detail(page, 'Write summary').getByRole('region', { name: 'Conversation' });
    await said.getByText('Summarise: Ada wrote the first program. It was long.').waitFor();
    const roles = await said.getByRole('listitem').locator('b').allInnerTexts();
    expect(roles).toEqual(['System', 'User', 'Model']);
    const receipt = detail(page, 'Write summary').getByRole('region', { name: /^Sent to sim:writer/ });
    const facts = await receipt.locator('dl').textContent();
    for (const fact of ['it happened', 'Idempotency key', 'By worker', 'Cost']) expect(facts).toContain(fact);
    await page.getByText(/left$/).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it('shows what it was given by the names that the flow has for it', async () => {
    const { page } = await openRun('parts/1/read');
    const shown = detail(page, 'Read part');
    await shown.getByText('What it was given (1)').click();
    await shown.getByRole('figure').filter({ hasText: 'item' }).getByText('two').waitFor();
  });

  it('shows a long value in parts, and the whole as a file', async () => {
    const { page } = await openRun('long');
    const output = detail(page, 'Long text').getByRole('figure').filter({ hasText: 'Output' });
    await output.getByText('64 KB of 195 KB').waitFor();
    await output.getByRole('button', { name: 'Show more' }).click();
    await output.getByText('128 KB of 195 KB').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      output.getByRole('link', { name: 'The whole as a file' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(JSON.parse(Buffer.concat(chunks).toString())).toBe('é'.repeat(100_000));
  });

  it('of a sub-flow has the way to its run and back', async () => {
    const { page } = await openRun('sub');
    const below = detail(page, 'Measure it').getByRole('region', { name: 'Run of measure-part' });
    await below.getByText('Succeeded').waitFor();
    await below.getByRole('link', { name: 'Open this run' }).click();
    await detail(page, 'Measure').waitFor();
    await page.getByRole('link', { name: `part of run ${runId.slice(-8)}` }).click();
    await page.waitForURL(new RegExp(`${runId}\\?select=sub`));
  });
});

describe('the artifacts of a run', () => {
  it('are looked at as a table, a picture and a text, or say that they cannot be', async () => {
    const { page, trouble } = await openRun();
    await page.getByRole('button', { name: 'Artifacts' }).click();
    const all = page.getByRole('dialog', { name: 'Artifacts' });
    await all.getByRole('button', { name: 'Look at points.csv' }).click();
    await all.getByRole('cell', { name: 'Bob, the second' }).waitFor();
    await all.getByRole('button', { name: 'Look at dot.png' }).click();
    const picture = all.getByRole('img', { name: 'dot.png' });
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(1);
    await all.getByRole('button', { name: 'Look at note.txt' }).click();
    await all.getByText('noted').waitFor();
    await all.getByRole('button', { name: 'Look at all.zip' }).click();
    await all.getByText('Nothing of application/zip can be shown here').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it('stand with the node run that made them', async () => {
    const { page } = await openRun('table');
    const made = detail(page, 'Keep points.csv');
    await made.getByRole('button', { name: 'Look at points.csv' }).waitFor();
    expect(await made.getByRole('button', { name: /^Look at/ }).count()).toBe(1);
  });
});
