// Which mistake would this catch? A run started with another input than was meant, or a script told "well" when it is not.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROBLEMS, type ProblemCode } from '@pawl/api';
import type { RunStatus } from '@pawl/dag-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeEngine, type Handlers, problem, startFakeEngine } from '../support/fake-engine.ts';
import { type Ran, runPawl, type Surroundings } from '../support/run-pawl.ts';
import {
  aDoubtfulRun,
  aJournal,
  aNodeRun,
  aRun,
  aRunSummary,
  at,
  aVersion,
  RUN_ID,
  VERSION_ID,
} from '../support/samples.ts';

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

async function pawl(handlers: Handlers, words: string[], around: Surroundings = {}): Promise<Ran> {
  await engine?.close();
  engine = await startFakeEngine(handlers);
  return runPawl(words, { cwd: folder, ...around, env: { PAWL_URL: engine.url, ...around.env } });
}

const started = () => ({ status: 201, body: { result: 'started', runId: RUN_ID } });
const finished = aJournal([
  { type: 'run.admitted' },
  { type: 'outcome.succeeded', path: 'list', data: { output: [1, 2] } },
  { type: 'map.expanded', path: 'each', data: { count: 2, itemsHash: '' } },
  { type: 'outcome.succeeded', path: 'each/0/write', data: { output: '' } },
  { type: 'outcome.succeeded', path: 'each/1/write', data: { output: '' } },
  { type: 'outcome.succeeded', path: 'each', data: { output: [] } },
  { type: 'outcome.succeeded', path: 'send', data: { output: null } },
  { type: 'run.statusChanged', data: { status: 'succeeded' } },
]);
const watched = (run = aRun()): Handlers => ({
  startRun: started,
  getRun: () => ({ body: run }),
  getVersion: () => ({ body: aVersion() }),
  readEvents: () => ({ stream: { events: finished, ended: run.finishedAt !== undefined } }),
});

describe('pawl run start', () => {
  test('when started, it prints the id alone', async () => {
    const ran = await pawl({ startRun: started }, ['run', 'start', 'greet']);
    expect(ran).toEqual({ exitCode: 0, out: `${RUN_ID}\n`, err: '' });
    expect(engine?.calls[0]?.body).toEqual({ flow: 'greet', input: {}, trigger: 'cli' });
  });

  test('when input, members, tags, limits and a key are given, all are sent as they are', async () => {
    await writeFile(join(folder, 'in.yaml'), 'who: Ada\ntimes: 1\n');
    const words = [
      'run',
      'start',
      'greet',
      '-i',
      'in.yaml',
      '-s',
      'times=3',
      '-s',
      'note=12 monkeys',
      '-s',
      'list=[1,2]',
    ];
    const options = [
      '-t',
      'team=a=b',
      '--cost-usd',
      '0.5',
      '--tokens',
      '100',
      '--dedupe-key',
      'k-1',
      '--version-id',
      VERSION_ID,
    ];
    await pawl({ startRun: started }, [...words, ...options]);
    expect(engine?.calls[0]?.body).toEqual({
      flow: 'greet',
      input: { who: 'Ada', times: 3, note: '12 monkeys', list: [1, 2] },
      tags: { team: 'a=b' },
      budget: { costUsd: 0.5, tokens: 100 },
      dedupeKey: 'k-1',
      version: VERSION_ID,
      trigger: 'cli',
    });
  });

  test.each([
    ['JSON itself', ['-i', '{"a":1}'], undefined, { a: 1 }],
    ['JSON from standard input', ['-i', '-'], '{"a":2}', { a: 2 }],
    ['YAML from standard input', ['-i', '-'], 'a: 3\n', { a: 3 }],
  ])('when the input is %s, it is read', async (_, options, stdin, input) => {
    await pawl(
      { startRun: started },
      ['run', 'start', 'greet', ...options],
      stdin === undefined ? {} : { stdin },
    );
    expect(engine?.calls[0]?.body).toMatchObject({ input });
  });

  test('when a member would be rounded, nothing is started', async () => {
    const ran = await pawl({ startRun: started }, ['run', 'start', 'greet', '-s', 'id=9007199254740993']);
    expect(ran.exitCode).toBe(5);
    expect(engine?.calls).toEqual([]);
  });

  test('C85: when the command line is part of a trace, so is the run', async () => {
    const env = { TRACEPARENT: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', TRACESTATE: 'a=1' };
    await pawl({ startRun: started }, ['run', 'start', 'greet'], { env });
    expect(engine?.calls[0]?.headers).toMatchObject({ traceparent: env.TRACEPARENT, tracestate: 'a=1' });
    await pawl({ startRun: started }, ['run', 'start', 'greet']);
    expect(engine?.calls[0]?.headers).not.toHaveProperty('traceparent');
  });

  test('when the key started a run before, that is said on standard error', async () => {
    const startRun = () => ({ status: 200, body: { result: 'duplicate', runId: RUN_ID } });
    const ran = await pawl({ startRun }, ['run', 'start', 'greet', '--dedupe-key', 'k']);
    expect(ran.out).toBe(`${RUN_ID}\n`);
    expect(ran.err).toMatch(/started that run before/);
  });

  test('when watched without a terminal, plain lines tell what is done, then the output', async () => {
    const ran = await pawl(watched(), ['run', 'start', 'greet', '--watch']);
    expect(ran.exitCode).toBe(0);
    expect(ran.out).not.toContain('\u001b');
    expect(ran.out).toContain('List people: done\n');
    expect(ran.out).toContain('Each person: done\n  Write: done (2 node runs)\nsend: done\n');
    expect(ran.out).toContain('"sent": 2');
  });

  test('when it waits for a person, it exits 8 and says what to type', async () => {
    const ran = await pawl(watched(aDoubtfulRun()), ['run', 'start', 'greet', '-w']);
    expect(ran.exitCode).toBe(8);
    expect(ran.out).toContain('waits for  a decision (outcome_lost), for 30.0 s');
    expect(ran.out).toContain(`pawl inbox list --run ${RUN_ID}`);
  });

  test('when interrupted while watching, it exits 130 and leaves the run alone', async () => {
    const interruption = new AbortController();
    const handlers = watched(aRun({ status: 'running', finishedAt: undefined, output: undefined }));
    const readEvents = () => {
      interruption.abort();
      return { stream: { events: [], ended: false } };
    };
    const words = ['run', 'watch', RUN_ID];
    const ran = await pawl({ ...handlers, readEvents }, words, { interrupted: interruption.signal });
    expect(ran).toMatchObject({ exitCode: 130, err: '' });
    expect(engine?.calls.map((call) => call.name)).not.toContain('cancelRun');
  });
});

describe('exit codes', () => {
  test.each<[RunStatus, number]>([
    ['succeeded', 0],
    ['partial', 0],
    ['failed', 1],
    ['cancelled', 1],
  ])('when a watched run ends %s, pawl exits %i', async (status, exitCode) => {
    const ran = await pawl(watched(aRun({ status })), ['run', 'watch', RUN_ID, '--json']);
    expect(ran.exitCode).toBe(exitCode);
    expect(JSON.parse(ran.out)).toMatchObject({ id: RUN_ID, status });
  });

  const WANTED: Record<number, number> = {
    400: 5,
    401: 6,
    403: 6,
    404: 4,
    405: 5,
    408: 5,
    409: 7,
    410: 7,
    413: 5,
    415: 5,
    416: 5,
    422: 5,
    428: 7,
    429: 5,
    500: 1,
    503: 3,
  };
  test.each(Object.keys(PROBLEMS) as ProblemCode[])(
    'when the engine answers %s, the code is that of the table',
    async (code) => {
      const ran = await pawl({ getRun: () => problem(code, `About ${code}.`), listNodeRuns: () => ({}) }, [
        'run',
        'show',
        RUN_ID,
      ]);
      expect(ran).toEqual({
        exitCode: WANTED[PROBLEMS[code].status],
        out: '',
        err: `error About ${code}.\n`,
      });
    },
  );
});

describe('pawl run list and show', () => {
  test('when listing, filters are sent and pages are read until there are enough', async () => {
    const listRuns: Handlers['listRuns'] = ({ query }) =>
      query.cursor === undefined
        ? { body: { items: [aRunSummary()], nextCursor: 'next' } }
        : {
            body: {
              items: [
                aRunSummary({
                  status: 'failed',
                  failure: { code: 'no_luck', message: 'x', class: 'permanent' },
                }),
              ],
            },
          };
    const words = [
      'run',
      'list',
      '--flow',
      'greet',
      '--status',
      'failed',
      '--status',
      'succeeded',
      '--tag',
      'a=b',
      '--since',
      '2026-01-01',
    ];
    const ran = await pawl({ listRuns }, words);
    expect(engine?.calls.map((call) => call.query)).toEqual([
      {
        flow: 'greet',
        status: ['failed', 'succeeded'],
        createdAfter: '2026-01-01T00:00:00.000Z',
        tag: 'a:b',
        limit: '20',
      },
      expect.objectContaining({ cursor: 'next' }),
    ]);
    expect(ran.out.split('\n')).toEqual([
      'run                                   flow   status     created      took     cost  tokens',
      `${RUN_ID}  greet  succeeded  1 min ago  13.0 s  $0.0123   4,321`,
      `${RUN_ID}  greet  failed     1 min ago  13.0 s  $0.0123   4,321  no_luck`,
      '',
    ]);
  });

  test('when shown, the node runs tell status, time and what they wait for', async () => {
    const items = [
      aNodeRun(),
      aNodeRun({
        path: 'send',
        nodeId: 'send',
        status: 'uncertain',
        effect: 'non_repeatable',
        finishedAt: undefined,
        waitingFor: { kind: 'person', since: at(30) },
      }),
    ];
    const ran = await pawl(
      {
        listRuns: () => ({ body: { items: [aRunSummary()] } }),
        getRun: () => ({ body: aDoubtfulRun() }),
        listNodeRuns: () => ({ body: { items } }),
      },
      ['run', 'show', 'latest'],
    );
    expect(ran.exitCode).toBe(0);
    expect(ran.out).toMatch(/^list {6}tool {2}succeeded {8}1 {2}2[.]0 s +–$/m);
    expect(ran.out).toMatch(/^send {6}tool {2}uncertain {8}1 +– {2}a decision, for 30[.]0 s$/m);
  });

  test('when a node run is shown, so is its journal; control characters of others never reach the terminal', async () => {
    const node = { ...aNodeRun(), output: { text: 'a\u001b[2J\u009b\u202e' }, events: finished.slice(1, 2) };
    const ran = await pawl({ getNodeRun: () => ({ body: node }) }, ['run', 'show', RUN_ID, '--path', 'list']);
    expect(ran.out).toContain('outcome.succeeded  attempt 1');
    expect(ran.out).toContain('a\\u001b[2J\\u009b\\u202e');
  });

  test('when there is no run yet, latest exits 4', async () => {
    const ran = await pawl({ listRuns: () => ({ body: { items: [] } }) }, ['run', 'show', 'latest']);
    expect(ran.exitCode).toBe(4);
  });
});

describe('decisions', () => {
  test.each([
    ['happened', ['--output', '{"id":1}'], { verdict: 'happened', output: { id: 1 } }],
    ['did_not_happen', [], { verdict: 'did_not_happen' }],
    ['skip', [], { verdict: 'skip' }],
    ['fail', ['--reason', 'no'], { verdict: 'fail', reason: 'no' }],
  ])('when settled as %s, that is sent', async (verdict, options, body) => {
    const settleNodeRun = () => ({ body: aNodeRun({ path: 'send' }) });
    const ran = await pawl({ settleNodeRun }, [
      'run',
      'settle',
      RUN_ID,
      '-p',
      'send',
      '--verdict',
      verdict,
      ...options,
    ]);
    expect(ran).toMatchObject({ exitCode: 0, out: 'send succeeded\n' });
    expect(engine?.calls[0]).toMatchObject({ query: { path: 'send' }, body });
  });

  test('when somebody settled it before, it exits 7', async () => {
    const settleNodeRun = () => problem('node_run_not_settleable', 'It is settled.');
    const ran = await pawl({ settleNodeRun }, ['run', 'settle', RUN_ID, '-p', 'send', '--verdict', 'skip']);
    expect(ran.exitCode).toBe(7);
  });

  test('when cancelled, retried or given more budget, the run is printed', async () => {
    const body = aRunSummary({ status: 'cancelling', waitingFor: { kind: 'cancel', since: at(1) } });
    const cancelled = await pawl({ cancelRun: () => ({ body }) }, [
      'run',
      'cancel',
      RUN_ID,
      '--reason',
      'enough',
    ]);
    expect(cancelled.out).toBe(`${RUN_ID} cancelling, waits for running effects to end, for 1.0 s\n`);
    expect(engine?.calls[0]?.body).toEqual({ reason: 'enough' });
    await pawl({ retryRun: () => ({ body }) }, ['run', 'retry', RUN_ID, '--path', 'send']);
    expect(engine?.calls[0]?.body).toEqual({ path: 'send' });
    await pawl({ retryRun: () => ({ body }) }, ['run', 'retry', RUN_ID]);
    expect(engine?.calls[0]?.body).toBeUndefined();
    await pawl({ raiseBudget: () => ({ body }) }, ['run', 'budget', RUN_ID, '--cost-usd', '2']);
    expect(engine?.calls[0]?.body).toEqual({ limits: { costUsd: 2 } });
  });
});

describe('connection', () => {
  test('when a key is set, it is sent as bearer', async () => {
    await pawl({ listTools: () => ({ body: { items: [] } }) }, ['tool', 'list'], {
      env: { PAWL_API_KEY: 'pawl_x' },
    });
    expect(engine?.calls[0]?.headers.authorization).toBe('Bearer pawl_x');
  });

  test('when pawl dev runs in a folder above, its address is used', async () => {
    engine = await startFakeEngine({
      listTools: () => ({ body: { items: [{ name: 'files.read', version: '1', effect: 'pure' }] } }),
    });
    const inner = await mkdtemp(join(folder, 'inner-'));
    await import('node:fs/promises').then(({ mkdir }) => mkdir(join(folder, '.pawl')));
    await writeFile(join(folder, '.pawl', 'address'), `${engine.url}\n`);
    const ran = await runPawl(['tool', 'list'], { cwd: inner });
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^files[.]read@1 {2}pure/m) });
  });
});
