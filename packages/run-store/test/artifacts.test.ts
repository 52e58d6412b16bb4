// Catches: bytes that are lost, doubled or truncated on their way through chunks; versions that repeat or skip.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  DEFAULT_WORKSPACE_ID,
  getArtifact,
  INLINE_LIMIT_BYTES,
  isStoreError,
  listArtifacts,
  listFlowArtifacts,
  newRunId,
  offloadValue,
  openArtifact,
  type PutArtifact,
  putArtifact,
  readArtifactBytes,
  resolveValue,
  VALUE_LIMIT_BYTES,
} from '../src/index.ts';
import { OTHER_WORKSPACE_ID, openTestStore, seedRun, type TestStore } from './support/seed.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const CHUNK = 256 * 1024;
const anArtifact = (
  runId: string,
  content: PutArtifact['content'],
  more: Partial<PutArtifact> = {},
): PutArtifact => ({
  workspaceId: DEFAULT_WORKSPACE_ID,
  runId,
  path: 'write',
  attempt: 1,
  name: 'report.md',
  mediaType: 'text/markdown',
  content,
  ...more,
});

async function bytesOf(artifactId: string): Promise<Buffer> {
  const found = await openArtifact(store.orm, { workspaceId: DEFAULT_WORKSPACE_ID, artifactId });
  const chunks: Buffer[] = [];
  for await (const chunk of found!.content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function countChunks(like: string): Promise<number> {
  const { rows } = await store.pool.query(
    'select count(*)::int as n from artifact_chunk where hash like $1',
    [like],
  );
  return rows[0].n;
}

describe('putting and getting', () => {
  test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 9 * CHUNK + 5])(
    '%i bytes come back as they were',
    async (size) => {
      const bytes = randomBytes(size);
      const artifact = await putArtifact(store.pool, anArtifact(newRunId(), bytes));
      expect(artifact).toMatchObject({
        name: 'report.md',
        version: 1,
        bytes: size,
        hash: createHash('sha256').update(bytes).digest('hex'),
        path: 'write',
        attempt: 1,
      });
      expect(new Date(artifact.createdAt).toISOString()).toBe(artifact.createdAt);
      expect((await bytesOf(artifact.id)).equals(bytes)).toBe(true);
      expect(await countChunks(artifact.hash)).toBe(Math.ceil(size / CHUNK));
    },
  );

  test('a stream of uneven parts of text and bytes becomes the same content as their sum', async () => {
    const parts = ['größe 🦁\n', randomBytes(300_000), 'x', randomBytes(700_001), ''];
    async function* stream() {
      yield* parts;
    }
    const artifact = await putArtifact(store.pool, anArtifact(newRunId(), stream()));
    const whole = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    expect((await bytesOf(artifact.id)).equals(whole)).toBe(true);
  });

  test('when the source breaks off, its error is thrown and nothing is kept', async () => {
    async function* broken() {
      yield randomBytes(3 * CHUNK);
      throw new Error('the disk went away');
    }
    const runId = await seedRun(store.pool);
    await expect(putArtifact(store.pool, anArtifact(runId, broken()))).rejects.toThrow('the disk went away');
    expect(await countChunks('upload:%')).toBe(0);
    expect(await listArtifacts(store.orm, { workspaceId: DEFAULT_WORKSPACE_ID, runId })).toEqual({
      items: [],
    });
  });

  test('equal bytes of different artifacts are stored once', async () => {
    const bytes = randomBytes(2 * CHUNK);
    const [first, second] = await Promise.all([
      putArtifact(store.pool, anArtifact(newRunId(), bytes)),
      putArtifact(store.pool, anArtifact(newRunId(), bytes, { name: 'copy.md' })),
    ]);
    expect(second.hash).toBe(first.hash);
    expect(second.id).not.toBe(first.id);
    expect(await countChunks(first.hash)).toBe(2);
    expect(await countChunks('upload:%')).toBe(0);
  });

  test('when chunks of the same content are half there, the missing ones are filled in', async () => {
    const bytes = randomBytes(3 * CHUNK);
    const hash = createHash('sha256').update(bytes).digest('hex');
    await store.pool.query('insert into artifact_chunk (hash, index, data) values ($1, 0, $2)', [
      hash,
      bytes.subarray(0, CHUNK),
    ]);
    const artifact = await putArtifact(store.pool, anArtifact(newRunId(), bytes));
    expect((await bytesOf(artifact.id)).equals(bytes)).toBe(true);
    expect(await countChunks('upload:%')).toBe(0);
  });
});

describe('versions', () => {
  test('other content under the same name is the next version; the same from the same node run is the same artifact', async () => {
    const runId = newRunId();
    const first = await putArtifact(store.pool, anArtifact(runId, 'one'));
    const second = await putArtifact(store.pool, anArtifact(runId, 'two'));
    const again = await putArtifact(store.pool, anArtifact(runId, 'one', { attempt: 2 }));
    const elsewhere = await putArtifact(store.pool, anArtifact(runId, 'one', { path: 'other' }));
    expect([first.version, second.version, elsewhere.version]).toEqual([1, 2, 3]);
    expect(again).toEqual(first);
  });

  test('ten at once get ten versions without a gap', async () => {
    const runId = newRunId();
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, place) => putArtifact(store.pool, anArtifact(runId, `text ${place}`))),
    );
    expect(made.map((artifact) => artifact.version).sort((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
  });
});

describe('lists', () => {
  test('a run lists its artifacts in order, a flow those of its runs newest first, other workspaces nothing', async () => {
    const [one, two] = [
      await seedRun(store.pool, { flow_name: 'digest' }),
      await seedRun(store.pool, { flow_name: 'digest' }),
    ];
    const a = await putArtifact(store.pool, anArtifact(one, 'a', { name: 'a' }));
    const b = await putArtifact(store.pool, anArtifact(one, 'b', { name: 'b' }));
    const c = await putArtifact(store.pool, anArtifact(two, 'c', { name: 'c' }));
    const workspaceId = DEFAULT_WORKSPACE_ID;
    expect(await listArtifacts(store.orm, { workspaceId, runId: one })).toEqual({ items: [a, b] });
    const page = await listArtifacts(store.orm, { workspaceId, runId: one, limit: 1 });
    expect(page).toEqual({ items: [a], nextCursor: expect.any(String) });
    const next = await listArtifacts(store.orm, {
      workspaceId,
      runId: one,
      limit: 1,
      cursor: page!.nextCursor,
    });
    expect(next).toEqual({ items: [b] });
    expect(await listFlowArtifacts(store.orm, { workspaceId, flow: 'digest' })).toEqual([c, b, a]);
    expect(await listFlowArtifacts(store.orm, { workspaceId: OTHER_WORKSPACE_ID, flow: 'digest' })).toEqual(
      [],
    );
    expect(await listArtifacts(store.orm, { workspaceId: OTHER_WORKSPACE_ID, runId: one })).toBeUndefined();
    expect(
      await getArtifact(store.orm, { workspaceId: OTHER_WORKSPACE_ID, artifactId: a.id }),
    ).toBeUndefined();
    expect(await getArtifact(store.orm, { workspaceId, artifactId: 'no-id' })).toBeUndefined();
    expect(await readArtifactBytes(store.pool, { workspaceId, artifactId: a.id })).toEqual(Buffer.from('a'));
    const foreign = { workspaceId: OTHER_WORKSPACE_ID, artifactId: a.id };
    expect(await readArtifactBytes(store.pool, foreign)).toBeUndefined();
  });
});

describe('values outside the journal', () => {
  test('a value at the limit stays inside, one byte more leaves and reads back', async () => {
    const atLimit = JSON.stringify('x'.repeat(INLINE_LIMIT_BYTES - 2));
    expect(await offloadValue(store.pool, atLimit)).toBeUndefined();
    const above = JSON.stringify(`x${'é'.repeat(INLINE_LIMIT_BYTES / 2)}`);
    const ref = await offloadValue(store.pool, above);
    expect(ref).toEqual({
      hash: createHash('sha256').update(above).digest('hex'),
      bytes: Buffer.byteLength(above),
    });
    expect(await resolveValue(store.pool, ref!)).toBe(above);
    expect(await offloadValue(store.pool, above)).toEqual(ref);
  });

  test('a value of 60 MB reads back; one above 64 MB is refused with the numbers', async () => {
    const large = JSON.stringify('y'.repeat(60_000_000));
    const ref = await offloadValue(store.pool, large);
    expect((await resolveValue(store.pool, ref!)) === large).toBe(true);
    const refused = await offloadValue(store.pool, JSON.stringify('z'.repeat(VALUE_LIMIT_BYTES))).catch(
      (e) => e,
    );
    expect(isStoreError(refused, 'value_too_large')).toBe(true);
    expect(refused.message).toContain('67108866 bytes exceeds the limit of 67108864 bytes');
  });

  test('a value with missing bytes is an error, never a shorter value', async () => {
    const ref = (await offloadValue(store.pool, JSON.stringify('w'.repeat(600_000))))!;
    await store.pool.query('delete from artifact_chunk where hash = $1 and index = 1', [ref.hash]);
    await expect(resolveValue(store.pool, ref)).rejects.toMatchObject({ code: 'value_lost' });
  });
});
