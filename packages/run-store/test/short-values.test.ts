// Catches: a preview that is longer than it says, cuts a character or loses the value; a part of a value that is of another one.
import { createHash } from 'node:crypto';
import type { Json, RecordedEvent } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DEFAULT_WORKSPACE_ID,
  INLINE_LIMIT_BYTES,
  offloadValue,
  openValue,
  readEvents,
} from '../src/index.ts';
import { OTHER_WORKSPACE_ID, openTestStore, seedEvent, seedRun, type TestStore } from './support/seed.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const workspaceId = DEFAULT_WORKSPACE_ID;
const SHORT = 64 * 1024;

/** A run whose second event gave the value. */
async function runThatGave(value: Json): Promise<string> {
  const runId = await seedRun(store.pool, { status: 'succeeded', next_seq: 3 });
  const outputRef = await offloadValue(store.pool, runId, JSON.stringify(value));
  await seedEvent(store.pool, runId, { seq: 1, type: 'run.admitted', data: { v: 1, input: {} } });
  const data = outputRef ? { v: 1, outputRef } : { v: 1, output: value };
  await seedEvent(store.pool, runId, { seq: 2, type: 'outcome.succeeded', path: 'a', data });
  return runId;
}

const shortOf = async (runId: string) => {
  const page = await readEvents(store.orm, { workspaceId, runId, values: 'short' });
  return (page!.events[1] as RecordedEvent).data as unknown as {
    output?: Json;
    outputRef?: { hash: string; bytes: number; preview: string };
  };
};

async function textOf(runId: string, range?: { start: number; end: number }): Promise<string> {
  const value = await openValue(store.orm, { workspaceId, runId, seq: 2, name: 'output' });
  const parts: Uint8Array[] = [];
  for await (const part of value!.read(range)) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('a journal that is read with short values', () => {
  it('tells what is short as it is', async () => {
    const value = { text: 'x'.repeat(SHORT - 20) };
    expect(await shortOf(await runThatGave(value))).toEqual({ v: 1, output: value });
  });

  it.each([
    ['inside the journal', 'é'.repeat(SHORT)],
    ['outside the journal', 'é'.repeat(INLINE_LIMIT_BYTES)],
  ])(
    'tells of a long value %s its hash, its length and how it begins, no character cut',
    async (_, value) => {
      const text = JSON.stringify(value);
      const { output, outputRef } = await shortOf(await runThatGave(value));
      expect(output).toBeUndefined();
      expect(outputRef).toMatchObject({
        hash: createHash('sha256').update(text).digest('hex'),
        bytes: Buffer.byteLength(text),
      });
      // A quotation mark, then two bytes for each letter: the last one would be cut.
      expect(outputRef!.preview).toBe(text.slice(0, SHORT / 2));
    },
  );

  it.each([
    ['inside', 'abc'.repeat(SHORT)],
    ['outside', 'abc'.repeat(INLINE_LIMIT_BYTES)],
  ])('gives the text of a value %s as a whole and in parts', async (_, value) => {
    const runId = await runThatGave(value);
    const text = JSON.stringify(value);
    expect(await textOf(runId)).toBe(text);
    expect(await textOf(runId, { start: SHORT - 5, end: SHORT + 5 })).toBe(text.slice(SHORT - 5, SHORT + 5));
  });

  it('V14: knows no value of another workspace, of no event, or of another name', async () => {
    const runId = await runThatGave(1);
    const at = { workspaceId, runId, seq: 2, name: 'output' } as const;
    expect(await openValue(store.orm, at)).toBeDefined();
    expect(await openValue(store.orm, { ...at, workspaceId: OTHER_WORKSPACE_ID })).toBeUndefined();
    expect(await openValue(store.orm, { ...at, seq: 3 })).toBeUndefined();
    expect(await openValue(store.orm, { ...at, name: 'request' })).toBeUndefined();
  });
});
