// Catches: a save that overwrites somebody's work, a publish that hides problems, a document changed on its way.
import { beforeEach, describe, expect, it } from 'vitest';
import { aFlow, anHttp, type TestHttp } from '../../support/an-http.ts';

let http: TestHttp;
beforeEach(() => {
  http = anHttp();
});

describe('drafts', () => {
  it('are created at revision 1 and listed by name', async () => {
    const created = await http.ask('POST /v1/flows', { body: aFlow('zeta') });
    await http.ask('POST /v1/flows', { body: aFlow('alpha') });
    expect(created.statusCode).toBe(201);
    expect(created.headers).toMatchObject({ etag: '"1"', location: '/v1/flows/zeta' });
    expect(created.json()).toMatchObject({
      name: 'zeta',
      revision: 1,
      versionCount: 0,
      document: aFlow('zeta'),
    });
    const list = await http.ask('GET /v1/flows');
    expect(list.json().items.map((flow: { name: string }) => flow.name)).toEqual(['alpha', 'zeta']);
  });

  it('are listed with what became of their newest runs', async () => {
    await http.ask('POST /v1/flows/greet/publish', { body: aFlow() });
    const { runId } = (
      await http.ask('POST /v1/runs', { body: { flow: 'greet', input: { name: 'Ada' } } })
    ).json();
    const list = await http.ask('GET /v1/flows');
    expect(list.json().items[0].recent).toEqual({
      runs: [{ id: runId, status: 'running' }],
      ended: 0,
      succeeded: 0,
    });
  });

  it('a second flow of the same name is refused', async () => {
    await http.ask('POST /v1/flows', { body: aFlow() });
    const again = await http.ask('POST /v1/flows', { body: aFlow() });
    expect(again.json()).toMatchObject({ status: 409, code: 'flow_exists' });
  });

  it.each([
    ['no object', [1]],
    ['no name', { nodes: [] }],
    ['a name that is no slug', { name: 'Not A Slug' }],
    ['a name with a slash', { name: 'a/b' }],
  ])('%s: refused with a pointer', async (_, body) => {
    const reply = await http.ask('POST /v1/flows', { body });
    expect(reply.json()).toMatchObject({ status: 422, code: 'body_invalid' });
    expect(reply.json().issues.length).toBeGreaterThan(0);
  });

  it('are saved on the revision they are based on', async () => {
    await http.ask('POST /v1/flows', { body: aFlow() });
    const document = { ...aFlow(), title: 'Greeting', z: 1, a: 2 };
    const saved = await http.ask('PUT /v1/flows/greet/draft', {
      body: document,
      headers: { 'if-match': '"1"' },
    });
    expect(saved.json()).toMatchObject({ revision: 2 });
    expect(saved.headers.etag).toBe('"2"');
    const read = await http.ask('GET /v1/flows/greet');
    expect(read.headers.etag).toBe('"2"');
    expect(Object.keys(read.json().document), 'key order stays').toEqual(Object.keys(document));
  });

  it('a stale save answers 409 with both documents and changes nothing', async () => {
    await http.ask('POST /v1/flows', { body: aFlow() });
    const theirs = { ...aFlow(), title: 'Theirs' };
    const mine = { ...aFlow(), title: 'Mine' };
    await http.ask('PUT /v1/flows/greet/draft', { body: theirs, headers: { 'if-match': '"1"' } });
    const stale = await http.ask('PUT /v1/flows/greet/draft', { body: mine, headers: { 'if-match': '"1"' } });
    expect(stale.json()).toMatchObject({
      status: 409,
      code: 'draft_conflict',
      currentRevision: 2,
      current: theirs,
      yours: mine,
    });
    expect((await http.ask('GET /v1/flows/greet')).json().document).toEqual(theirs);
  });

  it('a save without If-Match, with a weak one, or of another name is refused', async () => {
    await http.ask('POST /v1/flows', { body: aFlow() });
    const save = (headers: Record<string, string>, body = aFlow()) =>
      http.ask('PUT /v1/flows/greet/draft', { body, headers });
    expect((await save({})).json()).toMatchObject({ status: 428, code: 'if_match_missing' });
    expect((await save({ 'if-match': 'W/"1"' })).json()).toMatchObject({
      status: 400,
      code: 'header_invalid',
      issues: [{ pointer: '/if-match' }],
    });
    expect((await save({ 'if-match': '"1"' }, aFlow('other'))).json()).toMatchObject({
      status: 422,
      code: 'flow_name_mismatch',
    });
  });
});

describe('versions', () => {
  it('publishing the same graph twice gives the same version', async () => {
    await http.ask('POST /v1/flows', { body: aFlow() });
    const first = await http.ask('POST /v1/flows/greet/publish');
    const again = await http.ask('POST /v1/flows/greet/publish');
    expect([first.statusCode, again.statusCode]).toEqual([201, 200]);
    expect(again.json()).toEqual({ version: first.json().version, created: false });
  });

  it('publishing a document makes a new flow, and leaves the draft of an existing one alone', async () => {
    expect((await http.ask('POST /v1/flows/greet/publish', { body: aFlow() })).statusCode).toBe(201);
    const other = aFlow('greet', { title: 'From git' });
    expect((await http.ask('POST /v1/flows/greet/publish', { body: other })).statusCode).toBe(201);
    expect((await http.ask('GET /v1/flows/greet')).json()).toMatchObject({ revision: 1, document: aFlow() });
  });

  it('G13: a document with warnings alone is valid, and each says that it is one', async () => {
    const warning = {
      code: 'budget_missing',
      pointer: '',
      message: 'No limit.',
      severity: 'warning',
    } as const;
    const warned = anHttp({ validateFlow: async () => ({ issues: [warning], versionId: 'a'.repeat(64) }) });
    const reply = await warned.ask('POST /v1/flows/validate', { body: aFlow() });
    expect(reply.json()).toEqual({ valid: true, issues: [warning], versionId: 'a'.repeat(64) });
    await warned.app.close();
  });

  it('an invalid document lists every problem with its pointer, at publish and at validate', async () => {
    const body = aFlow('greet', { nodes: [{ kind: 'join' }, { id: 'a' }, { kind: 'llm' }] });
    const pointers = ['/nodes/0/id', '/nodes/2/id'];
    const refused = await http.ask('POST /v1/flows/greet/publish', { body });
    expect(refused.json()).toMatchObject({ status: 422, code: 'flow_invalid' });
    expect(refused.json().issues.map((issue: { pointer: string }) => issue.pointer)).toEqual(pointers);
    const checked = await http.ask('POST /v1/flows/validate', { body });
    expect(checked.json()).toMatchObject({ valid: false, issues: pointers.map((pointer) => ({ pointer })) });
    expect((await http.ask('POST /v1/flows/validate', { body: aFlow() })).json()).toEqual({
      valid: true,
      issues: [],
    });
    expect((await http.ask('GET /v1/flows')).json().items).toEqual([]);
  });

  it('are listed newest first, read by id and exported as a file', async () => {
    const first = await http.ask('POST /v1/flows/greet/publish', { body: aFlow() });
    await http.ask('POST /v1/flows/greet/publish', { body: aFlow('greet', { title: 'Two' }) });
    const list = await http.ask('GET /v1/flows/greet/versions');
    expect(list.json().items.map((version: { number: number }) => version.number)).toEqual([2, 1]);
    const { id } = first.json().version;
    expect((await http.ask(`GET /v1/flows/greet/versions/${id}`)).json()).toMatchObject({
      id,
      document: aFlow(),
    });
    const file = await http.ask(`GET /v1/flows/greet/export?version=${id}`);
    expect(file.json()).toEqual(aFlow());
    expect(file.headers['content-disposition']).toBe('attachment; filename="greet.json"');
    expect((await http.ask('GET /v1/flows/greet/export')).json()).toEqual(aFlow());
  });

  it.each([
    ['GET /v1/flows/none', 'flow_not_found'],
    ['GET /v1/flows/%00', 'flow_not_found'],
    ['GET /v1/flows/none/versions', 'flow_not_found'],
    ['GET /v1/flows/none/export', 'flow_not_found'],
    ['POST /v1/flows/none/publish', 'flow_not_found'],
    [`GET /v1/flows/greet/versions/${'0'.repeat(64)}`, 'version_not_found'],
    ['GET /v1/flows/greet/versions/latest', 'version_not_found'],
    [`GET /v1/flows/greet/export?version=${'0'.repeat(64)}`, 'version_not_found'],
  ])('%s answers 404 %s', async (line, code) => {
    await http.ask('POST /v1/flows', { body: aFlow() });
    expect((await http.ask(line)).json()).toMatchObject({ status: 404, code });
  });
});
