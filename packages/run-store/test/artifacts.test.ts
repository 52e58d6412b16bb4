// Catches: bytes that are lost, doubled or truncated on their way through chunks; versions that repeat or skip.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ByteRange,
  DEFAULT_WORKSPACE_ID,
  getArtifact,
  INLINE_LIMIT_BYTES,
  isStoreError,
  listArtifacts,
  listWorkspaceArtifacts,
  newRunId,
  offloadValue,
  openArtifact,
  type PutArtifact,
  putArtifact,
  readArtifact,
  resolveValue,
  VALUE_LIMIT_BYTES,
} from '../src/index.ts';
import {
  addOtherWorkspace,
  OTHER_WORKSPACE_ID,
  openTestStore,
  seedRun,
  type TestStore,
} from './support/seed.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
  await addOtherWorkspace(store.pool);
});
afterAll(() => store.close());

const CHUNK = 256 * 1024;
const from = (runId: string, more: Partial<NonNullable<PutArtifact['from']>> = {}) => ({
  from: { runId, path: 'write', attempt: 1, ...more },
});
const anArtifact = (
  runId: string,
  content: PutArtifact['content'],
  more: Partial<PutArtifact> = {},
): PutArtifact => ({
  workspaceId: DEFAULT_WORKSPACE_ID,
  ...from(runId),
  name: 'report.md',
  mediaType: 'text/markdown',
  content,
  ...more,
});
const put = async (request: PutArtifact) => (await putArtifact(store.pool, request)).artifact;

async function bytesOf(artifactId: string, range?: ByteRange): Promise<Buffer> {
  const found = await openArtifact(store.orm, { workspaceId: DEFAULT_WORKSPACE_ID, artifactId });
  return gather(found!.read(range));
}

async function gather(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
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
      const artifact = await put(anArtifact(newRunId(), bytes));
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
    const artifact = await put(anArtifact(newRunId(), stream()));
    const whole = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    expect((await bytesOf(artifact.id)).equals(whole)).toBe(true);
  });

  test('when the source breaks off, its error is thrown and nothing is kept', async () => {
    async function* broken() {
      yield randomBytes(3 * CHUNK);
      throw new Error('the disk went away');
    }
    const runId = await seedRun(store.pool);
    await expect(put(anArtifact(runId, broken()))).rejects.toThrow('the disk went away');
    expect(await countChunks('upload:%')).toBe(0);
    expect(await listArtifacts(store.orm, { workspaceId: DEFAULT_WORKSPACE_ID, runId })).toEqual({
      items: [],
    });
  });

  test('equal bytes of different artifacts are stored once', async () => {
    const bytes = randomBytes(2 * CHUNK);
    const [first, second] = await Promise.all([
      put(anArtifact(newRunId(), bytes)),
      put(anArtifact(newRunId(), bytes, { name: 'copy.md' })),
    ]);
    expect(second.hash).toBe(first.hash);
    expect(second.id).not.toBe(first.id);
    expect(await countChunks(first.hash)).toBe(2);
    expect(await countChunks('upload:%')).toBe(0);
  });

  test('when chunks of the same content are half there, the missing ones are filled in', async () => {
    const text = JSON.stringify(randomBytes(500_000).toString('base64'));
    const { hash } = (await offloadValue(store.pool, newRunId(), text))!;
    await store.pool.query('delete from artifact_chunk where hash = $1 and index in (0, 2)', [hash]);
    const artifact = await put(anArtifact(newRunId(), text));
    expect(artifact.hash).toBe(hash);
    expect((await bytesOf(artifact.id)).toString()).toBe(text);
    expect(await countChunks('upload:%')).toBe(0);
  });
});

describe('versions', () => {
  test('other content under the same name is the next version; the same from the same node run is the same artifact', async () => {
    const runId = newRunId();
    const first = await put(anArtifact(runId, 'one'));
    const second = await put(anArtifact(runId, 'two'));
    const again = await put(anArtifact(runId, 'one', from(runId, { attempt: 2 })));
    const elsewhere = await put(anArtifact(runId, 'one', from(runId, { path: 'other' })));
    expect([first.version, second.version, elsewhere.version]).toEqual([1, 2, 3]);
    expect(again).toEqual(first);
  });

  test('ten at once get ten versions without a gap', async () => {
    const runId = newRunId();
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, place) => put(anArtifact(runId, `text ${place}`))),
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
    const a = await put(anArtifact(one, 'a', { name: 'a' }));
    const b = await put(anArtifact(one, 'b', { name: 'b' }));
    const c = await put(anArtifact(two, 'c', { name: 'c' }));
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
    const ofFlow = (more: object) =>
      listWorkspaceArtifacts(store.orm, { workspaceId, flow: 'digest', ...more });
    expect(await ofFlow({})).toEqual({ items: [c, b, a] });
    const newest = await ofFlow({ limit: 2 });
    expect(newest.items).toEqual([c, b]);
    expect(await ofFlow({ limit: 2, cursor: newest.nextCursor })).toEqual({ items: [a] });
    expect(await ofFlow({ workspaceId: OTHER_WORKSPACE_ID })).toEqual({ items: [] });
    expect(await listArtifacts(store.orm, { workspaceId: OTHER_WORKSPACE_ID, runId: one })).toBeUndefined();
    expect(
      await getArtifact(store.orm, { workspaceId: OTHER_WORKSPACE_ID, artifactId: a.id }),
    ).toBeUndefined();
    expect(await getArtifact(store.orm, { workspaceId, artifactId: 'no-id' })).toBeUndefined();
    const own = await readArtifact(store.pool, { workspaceId, artifactId: a.id });
    expect(await gather(own!)).toEqual(Buffer.from('a'));
    const foreign = { workspaceId: OTHER_WORKSPACE_ID, artifactId: a.id };
    expect(await readArtifact(store.pool, foreign)).toBeUndefined();
  });
});

describe('uploads', () => {
  const anUpload = (content: string, more: Partial<PutArtifact> = {}): PutArtifact => ({
    workspaceId: DEFAULT_WORKSPACE_ID,
    by: 'key:ada',
    name: 'prices.csv',
    mediaType: 'text/csv',
    content,
    ...more,
  });

  test('versions count per name; the bytes of the newest version sent again are that version', async () => {
    const first = await putArtifact(store.pool, anUpload('a,1'));
    expect(first).toMatchObject({ isNew: true, artifact: { version: 1, by: 'key:ada' } });
    expect(first.artifact).not.toHaveProperty('runId');
    expect(await putArtifact(store.pool, anUpload('a,1', { by: 'key:bob' }))).toEqual({
      ...first,
      isNew: false,
    });
    const second = await putArtifact(store.pool, anUpload('a,2'));
    const third = await putArtifact(store.pool, anUpload('a,1'));
    expect([second, third].map(({ artifact, isNew }) => [artifact.version, isNew])).toEqual([
      [2, true],
      [3, true],
    ]);
    const elsewhere = await putArtifact(store.pool, anUpload('a,2', { workspaceId: OTHER_WORKSPACE_ID }));
    expect(elsewhere.artifact).toMatchObject({ version: 1, hash: second.artifact.hash });
  });

  test('ten at once get ten versions without a gap', async () => {
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, place) => put(anUpload(`text ${place}`, { name: 'ten' }))),
    );
    expect(made.map(({ version }) => version).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('lists are narrowed by name and media type, in which only * stands for anything', async () => {
    const name = (text: string, mediaType: string) => put(anUpload(text, { name: text, mediaType }));
    const a = await name('100%_a.md', 'text/markdown; charset=utf-8');
    const b = await name('100%_b.md', 'text/plain');
    await name('100xya.md', 'text/markdown');
    const list = async (filter: object) =>
      (
        await listWorkspaceArtifacts(store.orm, {
          workspaceId: DEFAULT_WORKSPACE_ID,
          uploaded: true,
          ...filter,
        })
      ).items;
    expect(await list({ name: '100%_*' })).toEqual([b, a]);
    expect(await list({ name: '100%_a.md' })).toEqual([a]);
    expect(await list({ name: '100%_*', mediaType: 'text/markdown' })).toEqual([a]);
    expect(await list({ name: '100%_*', mediaType: 'text/*' })).toEqual([b, a]);
    expect(await list({ name: '100%_*', mediaType: 'image/*' })).toEqual([]);
  });
});

describe('ranges', () => {
  test('any part comes back as it was, across the edges of chunks', async () => {
    const bytes = randomBytes(10 * CHUNK + 17);
    const { id } = await put(anArtifact(newRunId(), bytes));
    const edges = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 8 * CHUNK - 1, 8 * CHUNK, 10 * CHUNK, bytes.length];
    for (const start of edges)
      for (const end of edges.filter((edge) => edge >= start))
        expect(
          (await bytesOf(id, { start, end })).equals(bytes.subarray(start, end)),
          `${start}–${end}`,
        ).toBe(true);
  });

  test('when chunks are missing, reading fails instead of ending early', async () => {
    const { id, hash } = await put(anArtifact(newRunId(), randomBytes(10 * CHUNK)));
    await store.pool.query('delete from artifact_chunk where hash = $1 and index = 9', [hash]);
    await expect(bytesOf(id)).rejects.toMatchObject({ code: 'value_lost' });
    expect((await bytesOf(id, { start: 0, end: 9 * CHUNK })).length).toBe(9 * CHUNK);
    await expect(bytesOf(id, { start: 0, end: 9 * CHUNK + 1 })).rejects.toMatchObject({ code: 'value_lost' });
  });
});

describe('values outside the journal', () => {
  test('a value at the limit stays inside, one byte more leaves and reads back', async () => {
    const atLimit = JSON.stringify('x'.repeat(INLINE_LIMIT_BYTES - 2));
    expect(await offloadValue(store.pool, newRunId(), atLimit)).toBeUndefined();
    const above = JSON.stringify(`x${'é'.repeat(INLINE_LIMIT_BYTES / 2)}`);
    const ref = await offloadValue(store.pool, newRunId(), above);
    expect(ref).toEqual({
      hash: createHash('sha256').update(above).digest('hex'),
      bytes: Buffer.byteLength(above),
    });
    expect(await resolveValue(store.pool, ref!)).toBe(above);
    expect(await offloadValue(store.pool, newRunId(), above)).toEqual(ref);
  });

  test('a value of 60 MB reads back; one above 64 MB is refused with the numbers', async () => {
    const large = JSON.stringify('y'.repeat(60_000_000));
    const ref = await offloadValue(store.pool, newRunId(), large);
    expect((await resolveValue(store.pool, ref!)) === large).toBe(true);
    const refused = await offloadValue(
      store.pool,
      newRunId(),
      JSON.stringify('z'.repeat(VALUE_LIMIT_BYTES)),
    ).catch((e) => e);
    expect(isStoreError(refused, 'value_too_large')).toBe(true);
    expect(refused.message).toContain('67108866 bytes exceeds the limit of 67108864 bytes');
  });

  test('a value with missing bytes is an error, never a shorter value', async () => {
    const ref = (await offloadValue(store.pool, newRunId(), JSON.stringify('w'.repeat(600_000))))!;
    await store.pool.query('delete from artifact_chunk where hash = $1 and index = 1', [ref.hash]);
    await expect(resolveValue(store.pool, ref)).rejects.toMatchObject({ code: 'value_lost' });
  });
});
