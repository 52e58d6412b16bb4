// Catches: an artifact that a run's input names and that is removed all the same; a use that reaches across workspaces.
import type { Json } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { artifactIdsIn } from '../src/artifacts/used-artifacts.ts';
import { DEFAULT_WORKSPACE_ID, HotStore, newId, publishFlow, putArtifact, startRun } from '../src/index.ts';
import { addOtherWorkspace, OTHER_WORKSPACE_ID, openTestStore, type TestStore } from './support/seed.ts';

let store: TestStore;
let hot: HotStore;
beforeAll(async () => {
  store = await openTestStore();
  await addOtherWorkspace(store.pool);
  hot = await HotStore.open({ url: store.url, ring: async () => {}, onError: () => {} });
  const document = {
    format: 'pawl/1',
    name: 'f',
    nodes: [{ id: 'a', kind: 'transform', value: 1 }],
    edges: [],
  };
  await publishFlow(store.orm, { workspaceId: DEFAULT_WORKSPACE_ID, flow: 'f', document });
});
afterAll(async () => {
  await hot.close();
  await store.close();
});

const start = async (input: Json) =>
  (await startRun(hot, { workspaceId: DEFAULT_WORKSPACE_ID, flow: 'f', input, trigger: 'api' })).runId;
const anUpload = async (name: string, workspaceId = DEFAULT_WORKSPACE_ID) =>
  (await putArtifact(store.pool, { workspaceId, name, mediaType: 'text/plain', content: name })).artifact.id;
const usedBy = async (runId: string): Promise<string[]> =>
  (
    await store.pool.query('select artifact_id as id from used_artifact where run_id = $1 order by 1', [
      runId,
    ])
  ).rows.map(({ id }) => id);

test('a run uses the artifacts that its input names, at any depth, each once; such an artifact cannot be removed', async () => {
  const [a, b] = [await anUpload('a'), await anUpload('b')];
  const runId = await start({
    one: { artifactId: a },
    list: [[{ deep: { artifactId: b.toUpperCase() } }], { artifactId: a }],
  });
  expect(await usedBy(runId)).toEqual([a, b].sort());
  await expect(store.pool.query('delete from artifact where id = $1', [a])).rejects.toMatchObject({
    code: '23503',
  });
});

test('V14: what is unknown or of another workspace is not used, and starting is not hindered', async () => {
  const foreign = await anUpload('foreign', OTHER_WORKSPACE_ID);
  const own = await anUpload('own');
  const runId = await start([{ artifactId: foreign }, { artifactId: newId() }, { artifactId: own }]);
  expect(await usedBy(runId)).toEqual([own]);
});

describe('what counts as a reference', () => {
  const id = newId();
  test.each([
    [{ artifactId: id }, [id]],
    [{ artifactId: { artifactId: id } }, [id]],
    [{ artifactid: id, id, artifactId: 'report.md' }, []],
    [id, []],
    [{ artifactId: [id] }, []],
    [null, []],
  ] as [Json, string[]][])('%j', (value, ids) => {
    expect(artifactIdsIn(value)).toEqual(ids);
  });
});
