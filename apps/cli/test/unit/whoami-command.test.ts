// Which mistake would this catch? A key that is taken for another, or whose role one has to guess.
import { tmpdir } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { type FakeEngine, type Handlers, problem, startFakeEngine } from '../support/fake-engine.ts';
import { runPawl } from '../support/run-pawl.ts';

let engine: FakeEngine | undefined;
afterEach(async () => {
  expect(engine?.breaches ?? []).toEqual([]);
  await engine?.close();
});

async function whoami(handlers: Handlers, ...words: string[]) {
  engine = await startFakeEngine(handlers);
  return runPawl(['whoami', ...words], { cwd: tmpdir(), env: { PAWL_URL: engine.url } });
}
const me = {
  name: 'ci',
  by: 'key:ci',
  role: 'operator' as const,
  workspace: { id: '00000000-0000-7000-8000-000000000001', name: 'default' },
  signedInWith: 'key' as const,
};

test('it says who, as what and where', async () => {
  const ran = await whoami({ whoAmI: () => ({ status: 200, body: me }) });
  expect(ran).toEqual({ exitCode: 0, out: 'key:ci: operator of workspace default\n', err: '' });
});

test('with --json it is what the engine said', async () => {
  const ran = await whoami({ whoAmI: () => ({ status: 200, body: me }) }, '--json');
  expect(JSON.parse(ran.out)).toEqual(me);
});

test.each(['api_key_missing', 'api_key_invalid', 'role_insufficient'] as const)(
  'a refusal by %s has the exit code of keys',
  async (code) => {
    expect((await whoami({ whoAmI: () => problem(code, 'No.') })).exitCode).toBe(6);
  },
);
