// Would catch: the spine broken anywhere between the HTTP start and the recorded output.
import type { FlowDocument } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { endOf } from '../support/run-to-end.ts';

const chain: FlowDocument = {
  format: 'pawl/1',
  name: 'chain',
  input: { type: 'object', properties: { n: { type: 'integer', default: 3 } } },
  nodes: [
    { id: 'a', kind: 'transform', value: { n: '{{ input.n }}' } },
    { id: 'b', kind: 'transform', value: '{{ nodes.a.output.n * 2 }}' },
    { id: 's', kind: 'switch', cases: [{ port: 'big', when: 'nodes.b.output > 5' }] },
    { id: 'big', kind: 'transform', value: 'big' },
    { id: 'small', kind: 'transform', value: 'small' },
    { id: 'end', kind: 'join' },
    {
      id: 'sum',
      kind: 'code',
      source: 'export default ({ nodes }) => ({ join: nodes.end.output, twice: nodes.b.output })',
    },
    {
      id: 'each',
      kind: 'map',
      over: '{{ [1,2,3] }}',
      body: { nodes: [{ id: 'sq', kind: 'transform', value: '{{ item * item }}' }], edges: [] },
    },
    { id: 'say', kind: 'llm', model: 'sim:writer', prompt: 'Say in one sentence: {{ nodes.sum.output }}' },
  ],
  edges: [
    { from: 'a', to: 'b' },
    { from: 'b', to: 's' },
    { from: 's', port: 'big', to: 'big' },
    { from: 's', port: 'default', to: 'small' },
    { from: 'big', to: 'end' },
    { from: 'small', to: 'end' },
    { from: 'end', to: 'sum' },
    { from: 'sum', to: 'each' },
    { from: 'each', to: 'say' },
  ],
  output: {
    sum: '{{ nodes.sum.output }}',
    squares: '{{ nodes.each.output }}',
    said: '{{ nodes.say.output }}',
  },
};

for (const queue of ['redis', 'postgres'] as const) {
  describe(`first light on the ${queue} queue`, () => {
    let pawl: Pawl;
    beforeAll(async () => {
      pawl = await startPawl({ queue });
      await pawl.client.publishFlow({ params: { flow: 'chain' }, body: chain as never });
    });
    afterAll(() => pawl?.stop());

    it('runs every kind of node from an HTTP start to the recorded output', async () => {
      const { runId } = await pawl.client.startRun({ body: { flow: 'chain', input: {} } });
      const { run, events } = await endOf(pawl, runId);
      expect(run).toMatchObject({ status: 'succeeded', input: { n: 3 } });
      expect(run.output).toMatchObject({
        sum: { join: { outputs: { big: 'big' }, skipped: ['small'] }, twice: 6 },
        squares: [1, 4, 9],
      });
      expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
      const intent = events.findIndex((event) => event.type === 'intent.recorded' && event.path === 'say');
      const outcome = events.findIndex((event) => event.type === 'outcome.succeeded' && event.path === 'say');
      expect(intent).toBeGreaterThan(0);
      expect(outcome).toBeGreaterThan(intent);
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });

    it('tells operators what waits and who works', async () => {
      const text = await (await fetch(`${pawl.url}/metrics`)).text();
      expect(text).toMatch(/^pawl_workers_live 1$/m);
      for (const gauge of [
        'outbox_rows',
        'queue_waiting',
        'node_runs_ready',
        'node_runs_running',
        'node_runs_uncertain',
      ]) {
        expect(text).toMatch(new RegExp(`^pawl_${gauge} 0$`, 'm'));
      }
      expect(await (await fetch(`${pawl.url}/ready`)).json()).toEqual({
        ready: true,
        checks: { database: true, queue: true },
      });
    });
  });
}
