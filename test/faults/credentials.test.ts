// Would catch: a credential that does not reach the call that names it, that the environment overrules, that is used after it was removed,
// or that is anywhere but in the request it is for (V13).
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeOpenAi } from '../support/fake-openai.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { publishFlow } from '../support/watch-run.ts';

const TOKEN = 'tok"en\\with/awkward ö 7f3a';
/** Parts that every written form of it has at least one of. */
const FORMS = [
  'with/awkward',
  encodeURIComponent(TOKEN),
  Buffer.from(TOKEN).toString('base64').slice(0, 20),
  '7f3a',
];
const found = (text: string): string[] => FORMS.filter((form) => text.includes(form));
const KEY = randomBytes(32).toString('hex');

describe('a credential of the workspace', () => {
  let pawl: PawlWithLedger;
  let flow: string;
  beforeAll(async () => {
    const tools = ['ledger-tools.ts', 'leaky-tools.ts'].map((name) =>
      join(import.meta.dirname, '../support', name),
    );
    pawl = await startWithLedger({
      env: {
        PAWL_SECRET_KEY: KEY,
        PAWL_SECRET_TOKEN: 'of-the-environment',
        PAWL_TOOLS: tools.join(','),
        PAWL_LOG_LEVEL: 'trace',
      },
    });
    flow = await publishFlow(pawl, [
      {
        id: 'leak',
        kind: 'tool',
        tool: 'leaky.call@1',
        args: { token: '{{ secrets.TOKEN }}' },
        retry: { maxAttempts: 2, initialMs: 10 },
      },
    ]);
  });
  afterAll(() => pawl?.stop());
  const sent = async () => {
    const { runId } = await pawl.client.startRun({ body: { flow } });
    const { run } = await endOf(pawl, runId);
    return { runId, run, tokens: pawl.ledger.of({ key: runId }).map(({ authorization }) => authorization) };
  };

  it('goes before the secret of the environment, which counts again when it is removed', async () => {
    expect((await sent()).tokens.at(-1)).toBe('Bearer of-the-environment');
    await pawl.client.setCredential({ body: { name: 'TOKEN', value: TOKEN } });
    expect((await sent()).tokens.at(-1)).toBe(`Bearer ${TOKEN}`);
    await pawl.client.removeCredential({ params: { credential: 'TOKEN' } });
    expect((await sent()).tokens.at(-1)).toBe('Bearer of-the-environment');
  });

  it('V13: is in no table, no answer and no line of a log, whatever a careless tool does with it', async () => {
    await pawl.client.setCredential({ body: { name: 'TOKEN', value: TOKEN } });
    const { runId, tokens } = await sent();
    expect(tokens).toContain(`Bearer ${TOKEN}`);
    const params = { runId };
    const answers = [
      await pawl.client.getRun({ params }),
      await pawl.client.getNodeRun({ params, query: { path: 'leak' } }),
      await pawl.client.readEvents({ params, query: { after: 0, limit: 1_000 } }),
      await pawl.client.listCredentials(),
    ];
    expect(found(JSON.stringify(answers))).toEqual([]);
    const pool = new pg.Pool({ connectionString: pawl.databaseUrl, max: 1 });
    try {
      const { rows: tables } = await pool.query<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
      );
      for (const { name } of tables) {
        const { rows } = await pool.query<{ text: string }>(`select t::text as text from "${name}" t`);
        const text = rows.map((row) => row.text).join('\n');
        expect(found(text), name).toEqual([]);
        expect(text.includes(Buffer.from(TOKEN).toString('hex')), name).toBe(false);
      }
    } finally {
      await pool.end();
    }
    const logs = [...pawl.workers, ...pawl.engines].map(({ log }) => log()).join('\n');
    expect(logs).toContain('the token is [secret]');
    expect(logs).toContain('a credential was set');
    expect(found(logs)).toEqual([]);
  });

  it('that a worker cannot open fails the call, and the environment is not taken in its place', async () => {
    await pawl.client.setCredential({ body: { name: 'TOKEN', value: TOKEN } });
    await pawl.startWorker({ PAWL_SECRET_KEY: randomBytes(32).toString('hex'), PAWL_POOLS: 'other' });
    const other = await publishFlow(pawl, [
      {
        id: 'call',
        kind: 'tool',
        tool: 'leaky.call@1',
        args: { token: '{{ secrets.TOKEN }}' },
        pool: 'other',
      },
    ]);
    const { runId } = await pawl.client.startRun({ body: { flow: other } });
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'failed', failure: { code: 'secret_unreadable' } });
    expect(pawl.ledger.of({ key: runId })).toEqual([]);
  });
});

describe('the key of a model provider', () => {
  it('is the credential of the workspace, before that of the environment', async () => {
    const openai = await startFakeOpenAi({ apiKey: 'sk-own-4711' });
    const pawl = await startWithLedger({
      env: { PAWL_SECRET_KEY: KEY, OPENAI_API_KEY: '', OPENAI_BASE_URL: openai.baseUrl },
    });
    try {
      const flow = await publishFlow(pawl, [
        { id: 'ask', kind: 'llm', model: 'openai:gpt-5-mini', prompt: 'Hi' },
      ]);
      const run = async () => (await endOf(pawl, (await pawl.client.startRun({ body: { flow } })).runId)).run;
      expect(await run()).toMatchObject({ status: 'failed', failure: { code: 'model_call_failed' } });
      await pawl.client.setCredential({ body: { name: 'OPENAI_API_KEY', value: 'sk-own-4711' } });
      expect((await run()).status).toBe('succeeded');
      expect(openai.requests.at(-1)!.headers.authorization).toBe('Bearer sk-own-4711');
    } finally {
      await pawl.stop();
      await openai.close();
    }
  });
});
