// Catches: bytes that are gone without anybody noticing, or an alarm about what nobody refers to.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkContent, DEFAULT_WORKSPACE_ID, newRunId, offloadValue, putArtifact } from '../src/index.ts';
import { openTestStore, seedEvent, type TestStore } from './support/seed.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const cut = (hash: string) =>
  store.pool.query('delete from artifact_chunk where hash = $1 and index = 1', [hash]);

test('I15: a reference to bytes that are not all there is named; a half-written value that nothing names is not', async () => {
  const put = { workspaceId: DEFAULT_WORKSPACE_ID, name: 'a', mediaType: 'text/plain' };
  const { artifact } = await putArtifact(store.pool, { ...put, content: 'a'.repeat(600_000) });
  await putArtifact(store.pool, { ...put, name: 'empty', content: '' });
  const [named, unnamed] = [newRunId(), newRunId()];
  const value = (await offloadValue(store.pool, named, JSON.stringify('v'.repeat(600_000))))!;
  const half = (await offloadValue(store.pool, unnamed, JSON.stringify('w'.repeat(600_000))))!;
  await seedEvent(store.pool, named, { seq: 1, type: 'outcome.succeeded', data: { v: 1, outputRef: value } });
  await cut(half.hash);
  expect(await checkContent(store.pool)).toEqual({ contents: 4, broken: [] });

  await cut(artifact.hash);
  await cut(value.hash);
  const { broken } = await checkContent(store.pool);
  expect(broken).toHaveLength(2);
  expect(broken).toContainEqual({
    hash: artifact.hash,
    bytes: 600_000,
    presentBytes: 600_000 - 262_144,
    artifactId: artifact.id,
  });
  expect(broken).toContainEqual({
    hash: value.hash,
    bytes: 600_002,
    presentBytes: 600_002 - 262_144,
    runId: named,
  });
});
