// Would catch: a secret anywhere but in the request it is for (V13): journal, rows, events, logs, metrics, spans, error messages.
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OtlpReceiver, startOtlpReceiver, tracingEnv } from '../support/otlp-receiver.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { publishFlow } from '../support/watch-run.ts';

/** Awkward in JSON, in addresses and in text. */
const TOKEN = 'tok"en\\with/awkward ö 7f3a';
const EXPORTER_KEY = 'exporter-key-91c2';

/** Parts that every written form of a secret has at least one of. */
const FORMS = [
  TOKEN,
  JSON.stringify(TOKEN).slice(1, -1),
  'with/awkward',
  encodeURIComponent(TOKEN),
  Buffer.from(TOKEN).toString('base64').slice(0, 20),
  '7f3a',
  EXPORTER_KEY,
];
const found = (text: string): string[] => FORMS.filter((form) => text.includes(form));

describe('V13: a secret that a careless tool logs, throws, returns, notes and names', () => {
  let receiver: OtlpReceiver;
  let pawl: PawlWithLedger;
  let runId: string;
  /** What everybody who follows the run sees, in order. */
  const streamed: string[] = [];
  beforeAll(async () => {
    receiver = await startOtlpReceiver();
    const tools = ['ledger-tools.ts', 'leaky-tools.ts'].map((name) =>
      join(import.meta.dirname, '../support', name),
    );
    pawl = await startWithLedger({
      env: {
        ...tracingEnv(receiver),
        OTEL_EXPORTER_OTLP_HEADERS: `x-key=${EXPORTER_KEY}`,
        PAWL_LOG_LEVEL: 'trace',
        PAWL_TOOLS: tools.join(','),
        PAWL_SECRET_TOKEN: TOKEN,
        PAWL_METRICS_PORT: '0',
      },
    });
    const flow = await publishFlow(pawl, [
      {
        id: 'leak',
        kind: 'tool',
        tool: 'leaky.call@1',
        args: { token: '{{ secrets.TOKEN }}', text: 'with {{ secrets.TOKEN }} inside' },
        retry: { maxAttempts: 2, initialMs: 10 },
      },
      {
        id: 'read',
        kind: 'tool',
        tool: 'leaky.read@1',
        args: { name: 'TOKEN' },
        onError: { do: 'continue' },
      },
    ]);
    ({ runId } = await pawl.client.startRun({ body: { flow } }));
    for await (const signal of pawl.client.runEvents(runId)) streamed.push(JSON.stringify(signal));
  });
  afterAll(async () => {
    await pawl?.stop();
    await receiver?.close();
  });

  it('reaches the service it is for', async () => {
    expect((await endOf(pawl, runId)).run).toMatchObject({ status: 'partial' });
    expect(pawl.ledger.of({ key: runId }).map(({ authorization }) => authorization)).toEqual([
      `Bearer ${TOKEN}`,
      `Bearer ${TOKEN}`,
    ]);
  });

  it('is in no table of the database', async () => {
    const pool = new pg.Pool({ connectionString: pawl.databaseUrl, max: 1 });
    try {
      const { rows: tables } = await pool.query<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
      );
      expect(tables.length).toBeGreaterThan(10);
      for (const { name } of tables) {
        const { rows } = await pool.query<{ text: string }>(`select t::text as text from "${name}" t`);
        expect(found(rows.map(({ text }) => text).join('\n')), name).toEqual([]);
      }
    } finally {
      await pool.end();
    }
  });

  it('is in no answer of the API and in no event stream, also not in passing', async () => {
    const { client } = pawl;
    const params = { runId };
    const answers = [
      await client.getRun({ params }),
      await client.listNodeRuns({ params, query: {} }),
      await client.getNodeRun({ params, query: { path: 'leak' } } as never),
      await client.readEvents({ params, query: { after: 0, limit: 1_000 } }),
      await client.listArtifacts({ params } as never),
    ];
    expect(found(JSON.stringify(answers))).toEqual([]);
    expect(found(streamed.join('\n'))).toEqual([]);
    expect(JSON.stringify(answers)).toContain('[secret]');
  });

  it('is in no line of a log, at the finest level', () => {
    const logs = [...pawl.workers, ...pawl.engines].map(({ log }) => log()).join('\n');
    expect(logs).toContain('the token is [secret]');
    expect(logs).toContain('left behind with [secret]');
    expect(found(logs)).toEqual([]);
  });

  it('is in no metric', async () => {
    const { metricsUrl } = pawl.workers[0]!.ready as { metricsUrl: string };
    for (const url of [metricsUrl, `${pawl.url}/metrics`]) {
      const text = await (await fetch(url)).text();
      expect(text).toContain('pawl_');
      expect(found(text)).toEqual([]);
    }
  });

  it('is in no span', async () => {
    await expect.poll(() => receiver.of(({ name }) => name.startsWith('run ')).length).toBe(1);
    expect(receiver.of(({ name }) => name === 'execute_tool leaky.call')).toHaveLength(2);
    expect(found(receiver.bodies.join('\n'))).toEqual([]);
    expect(receiver.faults).toEqual([]);
  });
});
