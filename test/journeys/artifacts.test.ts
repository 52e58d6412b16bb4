// Would catch: an artifact that a run cannot take or leave, that comes back changed, or that another workspace can see.
import { randomBytes } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { createClient } from '@pawl/api';
import type { FlowDocument } from '@pawl/dag-core';
import { collectContent, createKey, openOrm } from '@pawl/run-store';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDatabase } from '../support/ask-database.ts';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { endOf } from '../support/run-to-end.ts';

const sums: FlowDocument = {
  format: 'pawl/1',
  name: 'sums',
  nodes: [
    {
      id: 'rows',
      kind: 'tool',
      tool: 'csv.parse@1',
      args: { artifact: '{{ input.sheet }}', types: { amount: 'number' } },
    },
    {
      id: 'keep',
      kind: 'tool',
      tool: 'artifact.write@1',
      args: { name: 'sum.txt', content: '{{ $string($sum(nodes.rows.output.rows.amount)) }}' },
    },
    { id: 'back', kind: 'tool', tool: 'artifact.read@1', args: { artifact: '{{ nodes.keep.output }}' } },
    { id: 'large', kind: 'code', source: "export default () => 'large'.repeat(60_000)" },
  ],
  edges: [
    { from: 'rows', to: 'keep' },
    { from: 'keep', to: 'back' },
    { from: 'back', to: 'large' },
  ],
  output: { sum: '{{ nodes.back.output.text }}', large: '{{ nodes.large.output }}' },
};

for (const queue of ['redis', 'postgres'] as const) {
  describe(`artifacts on the ${queue} queue`, () => {
    let pawl: Pawl;
    beforeAll(async () => {
      pawl = await startPawl({ queue });
      await pawl.client.publishFlow({ params: { flow: 'sums' }, body: sums as never });
    });
    afterAll(() => pawl?.stop());

    it('an upload goes into a run by reference, and what the run leaves is found and fetched by run and by flow', async () => {
      const sheet = await pawl.client.uploadArtifact({
        query: { name: 'sheet.csv' },
        headers: { 'content-type': 'text/csv' },
        body: `amount\n${Array.from({ length: 1_000 }, (_, n) => n).join('\n')}`,
      });
      const { runId } = await pawl.client.startRun({ body: { flow: 'sums', input: { sheet } } });
      const { run, events } = await endOf(pawl, runId);
      expect(run).toMatchObject({ status: 'succeeded' });
      // J3: above 256 KB, so it lay outside the journal, and is here all the same.
      expect(run.output).toEqual({
        sum: '499500',
        large: 'large'.repeat(60_000),
      });
      const [{ outside }] = (await askDatabase<{ outside: number }>(
        pawl,
        'select count(*)::int as outside from held_value where run_id = $1',
        [runId],
      )) as [{ outside: number }];
      expect(outside).toBe(2);

      const made = (await pawl.client.listArtifacts({ params: { runId } })).items;
      expect(made).toMatchObject([
        {
          runId,
          flow: 'sums',
          path: 'keep',
          attempt: 1,
          name: 'sum.txt',
          version: 1,
          mediaType: 'text/plain',
          bytes: 6,
        },
      ]);
      expect(events.find(({ type }) => type === 'artifact.created')?.data).toMatchObject({
        artifactId: made[0]!.id,
      });
      expect((await pawl.client.findArtifacts({ query: { flow: 'sums' } })).items).toEqual(made);
      expect((await pawl.client.findArtifacts({ query: { uploaded: 'true' } })).items).toEqual([sheet]);
      const params = { artifactId: made[0]!.id };
      expect(await (await pawl.client.downloadArtifact({ params })).text()).toBe('499500');
      const part = await pawl.client.downloadArtifact({ params, headers: { range: 'bytes=-3' } });
      expect([part.status, await part.text()]).toEqual([206, '500']);
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });

    it('C82 V14: a key of another workspace finds, fetches and uses none of it', async () => {
      const other = '00000000-0000-7000-8000-000000000002';
      await askDatabase(pawl, "insert into workspace (id, name) values ($1, 'other')", [other]);
      const orm = await openOrm(pawl.databaseUrl, { maxConnections: 1 });
      const { key } = await createKey(orm, { workspaceId: other, name: 'other', role: 'editor' }).finally(
        () => orm.close(),
      );
      const stranger = createClient({ baseUrl: pawl.url, apiKey: key });
      const bytes = randomBytes(1_000);
      const artifact = await pawl.client.uploadArtifact({ query: { name: 'secret' }, body: bytes });
      const params = { artifactId: artifact.id };
      await expect(stranger.getArtifact({ params })).rejects.toMatchObject({ code: 'artifact_not_found' });
      await expect(stranger.downloadArtifact({ params })).rejects.toMatchObject({
        code: 'artifact_not_found',
      });
      expect((await stranger.findArtifacts()).items).toEqual([]);

      // The same bytes are stored once and are nobody else's for that: a first version, found by its own id alone.
      const own = await stranger.uploadArtifact({ query: { name: 'secret' }, body: bytes });
      expect(own).toMatchObject({ version: 1, hash: artifact.hash, by: 'key:other' });
      expect((await stranger.findArtifacts()).items).toEqual([own]);
      expect((await pawl.client.findArtifacts({ query: { name: 'secret' } })).items).toEqual([artifact]);

      await stranger.publishFlow({ params: { flow: 'sums' }, body: sums as never });
      const { runId } = await stranger.startRun({ body: { flow: 'sums', input: { sheet: artifact } } });
      const { run } = await endOf({ client: stranger }, runId);
      expect(run).toMatchObject({ status: 'failed', failure: { code: 'artifact_not_found' } });
      expect(await askDatabase(pawl, 'select * from used_artifact where run_id = $1', [runId])).toEqual([]);
      await expect(pawl.client.getRun({ params: { runId } })).rejects.toMatchObject({
        code: 'run_not_found',
      });
    });
  });
}

describe('an engine that is killed while it receives an upload', () => {
  let pawl: Pawl;
  beforeAll(async () => {
    pawl = await startPawl({ workers: 0 });
  });
  afterAll(() => pawl?.stop());
  const chunks = async () =>
    (await askDatabase<{ n: number }>(pawl, 'select count(*)::int as n from artifact_chunk'))[0]!.n;

  it('B1: leaves no artifact, and what it had stored is collected', async () => {
    const call = beginUpload(pawl.url);
    await expect.poll(chunks, { timeout: 20_000 }).toBeGreaterThan(2);
    pawl.engines[0]!.kill('SIGKILL');
    await pawl.engines[0]!.ended;
    call.destroy();

    const { url } = await pawl.startEngine();
    const client = createClient({ baseUrl: url });
    expect((await client.findArtifacts()).items).toEqual([]);
    const pool = new pg.Pool({ connectionString: pawl.databaseUrl, max: 1 });
    expect((await collectContent(pool, { graceMs: 0 })).contents).toBe(1);
    await pool.end();
    expect(await chunks()).toBe(0);
    const bytes = randomBytes(1_000_000);
    const artifact = await client.uploadArtifact({ query: { name: 'large' }, body: bytes });
    const back = await client.downloadArtifact({ params: { artifactId: artifact.id } });
    expect(Buffer.from(await back.arrayBuffer()).equals(bytes)).toBe(true);
  });
});

/** An upload that sends a megabyte and then waits. */
function beginUpload(url: string): ClientRequest {
  const call = request(`${url}/v1/artifacts?name=large`, { method: 'POST' });
  call.on('error', () => {});
  call.write(randomBytes(1_000_000));
  return call;
}
