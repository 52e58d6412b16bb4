// Would catch: arguments of a person that are not the ones sent, an effect that happens under two keys, one that is sent again after a
// crash with the old arguments, a secret that somebody writes into arguments.
import type { NodeConfig } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runPawl } from '../../apps/cli/test/support/run-pawl.ts';
import { gate } from '../support/ledger.ts';
import { rehearsedAgent } from '../support/rehearsal.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, journalOf, publishFlow, startFlow } from '../support/watch-run.ts';

const pause = { onError: { do: 'pause' as const } };

describe('a retry with other arguments (T19)', () => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    pawl = await startWithLedger({ env: { PAWL_SECRET_CARD: 'card-secret' } });
  });
  afterAll(() => pawl?.stop());
  const paused = (runId: string) =>
    eventOf(pawl, runId, 'outcome.failed', ({ data }) => data.next === 'pause');
  const retry = (runId: string, path: string, args: unknown) =>
    pawl.client.retryRun({ params: { runId }, body: { path, args: args as never } });

  it('sends what the person wrote and nothing else, under another key, once, also when the worker dies', async () => {
    const { ledger, client } = pawl;
    const runId = await startFlow(pawl, [call('pay', 'charge', pause)], {
      output: '{{ nodes.pay.output.what }}',
    });
    ledger.script({ op: 'charge', key: runId }, { status: 422, message: 'no such account' });
    await paused(runId);
    await expect(retry(runId, 'pay', 'five')).rejects.toMatchObject({
      code: 'answer_invalid',
      problem: { issues: [{ pointer: '' }] },
    });
    const { items } = await client.listInbox({ query: { runId } });
    expect(items).toMatchObject([{ kind: 'failure', effect: { request: { what: 'pay' } } }]);
    const held = gate();
    ledger.script({ op: 'charge', key: runId }, { hold: held.opened, appliesFirst: true });
    const ran = await runPawl(
      ['run', 'retry', runId, '--path', 'pay', '--args', '{"what":"other"}', '--url', pawl.url],
      {},
    );
    expect(ran).toMatchObject({ exitCode: 0 });
    const sent = await ledger.arrived(2, { op: 'charge', key: runId });
    const worker = pawl.workers.at(-1)!;
    worker.kill('SIGKILL');
    await worker.ended;
    held.open();
    await pawl.startWorker();
    // V5: with the arguments of the person it may have happened.
    await eventOf(pawl, runId, 'attempt.lost');
    const [doubt] = (await client.listInbox({ query: { runId } })).items;
    expect(doubt).toMatchObject({ kind: 'uncertain', effect: { request: { what: 'other' }, key: sent.key } });
    await client.answerQuestion({
      params: { question: doubt!.question },
      body: { decision: 'happened', output: { what: 'other' } },
    });
    expect((await endOf(pawl, runId)).run).toMatchObject({ status: 'succeeded', output: 'other' });
    const rows = ledger.of({ op: 'charge', key: runId });
    expect(rows.map(({ body }) => body.what)).toEqual(['pay', 'other']);
    expect(rows.filter(({ isApplied }) => isApplied)).toHaveLength(1);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(2);
    const answered = (await journalOf(pawl, runId)).find(({ type }) => type === 'inbox.answered');
    expect(answered).toMatchObject({ data: { decision: 'retry', by: 'local', values: { what: 'other' } } });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('is refused while the effect may have happened with the arguments it had', async () => {
    const runId = await startFlow(pawl, [call('put', 'put', { ...pause, retry: { maxAttempts: 1 } })]);
    pawl.ledger.script({ op: 'put', key: runId }, { cut: 'after' });
    await paused(runId);
    await expect(retry(runId, 'put', { what: 'other' })).rejects.toMatchObject({
      status: 409,
      code: 'arguments_not_editable',
      problem: { reason: 'may_have_happened' },
    });
    await pawl.client.retryRun({ params: { runId }, body: { path: 'put' } });
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    const rows = pawl.ledger.of({ op: 'put', key: runId });
    expect([
      new Set(rows.map(({ key }) => key)).size,
      rows.filter(({ isApplied }) => isApplied).length,
    ]).toEqual([1, 1]);
  });

  it('V13: may name a secret only where the flow names it', async () => {
    const runId = await startFlow(pawl, [
      call('pay', 'charge', { ...pause, args: { what: { card: '{{ secrets.CARD }}', to: 'a' } } }),
    ]);
    pawl.ledger.script({ op: 'charge', key: runId }, { status: 422 });
    await paused(runId);
    await retry(runId, 'pay', { what: { card: 'mine', to: { $secret: 'CARD' } } });
    await eventOf(pawl, runId, 'outcome.failed', ({ data }) => data.failure.code === 'secret_not_allowed');
    await retry(runId, 'pay', { what: { card: { $secret: 'CARD' }, to: 'b' } });
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    expect(pawl.ledger.of({ op: 'charge', key: runId }).map(({ body }) => body.what)).toEqual([
      { card: 'card-secret', to: 'a' },
      { card: 'card-secret', to: 'b' },
    ]);
  });

  it('C56: keeps the version that the run began with, whatever was published since', async () => {
    const to = (base: string): NodeConfig[] => [
      { id: 'address', kind: 'transform', value: `${base}/orders`, ...pause },
      call('put', 'put', { args: { what: '{{ nodes.address.output }}' } }),
    ];
    const flow = await publishFlow(pawl, to('{{ input.baseUrl }}'));
    const { runId } = await pawl.client.startRun({ body: { flow, input: {} } });
    await paused(runId);
    await publishFlow(pawl, to('{{ input.baseUrl ?? "https://shop.example" }}'), { name: flow });
    const before = await pawl.client.getRun({ params: { runId } });
    await pawl.client.retryRun({ params: { runId }, body: { path: 'address' } });
    await expect
      .poll(async () => (await journalOf(pawl, runId)).filter(({ type }) => type === 'outcome.failed').length)
      .toBe(2);
    const again = await pawl.client.getRun({ params: { runId } });
    expect(again.version).toBe(before.version);
    // A name that is missing never becomes a word of the address.
    expect(pawl.ledger.of({ key: runId })).toEqual([]);
    const { runId: next } = await pawl.client.startRun({ body: { flow, input: {} } });
    expect((await endOf(pawl, next)).run.version).not.toBe(before.version);
    expect(pawl.ledger.of({ key: next }).map(({ body }) => body.what)).toEqual([
      'https://shop.example/orders',
    ]);
  });

  it('takes the messages of a model call, and what stands for the arguments that an agent wrote', async () => {
    const fence = (turn: object) => `Answer.\n\`\`\`sim\n${JSON.stringify([turn])}\n\`\`\``;
    const schema = { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } };
    const runId = await startFlow(
      pawl,
      [
        {
          id: 'say',
          kind: 'llm',
          model: 'sim:writer',
          prompt: fence({ say: 'no object' }),
          output: { schema, repairs: 0 },
          ...pause,
        } as NodeConfig,
        rehearsedAgent([{ calls: [{ name: 'charge', args: { what: 'wrong' } }] }, { say: 'done' }], {
          tools: [{ tool: 'ledger.charge@1', name: 'charge', onError: 'fail' }],
          ...pause,
        }),
      ],
      { output: { said: '{{ nodes.say.output }}', done: '{{ nodes.agent.output }}' } },
    );
    const path = 'agent/turn-0/charge-0';
    pawl.ledger.script({ op: 'charge', key: runId }, { status: 422 });
    await paused(runId);
    await expect(retry(runId, 'say', { messages: [{ role: 'tool', content: 1 }] })).rejects.toMatchObject({
      code: 'answer_invalid',
      problem: { issues: [{ pointer: '/messages/0/role' }, { pointer: '/messages/0/content' }] },
    });
    await retry(runId, 'say', { messages: [{ role: 'user', content: fence({ say: { ok: true } }) }] });
    await eventOf(pawl, runId, 'outcome.failed', (event) => event.path === path);
    await retry(runId, path, { what: 'right' });
    expect((await endOf(pawl, runId)).run).toMatchObject({
      status: 'succeeded',
      output: { said: { ok: true }, done: 'done' },
    });
    expect(pawl.ledger.of({ op: 'charge', key: runId }).map(({ body }) => body.what)).toEqual([
      'wrong',
      'right',
    ]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
