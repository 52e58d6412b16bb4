// Catches: a draft that overwrites another, a graph that gets two versions, a version that changes after it was published.
import type { FlowDocument, Json, JsonObject } from '@pawl/dag-core';
import { versionId } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createFlow,
  DEFAULT_WORKSPACE_ID,
  exportFlow,
  getFlow,
  getVersion,
  isStoreError,
  listFlows,
  listVersions,
  newRunId,
  publishFlow,
  saveDraft,
  versionToRun,
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

const workspaceId = DEFAULT_WORKSPACE_ID;
const aDocument = (name: string, value: Json = '{{ input }}', more: JsonObject = {}): JsonObject => ({
  format: 'pawl/1',
  name,
  nodes: [{ id: 'a', kind: 'transform', value }],
  edges: [],
  ...more,
});
const refOf = (flow: string) => ({ workspaceId, flow });
const create = (flow: string, document: Json = aDocument(flow)) =>
  createFlow(store.orm, { ...refOf(flow), document });

describe('drafts', () => {
  test('a new flow is at revision 1 and reads as it was given; its name is taken then', async () => {
    const document = aDocument('fresh', 'x', { title: 'Fresh', layout: { a: { x: 1, y: 2 } } });
    const made = await create('fresh', document);
    expect(made).toEqual({
      name: 'fresh',
      title: 'Fresh',
      revision: 1,
      versionCount: 0,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: made.createdAt,
      document,
    });
    expect(await getFlow(store.orm, refOf('fresh'))).toEqual(made);
    await expect(create('fresh')).rejects.toMatchObject({ code: 'flow_exists', values: { flow: 'fresh' } });
    const elsewhere = { workspaceId: OTHER_WORKSPACE_ID, flow: 'fresh', document };
    expect((await createFlow(store.orm, elsewhere)).revision).toBe(1);
  });

  test('an unfinished document is a draft all the same', async () => {
    const drafts: Json[] = [{ name: 'loose', nodes: [{ id: '__proto__' }] }, [], null, 'text', { title: 5 }];
    await create('loose', drafts[0]);
    for (const [place, document] of drafts.entries()) {
      const saved = await saveDraft(store.orm, { ...refOf('loose'), document, expectedRevision: place + 1 });
      expect(saved).toMatchObject({ revision: place + 2, document });
      expect(saved).not.toHaveProperty('title');
    }
  });

  test('a stale save gets both documents and changes nothing', async () => {
    await create('stale', aDocument('stale', 'first'));
    const theirs = aDocument('stale', 'theirs');
    await saveDraft(store.orm, { ...refOf('stale'), document: theirs, expectedRevision: 1 });
    const yours = aDocument('stale', 'yours');
    const error = await saveDraft(store.orm, {
      ...refOf('stale'),
      document: yours,
      expectedRevision: 1,
    }).catch((e) => e);
    expect(isStoreError(error, 'draft_conflict') && error.values).toEqual({
      flow: 'stale',
      expectedRevision: 1,
      currentRevision: 2,
      current: theirs,
      yours,
    });
    expect(await getFlow(store.orm, refOf('stale'))).toMatchObject({ revision: 2, document: theirs });
  });

  test('of ten saves on one revision at once, one wins', async () => {
    await create('race');
    const saves = await Promise.allSettled(
      Array.from({ length: 10 }, (_, place) =>
        saveDraft(store.orm, { ...refOf('race'), document: aDocument('race', place), expectedRevision: 1 }),
      ),
    );
    expect(saves.filter((save) => save.status === 'fulfilled')).toHaveLength(1);
    expect((await getFlow(store.orm, refOf('race'))).revision).toBe(2);
  });
});

describe('publishing', () => {
  test('the first publication is number 1 and is what starts run; layout and titles make no other version', async () => {
    await create('pub', aDocument('pub', 'one', { title: 'A' }));
    const first = await publishFlow(store.orm, refOf('pub'));
    expect(first).toEqual({
      version: {
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        flow: 'pub',
        number: 1,
        createdAt: expect.any(String),
      },
      created: true,
    });
    const retitled = aDocument('pub', 'one', { title: 'B', layout: { a: { x: 9, y: 9 } } });
    await saveDraft(store.orm, { ...refOf('pub'), document: retitled, expectedRevision: 1 });
    expect(await publishFlow(store.orm, refOf('pub'))).toEqual({ version: first.version, created: false });

    await saveDraft(store.orm, { ...refOf('pub'), document: aDocument('pub', 'two'), expectedRevision: 2 });
    const second = await publishFlow(store.orm, refOf('pub'));
    expect(second).toMatchObject({ version: { number: 2 }, created: true });
    expect(await getFlow(store.orm, refOf('pub'))).toMatchObject({
      publishedVersion: second.version.id,
      versionCount: 2,
      revision: 3,
    });
    expect(await listVersions(store.orm, refOf('pub'))).toEqual([second.version, first.version]);

    await saveDraft(store.orm, { ...refOf('pub'), document: retitled, expectedRevision: 3 });
    expect(await publishFlow(store.orm, refOf('pub'))).toEqual({ version: first.version, created: false });
    expect((await versionToRun(store.orm, refOf('pub'))).id).toBe(first.version.id);
  });

  test('a saved draft changes neither the published version nor what starts run (C55)', async () => {
    await create('pinned', aDocument('pinned', 'old'));
    const { version } = await publishFlow(store.orm, refOf('pinned'));
    await saveDraft(store.orm, {
      ...refOf('pinned'),
      document: aDocument('pinned', 'new'),
      expectedRevision: 1,
    });
    const toRun = await versionToRun(store.orm, refOf('pinned'));
    expect(toRun).toEqual({ ...version, document: aDocument('pinned', 'old') });
    expect(versionId(toRun.document)).toBe(version.id);
  });

  test('a document in hand makes the flow when it is new, and leaves the draft of an existing one alone', async () => {
    const document = aDocument('direct', 'one');
    const made = await publishFlow(store.orm, { ...refOf('direct'), document });
    expect(made).toMatchObject({ version: { number: 1 }, created: true });
    expect(await getFlow(store.orm, refOf('direct'))).toMatchObject({ revision: 1, document });
    const other = await publishFlow(store.orm, { ...refOf('direct'), document: aDocument('direct', 'two') });
    expect(other).toMatchObject({ version: { number: 2 }, created: true });
    expect(await getFlow(store.orm, refOf('direct'))).toMatchObject({
      revision: 1,
      document,
      publishedVersion: other.version.id,
    });
  });

  test('ten publications of five graphs at once make five versions, numbered without a gap', async () => {
    const publications = await Promise.all(
      Array.from({ length: 10 }, (_, place) =>
        publishFlow(store.orm, { ...refOf('many'), document: aDocument('many', place % 5) }),
      ),
    );
    expect(publications.filter((each) => each.created)).toHaveLength(5);
    const numbers = (await listVersions(store.orm, refOf('many'))).map((version) => version.number);
    expect(numbers).toEqual([5, 4, 3, 2, 1]);
    expect((await listFlows(store.orm, workspaceId)).find((flow) => flow.name === 'many')?.versionCount).toBe(
      5,
    );
  });

  test('an invalid draft is refused with every problem, and nothing is published', async () => {
    await create('bad', {
      format: 'pawl/1',
      name: 'bad',
      nodes: [
        { id: 'a', kind: 'transform', value: '{{ nodes.zz.output }}' },
        { id: 'a', kind: 'nonsense' },
      ],
      edges: [{ from: 'a', to: 'b' }],
    });
    const error = await publishFlow(store.orm, refOf('bad')).catch((e) => e);
    if (!isStoreError(error, 'flow_invalid')) throw error;
    expect(error.values.issues.length).toBeGreaterThanOrEqual(3);
    for (const issue of error.values.issues) expect(issue).toMatchObject({ pointer: expect.any(String) });
    expect(error.message).toMatch(/^Flow bad cannot be published: \d+ problems\. First: /);
    expect(await listVersions(store.orm, refOf('bad'))).toEqual([]);
    await expect(versionToRun(store.orm, refOf('bad'))).rejects.toMatchObject({ code: 'flow_not_published' });
    await expect(
      publishFlow(store.orm, { ...refOf('unmade'), document: { name: 'unmade' } }),
    ).rejects.toThrow();
    await expect(getFlow(store.orm, refOf('unmade'))).rejects.toMatchObject({ code: 'flow_not_found' });
  });

  test('a document of another name is refused', async () => {
    const document = aDocument('other-name');
    await expect(publishFlow(store.orm, { ...refOf('this-name'), document })).rejects.toMatchObject({
      code: 'flow_name_mismatch',
      message: expect.stringContaining('other-name, not this-name'),
    });
  });
});

describe('reading', () => {
  test('V14: flows and versions of another workspace do not exist', async () => {
    await createFlow(store.orm, {
      workspaceId: OTHER_WORKSPACE_ID,
      flow: 'theirs',
      document: aDocument('theirs'),
    });
    const { version } = await publishFlow(store.orm, { workspaceId: OTHER_WORKSPACE_ID, flow: 'theirs' });
    const notFound = { code: 'flow_not_found' };
    await expect(getFlow(store.orm, refOf('theirs'))).rejects.toMatchObject(notFound);
    await expect(listVersions(store.orm, refOf('theirs'))).rejects.toMatchObject(notFound);
    await expect(publishFlow(store.orm, refOf('theirs'))).rejects.toMatchObject(notFound);
    const save = { ...refOf('theirs'), document: null, expectedRevision: 1 };
    await expect(saveDraft(store.orm, save)).rejects.toMatchObject(notFound);
    await create('mine');
    await expect(getVersion(store.orm, { ...refOf('mine'), version: version.id })).rejects.toMatchObject({
      code: 'version_not_found',
    });
    expect((await listFlows(store.orm, workspaceId)).map((flow) => flow.name)).not.toContain('theirs');
    expect((await listFlows(store.orm, OTHER_WORKSPACE_ID)).map((flow) => flow.name)).toEqual([
      'fresh',
      'theirs',
    ]);
  });

  test('an export is the document as it was saved or published, order of keys included', async () => {
    const document = { nodes: [], name: 'keys', z: 1, a: 2, edges: [], format: 'pawl/1' } as unknown as Json;
    await create('keys', document);
    expect(JSON.stringify(await exportFlow(store.orm, refOf('keys')))).toBe(JSON.stringify(document));
    const published = { edges: [], ...aDocument('keys'), layout: { a: { y: 1, x: 2 } } };
    const { version } = await publishFlow(store.orm, { ...refOf('keys'), document: published });
    const exported = await exportFlow(store.orm, { ...refOf('keys'), version: version.id });
    expect(JSON.stringify(exported)).toBe(JSON.stringify(published));
    expect((exported as unknown as FlowDocument).name).toBe('keys');
  });
});

describe('flows that run others', () => {
  const runs = (name: string, flow: string): JsonObject => ({
    format: 'pawl/1',
    name,
    nodes: [{ id: 'a', kind: 'flow', flow }],
    edges: [],
  });
  const publish = (flow: string, document: Json, workspace = workspaceId) =>
    publishFlow(store.orm, { workspaceId: workspace, flow, document });
  const pinnedBy = async (flow: string, version: string) =>
    ((await getVersion(store.orm, { ...refOf(flow), version })).document.nodes[0] as { flow?: string }).flow;

  test('K12: are pinned to the version that is published now; a newer one changes nothing until they are', async () => {
    const first = await publish('inner-one', aDocument('inner-one', 1));
    const outer = await publish('outer-one', runs('outer-one', 'inner-one@latest'));
    expect(await pinnedBy('outer-one', outer.version.id)).toBe(`inner-one@${first.version.id}`);
    const second = await publish('inner-one', aDocument('inner-one', 2));
    expect(await pinnedBy('outer-one', outer.version.id)).toBe(`inner-one@${first.version.id}`);
    const again = await publish('outer-one', runs('outer-one', 'inner-one'));
    expect(again).toMatchObject({ created: true });
    expect(await pinnedBy('outer-one', again.version.id)).toBe(`inner-one@${second.version.id}`);
    expect(await publish('outer-one', runs('outer-one', 'inner-one@1'))).toEqual({
      ...outer,
      created: false,
    });
  });

  test('K12, V14, C82: name no flow of another workspace, and none that was never published', async () => {
    await publish('theirs', aDocument('theirs'), OTHER_WORKSPACE_ID);
    await create('unpublished');
    for (const flow of ['theirs', 'unpublished', 'inner-one@99'])
      await expect(publish('outer-two', runs('outer-two', flow))).rejects.toMatchObject({
        code: 'flow_invalid',
        values: { issues: [{ code: 'flow_unknown', pointer: '/nodes/0/flow' }] },
      });
  });
});

describe('the newest runs of flows', () => {
  const recentOf = async (flow: string) =>
    (await listFlows(store.orm, workspaceId)).find(({ name }) => name === flow)?.recent;

  test('are told with their list: the last ten by id, and how all of them ended; V14: of this workspace only', async () => {
    await create('busy');
    await create('idle');
    await seedRun(store.pool, { flow_name: 'busy', workspace_id: OTHER_WORKSPACE_ID, status: 'failed' });
    const ids: string[] = [];
    for (const status of ['failed', 'cancelled', 'partial', 'running'] as const)
      ids.unshift(await seedRun(store.pool, { flow_name: 'busy', status }));
    for (let n = 0; n < 8; n += 1)
      ids.unshift(await seedRun(store.pool, { flow_name: 'busy', status: 'succeeded' }));
    const recent = await recentOf('busy');
    expect(recent).toMatchObject({ ended: 10, succeeded: 8 });
    expect(recent?.runs.map(({ id }) => id)).toEqual(ids.slice(0, 10));
    expect(recent?.runs.map(({ status }) => status).slice(-2)).toEqual(['running', 'partial']);
    expect(await recentOf('idle')).toEqual({ runs: [], ended: 0, succeeded: 0 });
  });

  test('are looked for among the last thousand of the workspace, so that a list costs the same with many', async () => {
    await create('long-ago');
    await seedRun(store.pool, { flow_name: 'long-ago', status: 'succeeded' });
    expect(await recentOf('long-ago')).toMatchObject({ ended: 1 });
    await store.pool.query(
      `insert into run (id, workspace_id, flow_name, version_id, mode, status, next_seq, open_count, active_count, budget_limits, status_at, created_at)
       select id, $2, 'flood', 'v1', 'live', 'failed', 2, 0, 0, '{}', now(), now() from unnest($1::uuid[]) as x(id)`,
      [Array.from({ length: 1_000 }, () => newRunId()), workspaceId],
    );
    expect(await recentOf('long-ago')).toMatchObject({ ended: 0 });
  });
});
