// Would catch: an example that a fresh clone cannot publish, whose data is not what its README promises, whose code nodes
// do not compute what their titles say, or that ships somebody's e-mail address.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CodeNode,
  type FlowDocument,
  type LlmNode,
  type NodeConfig,
  type ToolDeclaration,
  validateFlow,
} from '@pawl/dag-core';
import { isTool, type Tool } from '@pawl/tool-sdk';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { builtinTools } from '../../apps/workers/src/tools/index.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const read = (path: string) => readFileSync(join(EXAMPLES, path), 'utf8');
const flowOf = (name: string) => parse(read(`${name}/flow.yaml`)) as FlowDocument;

function allNodes(nodes: readonly NodeConfig[]): NodeConfig[] {
  return nodes.flatMap((node) => (node.kind === 'map' ? [node, ...allNodes(node.body.nodes)] : [node]));
}

/** Tools that an example brings along. */
async function ownTools(name: string): Promise<Tool[]> {
  if (!existsSync(join(EXAMPLES, name, 'tools.ts'))) return [];
  const module: Record<string, unknown> = await import(join(EXAMPLES, name, 'tools.ts'));
  return Object.values(module).flat().filter(isTool);
}

/** The function a code node exports, run outside the sandbox: what it computes, not what it may do. */
async function codeOf(flow: FlowDocument, id: string): Promise<(scope: unknown) => unknown> {
  const node = allNodes(flow.nodes).find((candidate): candidate is CodeNode => candidate.id === id);
  if (node?.kind !== 'code') throw new Error(`The flow ${flow.name} has no code node ${id}.`);
  const module = await import(`data:text/javascript,${encodeURIComponent(node.source)}`);
  return module.default as (scope: unknown) => unknown;
}

describe.each([
  { name: 'document-digest', data: 'documents' },
  { name: 'nightly-report', data: 'documents' },
  { name: 'release-notes', data: 'commits.json' },
  { name: 'shop-recommendation', data: 'data/shops.json' },
  { name: 'support-agent', data: 'data/desk.json' },
  // A mail cannot be unsent; it comes last.
  { name: 'checkout', data: 'data/shop.json', notUndone: ['/nodes/7/tool'] },
])('the flow $name', ({ name, data, notUndone = [] }) => {
  const flow = flowOf(name);
  const nodes = allNodes(flow.nodes);

  test('when it is published on an engine with the built-in tools and its own, there is nothing to complain about', async () => {
    const known = [...builtinTools({ filesRoot: EXAMPLES }), ...(await ownTools(name))];
    const tools = new Map(
      known.map((tool) => [tool.ref, { ...tool.declaration(), input: tool.inputSchema } as ToolDeclaration]),
    );
    expect(tools.size).toBeGreaterThan(0);
    expect(validateFlow(flow, { tools }).issues).toEqual(
      notUndone.map((pointer) => expect.objectContaining({ code: 'effect_not_undone', pointer })),
    );
  });

  test('when it is drawn, every node has a title and a place', () => {
    expect(nodes.filter((node) => node.title === undefined)).toEqual([]);
    expect(Object.keys(flow.layout as object).sort()).toEqual(nodes.map(({ id }) => id).sort());
  });

  test('when it is drawn, edges run from left to right', () => {
    const layout = flow.layout as Record<string, { x: number; y: number }>;
    const edges = nodes.flatMap((node) => (node.kind === 'map' ? node.body.edges : [])).concat(flow.edges);
    expect(edges.filter(({ from, to }) => layout[from]!.x >= layout[to]!.x)).toEqual([]);
  });

  test('when it is run without a key, every model is the simulator and answers by a closed schema', () => {
    const models = nodes.filter((node) => node.kind === 'llm' || node.kind === 'agent');
    for (const node of models) {
      expect(node.model).toMatch(/^sim:writer(\?|$)/);
      // An agent says what it has to say; tools have schemas of their own.
      if (node.kind === 'llm')
        expect(node.output?.schema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });

  test('when its input file is given, it names only inputs the flow declares and data that is there', () => {
    const input = JSON.parse(read(`${name}/input.json`)) as Record<string, unknown>;
    const { properties, required } = flow.input as {
      properties: Record<string, unknown>;
      required: string[];
    };
    expect(Object.keys(input).filter((key) => !(key in properties))).toEqual([]);
    expect(required.filter((key) => !(key in input))).toEqual([]);
    expect(statSync(join(EXAMPLES, name, data)).size).toBeGreaterThan(0);
    const named = input.folder ?? input.commitsPath;
    if (named !== undefined) expect(named).toBe(`examples/${name}/${data}`);
  });
});

describe('the documents of document-digest', () => {
  const folder = join(EXAMPLES, 'document-digest/documents');
  const files = readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return { name, bytes: statSync(path).size, text: readFileSync(path, 'utf8') };
  });

  test('when they are counted, there are enough of different kinds and lengths, and they stay small together', () => {
    expect(files.length).toBeGreaterThanOrEqual(24);
    expect(files.filter(({ bytes }) => bytes > 100 * 1024).length).toBeGreaterThanOrEqual(3);
    expect(files.filter(({ bytes }) => bytes < 10 * 1024).length).toBeGreaterThanOrEqual(3);
    expect(new Set(files.map(({ name }) => name.split('-')[0])).size).toBeGreaterThanOrEqual(6);
    expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(4 * 1024 * 1024);
  });

  test('when they are read, they are clean UTF-8 text without markup', () => {
    for (const { name, text } of files) {
      expect(text, name).not.toContain('\uFFFD');
      expect(text, name).not.toMatch(/<\/?(?:p|div|span|html|body|h\d|li)\b/i);
      expect(text, name).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
    }
  });

  test('when each is looked up, SOURCES.md says where it comes from', () => {
    const patterns = [...read('document-digest/SOURCES.md').matchAll(/`([\w.*-]+\.txt)`/g)].map(
      ([, pattern]) => new RegExp(`^${pattern!.replaceAll('.', '\\.').replaceAll('*', '.*')}$`),
    );
    expect(
      files.filter(({ name }) => !patterns.some((pattern) => pattern.test(name))).map(({ name }) => name),
    ).toEqual([]);
  });

  test('when the language of each is told, eleven are found, five of them in other scripts than the Latin one', async () => {
    const describeDocument = await codeOf(flowOf('document-digest'), 'describeDocument');
    const told = new Map<string, string>();
    for (const { name, text, bytes } of files) {
      const scope = { input: {}, nodes: { readDocument: { output: { text, bytes } } } };
      told.set(name, (describeDocument(scope) as { language: { name: string } }).language.name);
    }
    for (const [name, language] of told) {
      const declared = /^declaration-(\w+)\.txt$/.exec(name)?.[1];
      if (declared !== undefined) expect(language.toLowerCase(), name).toBe(declared);
      else expect(language, name).toBe(name.endsWith('-chinese.txt') ? 'Chinese' : 'English');
    }
    const names = new Set(told.values());
    expect(names.size).toBe(11);
    for (const language of ['Arabic', 'Chinese', 'Greek', 'Hindi', 'Japanese', 'Russian'])
      expect(names).toContain(language);
  });
});

describe('the quality of a digest', () => {
  const text =
    'The harbour was frozen over in January. Ships waited outside for eleven days until the ice broke up. '.repeat(
      3,
    );
  const qualityOf = async (source: string, summary: string, keywords: string[]) => {
    const check = await codeOf(flowOf('document-digest'), 'checkDigest');
    const nodes = {
      readDocument: { output: { text: source } },
      mergePassages: { output: { summary, keywords } },
    };
    return (check({ input: {}, nodes }) as { quality: number }).quality;
  };

  test('when the digest quotes prose, it is high', async () => {
    expect(await qualityOf(text, text.slice(0, 210), ['harbour', 'ice'])).toBeGreaterThan(0.9);
  });

  test('when the digest speaks of other things, it is low', async () => {
    const invented =
      'Quarterly revenue exceeded expectations thanks to strong demand for cloud services worldwide.';
    expect(await qualityOf(text, invented, ['revenue', 'cloud'])).toBeLessThan(0.3);
  });

  test('when the document is a table, it is lower than for prose, however well the digest quotes', async () => {
    const table = 'population: 4,201\n\narea: 310 sq km\n\nexports: fish, wool\n\nports: 3\n\n'.repeat(10);
    expect(await qualityOf(table, table.slice(0, 210), ['population', 'exports'])).toBeLessThan(0.6);
  });
});

describe('the history of release-notes', () => {
  const raw = read('release-notes/commits.json');
  const { commits } = JSON.parse(raw) as { commits: Record<string, unknown>[] };

  test('when it is read, it is a long list of commits of one shape, newest release first', () => {
    expect(commits.length).toBeGreaterThanOrEqual(150);
    for (const commit of commits) {
      expect(Object.keys(commit)).toEqual(['hash', 'date', 'subject', 'body', 'filesChanged']);
      expect(commit.hash).toMatch(/^[0-9a-f]{40}$/);
      expect(new Date(commit.date as string).toISOString()).toBe(commit.date);
      expect(commit.subject).not.toBe('');
      expect(commit.filesChanged).toBeGreaterThan(0);
    }
    expect(new Set(commits.map(({ hash }) => hash)).size).toBe(commits.length);
  });

  test('when it is searched for people, there are no addresses and no trailers', () => {
    expect(raw.match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g)).toBeNull();
    expect(raw).not.toMatch(/(?:signed-off|co-authored|reviewed|reported|acked|tested)-by:/i);
  });

  test('when it is batched, every commit is in exactly one batch, in order', async () => {
    const prepare = await codeOf(flowOf('release-notes'), 'prepareBatches');
    const scope = { input: { batchSize: 25 }, nodes: { readHistory: { output: { text: raw } } } };
    const { batches, count } = prepare(scope) as {
      batches: { commits: { hash: string }[] }[];
      count: number;
    };
    expect(batches.flatMap((batch) => batch.commits.map(({ hash }) => hash))).toEqual(
      commits.map(({ hash }) => hash),
    );
    expect(count).toBe(commits.length);
    expect(Math.max(...batches.map((batch) => batch.commits.length))).toBe(25);
  });

  test('when a commit was reverted or only names the release, it does not reach the notes', async () => {
    const group = await codeOf(flowOf('release-notes'), 'groupCommits');
    const commit = (hash: string, subject: string, category: string) => ({
      hash,
      subject,
      category,
      sentence: subject,
      filesChanged: 1,
    });
    const output = [
      [commit('a', '[map] Add a filter', 'feature'), commit('b', 'Revert "[map] Add a filter"', 'other')],
      [commit('c', '[cmap] Fix a crash', 'fix'), commit('d', '2.0', 'other')],
    ];
    const { groups, counts } = group({
      input: {},
      nodes: { prepareBatches: { output: { to: '2.0' } }, classifyBatches: { output } },
    }) as {
      groups: { kind: string; commits: { hash: string; area: string; text: string }[] }[];
      counts: Record<string, number>;
    };
    expect(groups.map(({ kind }) => kind)).toEqual(['fix']);
    expect(groups[0]!.commits).toMatchObject([{ hash: 'c', area: 'cmap', text: 'Fix a crash' }]);
    expect(counts).toMatchObject({ fix: 1, feature: 0, reverted: 2 });
  });
});

describe('the shops of shop-recommendation', () => {
  const raw = read('shop-recommendation/data/shops.json');
  const { shops, categories, districts } = JSON.parse(
    raw,
  ) as typeof import('../../examples/shop-recommendation/data/shops.json');
  const { coupons, troubles } = JSON.parse(read('shop-recommendation/data/coupons.json')) as {
    coupons: Record<string, unknown[]>;
    troubles: Record<string, string>;
  };
  const hasHan = (text: string) => /\p{Script=Han}/u.test(text);

  test('when they are read, they are many, of one shape, and told in two languages', () => {
    expect(shops.length).toBeGreaterThanOrEqual(60);
    expect(new Set(shops.map(({ id }) => id)).size).toBe(shops.length);
    for (const { id, name, about, tags, offers, category, district } of shops) {
      for (const { en, zh } of [name, about, ...offers])
        expect([id, hasHan(en), hasHan(zh)]).toEqual([id, false, true]);
      expect(tags.en).toHaveLength(tags.zh.length);
      expect(offers.length).toBeGreaterThan(1);
      expect(categories.map((each) => each.id)).toContain(category);
      expect(districts.map((each) => each.id)).toContain(district);
    }
    expect(new Set(shops.map(({ category, district }) => `${category} ${district}`)).size).toBe(66);
  });

  test('when the prompt is read, it offers the categories and districts that there are', () => {
    const node = allNodes(flowOf('shop-recommendation').nodes).find(({ id }) => id === 'readWish') as LlmNode;
    const { category, district } = (node.output!.schema as { properties: Record<string, { enum: string[] }> })
      .properties;
    const labels = (all: { id: string; zh: string }[]) => [...all.map(({ id, zh }) => `${id} ${zh}`), 'none'];
    expect(category!.enum).toEqual(labels(categories));
    expect(district!.enum).toEqual(labels(districts));
  });

  test('when the coupons are read, they are of shops that there are, and some tills are in trouble', () => {
    const ids = new Set(shops.map(({ id }) => id));
    expect([...Object.keys(coupons), ...Object.keys(troubles)].filter((id) => !ids.has(id))).toEqual([]);
    expect(Object.keys(coupons).length).toBeGreaterThan(20);
    expect(new Set(Object.values(troubles)).size).toBe(4);
  });

  test.each([
    { wish: '人均一百二十以内的火锅', said: '120', counts: 120 },
    { wish: '两百块的礼物', said: '200', counts: 200 },
    { wish: '预算每人８０元', said: '80', counts: 80 },
    { wish: 'under 45 yuan, please', said: '45', counts: 45 },
    { wish: 'something cheap', said: '30', counts: 0 },
    { wish: '便宜一点的', said: '50', counts: 0 },
  ])('when the model says $said for "$wish", the limit is $counts', async ({ wish, said, counts }) => {
    const check = await codeOf(flowOf('shop-recommendation'), 'checkWish');
    const read = {
      category: 'hotpot 火锅',
      district: 'Old Town 老城',
      keywords: ['x', 'Party'],
      maxPrice: said,
    };
    expect(check({ input: { wish }, nodes: { readWish: { output: read } } })).toMatchObject({
      category: 'hotpot',
      district: 'Old Town',
      keywords: ['party'],
      maxPrice: counts,
    });
  });
});
