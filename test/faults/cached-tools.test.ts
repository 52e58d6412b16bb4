// Would catch: a result handed to another workspace or for other arguments, an old one that counts as fresh, a cache that fails calls.
import type { JsonObject } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDatabase } from '../support/ask-database.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, publishFlow } from '../support/watch-run.ts';

describe('K16: results of pure tools', () => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    pawl = await startWithLedger();
  });
  afterAll(() => pawl?.stop());

  const runOf = async (flow: string, input: JsonObject = {}) => {
    const { runId } = await pawl.client.startRun({ body: { flow, input } });
    const { run } = await endOf(pawl, runId);
    const node = await pawl.client.getNodeRun({ params: { runId }, query: { path: 'read' } });
    return { run, node, asked: pawl.ledger.of({ key: runId }).length };
  };

  /** Kept results are written beside the run; the next run may begin before. */
  const areKept = (count: number) =>
    expect
      .poll(async () => (await askDatabase(pawl, 'select count(*)::int as n from tool_cache'))[0]!.n)
      .toBe(count);

  it('the same arguments are asked for once while the result is fresh, others are asked for', async () => {
    const flow = await publishFlow(pawl, [
      { ...call('read', 'kept'), args: { what: { b: '{{ input.n }}', a: 1 } } } as never,
    ]);
    const first = await runOf(flow, { n: 1 });
    expect(first).toMatchObject({ asked: 1, run: { status: 'succeeded' } });
    expect(first.node).not.toHaveProperty('cached');
    await areKept(1);
    const second = await runOf(flow, { n: 1 });
    expect(second).toMatchObject({ asked: 0, node: { cached: true, output: first.node.output } });
    expect(await runOf(flow, { n: 2 })).toMatchObject({ asked: 1 });
    await areKept(2);
  });

  it('V14: another workspace has results of its own', async () => {
    await askDatabase(pawl, "update tool_cache set workspace_id = '00000000-0000-7000-8000-000000000002'");
    const flow = await publishFlow(pawl, [
      { ...call('read', 'kept'), args: { what: { b: '{{ input.n }}', a: 1 } } } as never,
    ]);
    expect(await runOf(flow, { n: 1 })).toMatchObject({ asked: 1 });
    await areKept(3);
  });

  it('what is not fresh any more is asked for again, and stands in when the call fails', async () => {
    const flow = await publishFlow(pawl, [
      call('read', 'fleeting', { onError: { do: 'fallback', cached: true, value: 'nothing kept' } }),
    ]);
    pawl.ledger.script({ op: 'pure' }, { status: 400 });
    const before = await runOf(flow);
    expect(before.node.output).toBe('nothing kept');
    const good = await runOf(flow);
    expect(good.run.status).toBe('succeeded');
    await areKept(4);
    pawl.ledger.script({ op: 'pure' }, { status: 400 });
    const stale = await runOf(flow);
    expect(stale).toMatchObject({ asked: 1, node: { output: good.node.output } });
    expect(stale.run).toMatchObject({
      status: 'partial',
      degraded: [{ path: 'read', reason: expect.stringMatching(/^kept from \d{4}-.*Z: /) }],
    });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('a cache that cannot be used does no harm', async () => {
    await askDatabase(pawl, 'alter table tool_cache rename to away');
    const flow = await publishFlow(pawl, [call('read', 'kept')]);
    expect(await runOf(flow)).toMatchObject({ asked: 1, run: { status: 'succeeded' } });
    await askDatabase(pawl, 'alter table away rename to tool_cache');
  });
});
