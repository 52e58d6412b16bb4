// Catches: a payload that the database, the driver or the mapper refuses, parses, cuts or re-orders on its way (C25, C26).
import type { Json, JsonObject } from '@pawl/dag-core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createFlow,
  createKey,
  DEFAULT_WORKSPACE_ID,
  getFlow,
  getNodeRun,
  getRun,
  INLINE_LIMIT_BYTES,
  listKeys,
  listRuns,
  offloadValue,
  putArtifact,
  readEvents,
  saveDraft,
} from '../src/index.ts';
import { openTestStore, seedEvent, seedNodeRun, seedRun, type TestStore } from './support/seed.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const workspaceId = DEFAULT_WORKSPACE_ID;
const LION = '🦁';
const payloads: [string, Json][] = [
  ['NUL in a value', 'a\u0000b'],
  ['NUL in a key', { 'k\u0000': 1 }],
  ['lone surrogates', ['\ud83e', '\udd81', 'x\ud800y', { '\udfff': '\udbff' }]],
  ['emoji, whole and cut', [LION, LION[0]!, LION[1]!, `${'x'.repeat(700)}${LION}`]],
  ['the literal text of a surrogate class', '[^\\ud800-\\udfff] \\u0000 \\'],
  ['19 digits in a string', { id: '9223372036854775807', text: '{"id":9223372036854775807}' }],
  ['numbers at the edges', [9007199254740991, -9007199254740991, 5e-324, 1.7976931348623157e308, 0.1, 1e21]],
  [
    'a key named __proto__',
    JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":"x"}') as Json,
  ],
  ['keys in no order', { z: 1, a: { y: 1, b: 2 }, m: 3, A: 4, '': 5, é: 6 }],
  ['numeric-looking keys and repeated values', { b: 1, a: [null, null, false, ''] }],
  ['quotes, line ends, braces', '\'"`\\\r\n\t\u2028\u2029{{ x }} $1 ? :name @@'],
  [
    'text that looks like a reference',
    { outputRef: { hash: 'x', bytes: 1 }, output: '2026-11-20T10:00:00Z' },
  ],
  ['nothing', null],
  ['empty things', [[], {}, '']],
  ['deep', JSON.parse(`${'['.repeat(500)}1${']'.repeat(500)}`) as Json],
];

/** Equal as JSON text: order of keys, own `__proto__` and half characters included. */
function expectSame(actual: unknown, expected: Json): void {
  expect(JSON.stringify(actual)).toBe(JSON.stringify(expected));
}

async function runWith(value: Json): Promise<string> {
  const id = await seedRun(store.pool, { status: 'succeeded', next_seq: 4, output_seq: 3 });
  await seedEvent(store.pool, id, { seq: 1, type: 'run.admitted', data: { v: 1, input: value } });
  await seedEvent(store.pool, id, {
    seq: 2,
    type: 'outcome.succeeded',
    path: 'a',
    data: { v: 1, output: value },
  });
  await seedEvent(store.pool, id, { seq: 3, type: 'run.statusChanged', data: { v: 1, output: value } });
  await seedNodeRun(store.pool, id, { path: 'a', status: 'succeeded', output_seq: 2 });
  return id;
}

async function expectRunShows(runId: string, value: Json): Promise<void> {
  const ref = { workspaceId, runId };
  const run = await getRun(store.orm, ref);
  expectSame(run?.input, value);
  expectSame(run?.output, value);
  expectSame((await getNodeRun(store.orm, { ...ref, path: 'a' }))?.output, value);
  const page = await readEvents(store.orm, ref);
  expectSame(page?.events[1]?.data, { v: 1, output: value });
}

describe.each(payloads)('%s', (_, value) => {
  test('as input and output of a run and a node run', async () => {
    await expectRunShows(await runWith(value), value);
  });

  test('as a draft', async () => {
    const flow = `draft-${payloads.findIndex((each) => each[1] === value)}`;
    const document: JsonObject = { name: flow, value };
    expectSame((await createFlow(store.orm, { workspaceId, flow, document })).document, document);
    const saved = await saveDraft(store.orm, { workspaceId, flow, document: value, expectedRevision: 1 });
    expectSame(saved.document, value);
    expectSame((await getFlow(store.orm, { workspaceId, flow })).document, value);
  });

  test('as a value outside the journal', async () => {
    const large: Json = [value, 'p'.repeat(INLINE_LIMIT_BYTES), value];
    const id = await seedRun(store.pool, { status: 'succeeded', next_seq: 3, output_seq: 2 });
    const outputRef = await offloadValue(store.pool, id, JSON.stringify(large));
    await seedEvent(store.pool, id, { seq: 1, type: 'run.admitted', data: { v: 1, inputRef: outputRef } });
    await seedEvent(store.pool, id, { seq: 2, type: 'run.statusChanged', data: { v: 1, outputRef } });
    const run = await getRun(store.orm, { workspaceId, runId: id });
    expectSame(run?.input, large);
    expectSame(run?.output, large);
  });

  test('in tags and in a failure', async () => {
    const failure = { code: 'x', message: 'm', class: 'permanent', detail: value };
    const id = await seedRun(store.pool, {
      status: 'failed',
      flow_name: 'labelled',
      tags: { value },
      failure,
    });
    const found = (await listRuns(store.orm, workspaceId, { flow: 'labelled', limit: 1 })).items[0];
    expect(found?.id).toBe(id);
    expectSame(found?.tags, { value });
    expectSame(found?.failure, failure);
  });
});

test('any JSON value survives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }), async (value) => {
      const expected = JSON.parse(JSON.stringify(value)) as Json;
      await expectRunShows(await runWith(expected), expected);
    }),
    { numRuns: 40 },
  );
});

test('labels that a text column cannot hold are stored with replacement characters; the payload keeps the original', async () => {
  const document = { name: 'labels', title: 'a\u0000b\ud83ec' };
  const made = await createFlow(store.orm, { workspaceId, flow: 'labels', document });
  expect(made.title).toBe('a\ufffdb\ufffdc');
  expectSame(made.document, document);
  const from = { runId: await seedRun(store.pool), path: 'a', attempt: 1 };
  const put = { workspaceId, from, name: 'n\u0000.txt', mediaType: 'text/plain', content: '\u0000' };
  expect((await putArtifact(store.pool, put)).artifact.name).toBe('n\ufffd.txt');
  await createKey(store.orm, { workspaceId, name: 'k\u0000', role: 'viewer' });
  expect((await listKeys(store.orm, workspaceId)).map((key) => key.name)).toContain('k\ufffd');
});
