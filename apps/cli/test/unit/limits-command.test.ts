// Which mistake would this catch? A limit set on something else than was typed, or a list that hides who waits.
import { tmpdir } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { type FakeEngine, type Handlers, problem, startFakeEngine } from '../support/fake-engine.ts';
import { runPawl } from '../support/run-pawl.ts';

let engine: FakeEngine | undefined;
afterEach(async () => {
  expect(engine?.breaches ?? []).toEqual([]);
  await engine?.close();
});

async function pawl(handlers: Handlers, ...words: string[]) {
  engine = await startFakeEngine(handlers);
  return runPawl(['limits', ...words], { cwd: tmpdir(), env: { PAWL_URL: engine.url } });
}
const items = [
  {
    target: 'openai:*',
    scope: 'workspace' as const,
    requests: 60,
    tokens: 90_000,
    windowMs: 60_000,
    underWay: 2,
    waiting: 17,
  },
  { target: 'crm.find@2', scope: 'everybody' as const, concurrency: 4, windowMs: 60_000 },
];
const all = { status: 200 as const, body: { items } };

test.each([
  [
    ['openai:*', '--requests', '60', '--tokens', '90000', '--per', '1m'],
    { target: 'openai:*', requests: 60, tokens: 90_000, windowMs: 60_000 },
  ],
  [['crm.find@2', '--concurrency', '4'], { target: 'crm.find@2', concurrency: 4 }],
])('set %j asks for what was typed', async (words, body) => {
  const ran = await pawl({ setLimit: () => all }, 'set', ...words);
  expect(engine?.calls.at(-1)?.body).toEqual(body);
  expect(ran).toMatchObject({ exitCode: 0, err: '' });
});

test('list shows limits, what is under way and who waits', async () => {
  const { out } = await pawl({ listLimits: () => all }, 'list');
  expect(out).toMatch(/openai:\* +60 requests and 90000 tokens per 1 min 00 s +workspace +2 +17/);
  expect(out).toMatch(/crm\.find@2 +4 at once +everybody/);
});

test('remove names the target; one that is not there is told', async () => {
  const gone = await pawl(
    { removeLimit: () => problem('limit_not_found', 'There is none.') },
    'remove',
    'a:*',
  );
  expect(gone).toMatchObject({ exitCode: 4 });
  expect(engine?.calls.at(-1)?.query).toEqual({ target: 'a:*' });
});
