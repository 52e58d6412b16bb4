// Would catch: a value that some store, encoder or cut cannot take, which then blocks a run or comes back changed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDatabase } from '../support/ask-database.ts';
import { endOf } from '../support/run-to-end.ts';
import { DEFAULT_TIMES, type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { nodeRunsOf, publishFlow, startFlow } from '../support/watch-run.ts';

describe('odd values', () => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    // Values of 60 MB keep an event loop busy for longer than a short lease lasts.
    pawl = await startWithLedger({ env: DEFAULT_TIMES });
  });
  afterAll(() => pawl?.stop());

  const odd = (value: string) =>
    ({ id: 'odd', kind: 'tool', tool: 'ledger.odd@1', args: { value } }) as const;
  const fail = (args: Record<string, string | number>) =>
    ({ id: 'fail', kind: 'tool', tool: 'ledger.fail@1', args: { error: 'permanent', ...args } }) as const;
  const echo = { id: 'echo', kind: 'transform', value: '{{ nodes.odd.output }}' } as const;

  it('C25: a NUL in an input, a key, a value and an error message is stored and read back without loss', async () => {
    const input = { 'k\u0000': 'a\u0000b' };
    const value = await startFlow(pawl, [odd('nul'), echo], { start: input });
    const { run } = await endOf(pawl, value);
    expect(run).toMatchObject({
      status: 'succeeded',
      input,
      output: { echo: { 'key\u0000with': 'value\u0000with' } },
    });
    const failed = await endOf(pawl, await startFlow(pawl, [fail({ text: 'broke\u0000here' })]));
    expect(failed.run).toMatchObject({ status: 'failed', failure: { message: 'broke\u0000here' } });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C26: lone surrogates in values come back as they were; in a message they are made well-formed', async () => {
    const input = { lone: 'x\ud83d', list: ['\udc00'] };
    const { run } = await endOf(pawl, await startFlow(pawl, [odd('surrogate'), echo], { start: input }));
    expect(run).toMatchObject({
      status: 'succeeded',
      input,
      output: { echo: { lone: 'a\ud83d', '\udc00': 'key' } },
    });
    const failed = await endOf(pawl, await startFlow(pawl, [fail({ text: 'half \ud83d' })]));
    expect(failed.run.failure!.message).toBe('half \ufffd');
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C26: a message that would be cut through an emoji is cut before it, at the first write', async () => {
    for (const times of [3_996, 3_997, 3_998, 3_999, 4_000]) {
      const { run, events } = await endOf(
        pawl,
        await startFlow(pawl, [fail({ text: '', times, tail: '\u{1f981} and more' })]),
      );
      expect(run.status).toBe('failed');
      const { message } = run.failure!;
      expect(message.length).toBeLessThanOrEqual(4_000);
      expect(message).not.toMatch(/\p{Surrogate}/u);
      expect(events.filter(({ type }) => type === 'outcome.failed')).toHaveLength(1);
    }
    const { run } = await endOf(pawl, await startFlow(pawl, [odd('emoji'), echo]));
    expect(run.output).toEqual({ echo: { whole: '\u{1f981}', pattern: '[^\\ud800-\\udfff]' } });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C28: a body of 25 MB is refused with 413 and the limit, and there is no run', async () => {
    const flow = await publishFlow(pawl, [{ id: 'one', kind: 'transform', value: 1 }]);
    const response = await fetch(`${pawl.url}/v1/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ flow, input: 'x'.repeat(25_000_000) }),
    });
    expect(response.status).toBe(413);
    expect(JSON.stringify(await response.json())).toMatch(/20/);
    expect((await pawl.client.listRuns({ query: { flow } })).items).toEqual([]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C28: an output of 60 MB is stored out of line and readable downstream; one above the limit fails with the numbers', async () => {
    const { run, events } = await endOf(
      pawl,
      await startFlow(pawl, [
        odd('long'),
        { id: 'size', kind: 'transform', value: '{{ $length(nodes.odd.output) }}' },
      ]),
    );
    expect(run).toMatchObject({ status: 'succeeded', output: { size: 30_000_000 } });
    const outcome = events.find(({ type, path }) => type === 'outcome.succeeded' && path === 'odd')!;
    expect((outcome.data as { output: string }).output).toHaveLength(30_000_000);
    const [stored] = await askDatabase<{ bytes: number }>(
      pawl,
      'select sum(octet_length(data::text))::int as bytes from journal where run_id = $1',
      [run.id],
    );
    expect(stored!.bytes).toBeLessThan(10_000);
    const tooLong = await endOf(pawl, await startFlow(pawl, [odd('too_long')]));
    expect(tooLong.run).toMatchObject({
      status: 'failed',
      failure: { code: 'value_too_large', class: 'permanent' },
    });
    expect(tooLong.run.failure!.message).toMatch(/\d/);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C29: an output of a megabyte of words that are all different is stored once, and a run that has ended is written no more', async () => {
    const words =
      'export default () => Array.from({ length: 150000 }, (_, i) => `w${i.toString(36)}`).join(" ")';
    const { run } = await endOf(pawl, await startFlow(pawl, [{ id: 'words', kind: 'code', source: words }]));
    expect(run).toMatchObject({ status: 'succeeded', output: { words: expect.stringMatching(/^w0 w1 /) } });
    // The transaction that wrote a row last.
    const written = () =>
      askDatabase(
        pawl,
        `select xmin::text as by, next_seq, (select count(*)::int from journal j where j.run_id = r.id) as events,
           (select array_agg(n.xmin::text order by path) from node_run n where n.run_id = r.id) as "nodeRuns"
         from run r where id = $1`,
        [run.id],
      );
    const before = await written();
    await endOf(pawl, await startFlow(pawl, [odd('emoji'), echo]));
    expect(await written()).toEqual(before);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C59: what is not JSON is refused with its place; undefined members are left out; the next node sees the stored form', async () => {
    for (const [value, place] of [
      ['date', '/d'],
      ['map', '/m'],
      ['nan', '/n'],
      ['bigint', '/b'],
      ['unsafe', '/n'],
    ] as const) {
      const { run } = await endOf(pawl, await startFlow(pawl, [odd(value)]));
      expect([value, run.status, run.failure?.code, run.failure?.class]).toEqual([
        value,
        'failed',
        'tool_output_invalid',
        'permanent',
      ]);
      expect(run.failure!.message).toContain(place);
    }
    const proto = await endOf(pawl, await startFlow(pawl, [odd('proto'), echo]));
    expect(Object.keys((proto.run.output as { echo: object }).echo)).toEqual(['__proto__']);
    const runId = await startFlow(pawl, [
      odd('undefined'),
      { id: 'see', kind: 'code', source: 'export default ({ nodes }) => Object.keys(nodes.odd.output)' },
    ]);
    expect((await endOf(pawl, runId)).run.output).toEqual({ see: ['kept'] });
    expect((await endOf(pawl, await startFlow(pawl, [odd('none')]))).run.output).toEqual({ odd: null });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C59: types do not depend on whether a worker died between two nodes', async () => {
    const source = `export default () => ({ u: undefined, n: 0.1 + 0.2, zero: -0, s: 'é', list: [null, 1] })`;
    const look = `export default ({ nodes }) => JSON.stringify(nodes.make.output)`;
    const nodes = [
      { id: 'make', kind: 'code', source },
      { id: 'put', kind: 'tool', tool: 'ledger.put@1' },
      { id: 'look', kind: 'code', source: look },
    ] as const;
    const straight = await endOf(pawl, await startFlow(pawl, nodes));
    const held = new Promise(() => {});
    pawl.ledger.script({ op: 'put' }, { hold: held });
    const runId = await startFlow(pawl, nodes);
    await pawl.ledger.arrived(1, { key: runId });
    const dying = pawl.workers.at(-1)!;
    dying.kill('SIGKILL');
    await dying.ended;
    await pawl.startWorker();
    const crashed = await endOf(pawl, runId);
    expect(straight.run.status).toBe('succeeded');
    expect(crashed.run.output).toEqual(straight.run.output);
    expect(crashed.run.output).toEqual({ look: expect.stringContaining('0.30000000000000004') });
    expect((await nodeRunsOf(pawl, runId)).put!.attempt).toBe(2);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
