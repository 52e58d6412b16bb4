// Would catch: a flow that reaches what only the worker's machine should reach, a POST of a flow that is sent twice, a secret
// of a request that is written down.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { eventOf, journalOf, nodeRunsOf, startFlow } from '../support/watch-run.ts';

const quick = { initialMs: 10, jitter: 0 };
const SECRET = 'tok-5ecret-8';

describe.each(['postgres', 'redis'] as const)('HTTP tools, queue on %s', (queue) => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    if (queue === 'redis' && !inject('redisUrl')) return;
    pawl = await startWithLedger({ queue, honoursKeys: ['put'], env: { PAWL_SECRET_API: SECRET } });
  });
  afterAll(() => pawl?.stop());
  const withQueue = (name: string, test: () => Promise<void>) =>
    it(name, async (context) => {
      if (!pawl) return context.skip('there is no Redis here');
      await test();
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });
  const request = (tool: string, args: object, more: object = {}) =>
    ({ id: 'ask', kind: 'tool', tool: `http.${tool}@1`, args, ...more }) as never;

  withQueue('C01 V5: a POST whose answer was cut off is not sent again; it waits for a person', async () => {
    pawl.ledger.script({ op: 'charge' }, { cut: 'after' });
    const args = { url: `${pawl.ledger.url}/charge`, json: { what: 'card' } };
    const runId = await startFlow(pawl, [request('post', args, { retry: { maxAttempts: 3, ...quick } })]);
    await eventOf(pawl, runId, 'nodeRun.waiting', ({ data }) => data.status === 'uncertain');
    expect((await nodeRunsOf(pawl, runId)).ask).toMatchObject({
      status: 'uncertain',
      effect: 'non_repeatable',
    });
    expect(pawl.ledger.of({ key: `${runId}:ask:0` })).toMatchObject([{ op: 'charge', isApplied: true }]);
  });

  withQueue(
    'V4: a POST to a service that honours the key is sent again with it, and happens once',
    async () => {
      pawl.ledger.script({ op: 'put' }, { cut: 'after' }, { status: 503, headers: { 'retry-after': '0' } });
      const args = { url: `${pawl.ledger.url}/put`, json: { what: 'order' } };
      const runId = await startFlow(pawl, [
        request('post_keyed', args, { retry: { maxAttempts: 4, ...quick } }),
      ]);
      const { run } = await endOf(pawl, runId);
      expect(run).toMatchObject({
        status: 'succeeded',
        output: { ask: { status: 200, body: { what: 'order' } } },
      });
      const rows = pawl.ledger.of({ key: runId });
      expect(rows.map(({ answered }) => answered)).toEqual(['cut', 503, 200]);
      expect(new Set(rows.map(({ key }) => key))).toEqual(new Set([`${runId}:ask:0`]));
      expect([...pawl.ledger.effects({ key: runId }).values()]).toEqual([1]);
    },
  );

  withQueue('C67: a POST that was turned away with 429 is sent again', async () => {
    pawl.ledger.script({ op: 'charge' }, { status: 429, headers: { 'retry-after': '0' } });
    const args = { url: `${pawl.ledger.url}/charge`, json: { what: 'later' } };
    const runId = await startFlow(pawl, [request('post', args, { retry: { maxAttempts: 3, ...quick } })]);
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    expect(pawl.ledger.of({ key: runId }).map(({ answered }) => answered)).toEqual([429, 200]);
  });

  withQueue('V13: what was sent is recorded without the secret in it', async () => {
    const headers = { authorization: 'Bearer {{ secrets.API }}' };
    const args = { url: `${pawl.ledger.url}/put`, headers, query: { k: '{{ secrets.API }}' }, json: {} };
    const runId = await startFlow(pawl, [request('put', args)]);
    const { run } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    const written =
      JSON.stringify([await journalOf(pawl, runId), run]) + pawl.workers.map(({ log }) => log()).join();
    expect(written).toContain('[secret]');
    expect(written).not.toContain(SECRET);
  });

  withQueue('a download is an artifact of the run', async () => {
    const runId = await startFlow(pawl, [request('download', { url: `${pawl.ledger.url}/file.json` })]);
    const { run } = await endOf(pawl, runId);
    expect(run.output).toMatchObject({
      ask: { artifact: { name: 'file.json', mediaType: 'application/json' } },
    });
    const { artifactId } = (run.output as { ask: { artifact: { artifactId: string } } }).ask.artifact;
    const stored = await pawl.client.getArtifact({ params: { artifactId } });
    expect(stored).toMatchObject({ id: artifactId, runId });
  });
});

describe.each(['postgres', 'redis'] as const)('C83: with nothing allowed, queue on %s', (queue) => {
  let pawl: PawlWithLedger | undefined;
  afterAll(() => pawl?.stop());

  it.skipIf(queue === 'redis' && !inject('redisUrl'))(
    'no spelling of a private address is reached, by the tools and models of a flow',
    async () => {
      pawl = await startWithLedger({
        queue,
        env: {
          PAWL_ALLOW_PRIVATE_ADDRESSES: '10.99.0.0/16',
          PAWL_COMPATIBLE: JSON.stringify({ metadata: { baseUrl: 'http://169.254.169.254/v1' } }),
        },
      });
      const { port } = new URL(pawl.ledger.url);
      const hosts = [
        '127.0.0.1',
        '[::ffff:7f00:1]',
        '2130706433',
        '0x7f.1',
        '0177.0.0.1',
        '127.1',
        'localhost',
        '0.0.0.0',
      ];
      const past = { onError: { do: 'continue' } };
      const nodes = hosts.map((host, at) => ({
        id: `ask${at}`,
        kind: 'tool',
        tool: `http.${at % 2 === 0 ? 'get' : 'post'}@1`,
        args: { url: `http://${host}:${port}/charge` },
        ...past,
      }));
      const model = { id: 'model', kind: 'llm', model: 'compatible:metadata/m', prompt: 'Hello', ...past };
      // ctx.fetch of a tool of one's own goes the same way.
      const own = { id: 'own', kind: 'tool', tool: 'ledger.charge@1', args: {}, ...past };
      const runId = await startFlow(pawl, [...nodes, model, own] as never, { edges: [] });
      const { run, events } = await endOf(pawl, runId);
      expect(run.status).toBe('partial');
      const failures = events.flatMap((event) =>
        event.type === 'outcome.failed' ? [event.data.failure] : [],
      );
      expect(failures).toHaveLength(hosts.length + 2);
      for (const failure of failures) {
        expect(failure.class).toBe('permanent');
        expect(failure.message).toContain('PAWL_ALLOW_PRIVATE_ADDRESSES');
      }
      expect(pawl.ledger.rows).toEqual([]);
      expect(await pawl.rowsEqualFold()).toEqual([]);
    },
  );
});
