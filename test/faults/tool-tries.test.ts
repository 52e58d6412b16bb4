// Would catch: a second way to call tools, past intents, limits or secrets; a try that calls what must not be repeated unasked, again
// by itself, or that shows up as a flow.
import { ApiError } from '@pawl/api';
import type { Json } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';

let pawl: PawlWithLedger;
beforeAll(async () => {
  pawl = await startWithLedger({ env: { PAWL_SECRET_WHAT: 'hush-4711' } });
});
afterAll(() => pawl?.stop());

const tryTool = (tool: string, args: Json, allow?: boolean) =>
  pawl.client.tryTool({ params: { tool }, body: { args, ...(allow !== undefined && { allow }) } });

async function refusal(tried: Promise<unknown>): Promise<ApiError['problem']> {
  const error = await tried.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  return (error as ApiError).problem;
}

describe('a tool that is tried', () => {
  it('V1, V4: is called with a key of its run, after its intent, and its outcome is in the journal', async () => {
    const { runId, path } = await tryTool('ledger.put@1', { what: { n: 1 } });
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', mode: 'test' });
    const [row] = pawl.ledger.of({ key: runId });
    expect(row).toMatchObject({ op: 'put', body: { what: { n: 1 } }, attempt: 1 });
    const types = events.filter((event) => event.path === path).map(({ type }) => type);
    expect(types.indexOf('intent.recorded')).toBeGreaterThanOrEqual(0);
    expect(types.indexOf('outcome.succeeded')).toBeGreaterThan(types.indexOf('intent.recorded'));
    const { items } = await pawl.client.listEffects({ query: { run: runId } });
    expect(items).toMatchObject([{ target: 'ledger.put@1', status: 'succeeded', path }]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('Y4: is not called when it must not be repeated and nobody said that it may', async () => {
    expect(await refusal(tryTool('ledger.charge@1', { what: 1 }))).toMatchObject({
      code: 'effects_undecided',
    });
    expect(pawl.ledger.of({ op: 'charge' })).toEqual([]);
    const { runId } = await tryTool('ledger.charge@1', { what: 1 }, true);
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    expect(pawl.ledger.of({ op: 'charge' })).toHaveLength(1);
  });

  it('is not called again by itself, and a failure ends its run', async () => {
    pawl.ledger.script({ op: 'put' }, { status: 503 });
    const { runId, path } = await tryTool('ledger.put@1', { what: 2 });
    const { run } = await endOf(pawl, runId);
    expect(run.status).toBe('failed');
    const failed = await pawl.client.getNodeRun({ params: { runId }, query: { path } });
    expect(failed).toMatchObject({ attempt: 1, failure: { class: 'transient', code: 'http_503' } });
    expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
  });

  it('V13: is given secrets that its arguments name, which are in no event', async () => {
    const { runId } = await tryTool('ledger.put@1', { what: '{{ secrets.WHAT }}' });
    const { events } = await endOf(pawl, runId);
    expect(pawl.ledger.of({ key: runId })[0]!.body).toEqual({ what: 'hush-4711' });
    expect(JSON.stringify(events)).not.toContain('hush-4711');
  });

  it('is refused arguments that do not fit, by their place, and a name that nobody offers', async () => {
    expect(await refusal(tryTool('files.read@1', { path: 7 }))).toMatchObject({
      code: 'arguments_invalid',
      issues: [{ pointer: '/path' }],
    });
    expect(await refusal(tryTool('files.read@1', { path: '{{ nodes.other.output }}' }))).toMatchObject({
      code: 'arguments_invalid',
    });
    expect(await refusal(tryTool('no.such@9', {}))).toMatchObject({ code: 'tool_not_found', status: 404 });
  });

  it('stands under no flow that people see, and its run can be looked at like every other', async () => {
    const { runId } = await tryTool('ledger.pure@1', { what: 3 });
    const { run } = await endOf(pawl, runId);
    expect((await pawl.client.listFlows()).items).toEqual([]);
    const version = await pawl.client.getVersion({ params: { flow: run.flow, versionId: run.version } });
    expect(version.document).toMatchObject({ title: 'ledger.pure@1', nodes: [{ id: 'call' }] });
  });
});
