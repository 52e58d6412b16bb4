// Which mistake would this catch? A flow file that is rounded or changed on its way, or a problem shown at the wrong place.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type FakeEngine, type Handlers, problem, startFakeEngine } from '../support/fake-engine.ts';
import { type Ran, runPawl } from '../support/run-pawl.ts';
import { aFlow, aVersion, greetDocument, VERSION_ID } from '../support/samples.ts';

let folder: string;
let engine: FakeEngine | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-cli-'));
});
afterEach(async () => {
  expect(engine?.breaches ?? []).toEqual([]);
  await engine?.close();
  await rm(folder, { recursive: true, force: true });
});

async function pawl(handlers: Handlers, ...words: string[]): Promise<Ran> {
  engine = await startFakeEngine(handlers);
  return runPawl(words, { cwd: folder, env: { PAWL_URL: engine.url } });
}

const FLOW =
  'format: pawl/1\nname: greet\nnodes:\n  - id: a\n    kind: transform\n    value: "{{ input.x }}"\nedges: []\n';
const file = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

describe('pawl flow validate', () => {
  test('when a YAML flow has problems, each is shown with its line and the command exits 5', async () => {
    await file('greet.yaml', FLOW);
    const issues = [
      {
        pointer: '/nodes/0/value',
        code: 'expression_unknown',
        message: 'There is no x.',
        hint: 'Did you mean y?',
      },
      { pointer: '/nodes/0/join', code: 'join_without_inputs', message: 'Nothing joins here.' },
    ];
    const ran = await pawl(
      { validateFlow: () => ({ body: { valid: false, issues } }) },
      'flow',
      'validate',
      'greet.yaml',
    );
    expect(ran.exitCode).toBe(5);
    expect(ran.out).toContain(
      'greet.yaml:6:12 /nodes/0/value  expression_unknown  There is no x. Did you mean y?\n',
    );
    // The member is missing: the place of its node is the nearest there is.
    expect(ran.out).toContain('greet.yaml:4:5 /nodes/0/join  join_without_inputs');
    expect(ran.out).toContain('invalid greet.yaml: 2 problems');
  });

  test('when a flow is valid, the version it would have is named and the command exits 0', async () => {
    await file('greet.json', JSON.stringify(greetDocument));
    const ran = await pawl(
      { validateFlow: () => ({ body: { valid: true, issues: [], versionId: VERSION_ID } }) },
      ...['flow', 'validate', 'greet.json'],
    );
    expect(ran).toMatchObject({ exitCode: 0, out: 'valid greet.json (version abababababab)\n' });
    expect(engine?.calls[0]?.body).toEqual(greetDocument);
  });

  test.each([
    ['big.yaml', 'name: greet\nid: 9007199254740993\n', /unsafe_integer at \/id/],
    ['big.json', '{"name":"greet","id":9007199254740993}', /unsafe_integer at \/id/],
    ['proto.json', '{"name":"greet","__proto__":{}}', /__proto__/],
    ['broken.yaml', 'name: [greet\n', /broken[.]yaml cannot be read/],
    ['broken.json', '{"name":', /broken[.]json cannot be read/],
    ['twice.yaml', 'name: a\nname: b\n', /unique/],
    ['list.yaml', '- a\n', /expected an object/],
    ['nan.yaml', 'name: greet\nx: .nan\n', /JSON cannot hold/],
    ['nameless.yaml', 'format: pawl/1\n', /no name/],
  ])(
    'when %s cannot be sent without changing it, it is refused before anything is sent',
    async (name, text, words) => {
      await file(name, text);
      const ran = await pawl({}, 'flow', 'validate', name);
      expect(ran.exitCode).toBe(5);
      expect(ran.err).toMatch(words);
      expect(engine?.calls).toEqual([]);
    },
  );
});

describe('pawl flow publish', () => {
  test('when published anew or again, it says which', async () => {
    await file('greet.yaml', FLOW);
    const { document: _, ...version } = aVersion();
    let created = true;
    const publishFlow = () => ({ status: created ? 201 : 200, body: { version, created } });
    const first = await pawl({ publishFlow }, 'flow', 'publish', 'greet.yaml');
    expect(first).toMatchObject({ exitCode: 0, out: 'published greet version 2 (abababababab)\n' });
    expect(engine?.calls[0]).toMatchObject({ params: { flow: 'greet' }, body: parse(FLOW) });
    await engine?.close();
    created = false;
    const second = await pawl({ publishFlow }, 'flow', 'publish', 'greet.yaml', '--json');
    expect(JSON.parse(second.out)).toEqual([{ file: 'greet.yaml', version, created: false }]);
  });

  test('when refused, every problem is listed and the command exits 5', async () => {
    await file('greet.yaml', FLOW);
    const issues = [{ pointer: '/nodes/0', code: 'cycle', message: 'a → b → a.' }];
    const ran = await pawl(
      { publishFlow: () => problem('flow_invalid', 'Flow greet has a problem.', { issues }) },
      ...['flow', 'publish', 'greet.yaml'],
    );
    expect(ran.exitCode).toBe(5);
    expect(ran.out).toBe('greet.yaml:4:5 /nodes/0  cycle  a → b → a.\n');
    expect(ran.err).toBe('error Flow greet has a problem.\n');
  });
});

describe('pawl flow list, show, export', () => {
  test('when listing, columns are aligned', async () => {
    const { document: _, ...draft } = aFlow();
    const flow = { ...draft, recent: { runs: [], ended: 0, succeeded: 0 } };
    const items = [
      flow,
      { ...flow, name: 'a-much-longer-name', publishedVersion: undefined, versionCount: 0, title: '新しい' },
    ];
    const ran = await pawl({ listFlows: () => ({ body: { items } }) }, 'flow', 'list');
    expect(ran.out.split('\n')).toEqual([
      'flow                versions  published     changed  title',
      'greet                      2  abababababab  2 h ago  Greet people',
      'a-much-longer-name         0  draft only    2 h ago  新しい',
      '',
    ]);
  });

  test('when shown, the nodes of a map stand below it with what comes before', async () => {
    const { document: _, ...version } = aVersion();
    const ran = await pawl(
      {
        getFlow: () => ({ body: aFlow() }),
        getVersion: () => ({ body: aVersion() }),
        listVersions: () => ({ body: { items: [version] } }),
      },
      ...['flow', 'show', 'greet'],
    );
    expect(ran.out).toContain('list     tool  people.list@1                 \n'.trimEnd());
    expect(ran.out).toMatch(/^each {5}map {3}over \{\{ nodes.list.output \}\} {2}list$/m);
    expect(ran.out).toMatch(/^ {2}write {2}llm {3}sim:writer$/m);
    expect(ran.out).toMatch(/^send {5}tool {2}mail.send@1 +each$/m);
  });

  test('when exported and read again, the document is the same', async () => {
    const handlers = { exportFlow: () => ({ body: greetDocument as unknown as object }) };
    const printed = await pawl(handlers, 'flow', 'export', 'greet');
    expect(parse(printed.out)).toEqual(greetDocument);
    await engine?.close();
    const ran = await pawl(handlers, 'flow', 'export', 'greet', '-o', 'out.json');
    expect(ran).toMatchObject({ exitCode: 0, out: '' });
    expect(JSON.parse(await readFile(join(folder, 'out.json'), 'utf8'))).toEqual(greetDocument);
  });

  test('when there is no such flow, it exits 4', async () => {
    const ran = await pawl(
      { getFlow: () => problem('flow_not_found', 'There is no flow x.') },
      'flow',
      'show',
      'x',
    );
    expect(ran).toMatchObject({ exitCode: 4, err: 'error There is no flow x.\n' });
  });
});

describe('pawl flow test', () => {
  const RUN_ID = '0198c0de-5b1c-7d0a-9c3e-3a5f0e2b7c11';
  const plan = {
    part: { do: 'from', node: 'send' },
    nodes: [
      {
        node: 'list',
        does: 'given',
        effect: 'pure',
        calls: ['people.list@1'],
        origin: 'mocked',
        isBefore: true,
      },
      { node: 'send', does: 'calls', effect: 'non_repeatable', calls: ['mail.send@1'] },
      { node: 'thank', does: 'nothing', effect: 'pure', calls: [], why: 'needs', because: 'send' },
    ],
    undecided: ['send'],
  } as const;

  test('with --plan, what would be called is shown with what is to be decided, and nothing starts', async () => {
    const ran = await pawl(
      { planTest: () => ({ body: plan }) },
      ...['flow', 'test', 'greet', '--from', 'send', '--give', 'list=["Ada"]', '--plan'],
    );
    expect(engine!.calls.map(({ name, body }) => [name, body])).toEqual([
      [
        'planTest',
        {
          part: { do: 'from', node: 'send' },
          outputs: { list: { origin: 'mocked', output: ['Ada'] } },
          allow: [],
          off: [],
        },
      ],
    ]);
    expect(ran.out).toMatch(/^list +given, mocked/m);
    expect(ran.out).toMatch(
      /^send +calls +mail.send@1 \(non_repeatable\) +allow it, turn it off, or give an output$/m,
    );
    expect(ran.out).toMatch(/^thank +does not run +needs send$/m);
  });

  test('what is allowed and what is off goes along, and the id of the run is printed', async () => {
    const ran = await pawl(
      { startTest: () => ({ status: 201, body: { runId: RUN_ID, versionId: VERSION_ID, plan } }) },
      ...['flow', 'test', 'greet', '--allow', 'send', '--off', 'thank', '-s', 'name=Ada'],
    );
    expect(ran).toMatchObject({ exitCode: 0, out: `${RUN_ID}\n` });
    expect(engine!.calls[0]!.body).toEqual({
      ...{ part: { do: 'all' }, outputs: {}, allow: ['send'], off: ['thank'], input: { name: 'Ada' } },
    });
  });

  test('two parts at once are a usage error', async () => {
    const ran = await pawl({}, 'flow', 'test', 'greet', '--to', 'a', '--only', 'b');
    expect(ran).toMatchObject({ exitCode: 2 });
  });
});
