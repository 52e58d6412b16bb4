// Would catch: a session that only the engine knows that opened it, that lives on after it was taken away, or that a stream outlives; an
// address that a guesser makes up.
import { createUser, DEFAULT_WORKSPACE_ID, openOrm } from '@pawl/run-store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Pawl, startPawl } from '../support/pawl.ts';

const PASSWORD = 'correct horse battery';
let pawl: Pawl;
let others: string;

beforeAll(async () => {
  pawl = await startPawl({ env: { PAWL_AUTH: 'keys', PAWL_TRUST_PROXY: '127.0.0.1' } });
  others = (await pawl.startEngine()).url;
  const orm = await openOrm(pawl.databaseUrl, { maxConnections: 1 });
  for (const user of ['ada', 'root'])
    await createUser(orm, {
      workspaceId: DEFAULT_WORKSPACE_ID,
      user,
      role: user === 'root' ? 'admin' : 'editor',
      password: PASSWORD,
    });
  await orm.close();
});
afterAll(() => pawl?.stop());

const ask = (url: string, line: string, headers: Record<string, string> = {}, body?: unknown) => {
  const [method, path] = line.split(' ') as [string, string];
  return fetch(`${url}${path}`, {
    method,
    headers: { origin: url, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
};
const codeOf = async (reply: Response) => ((await reply.json()) as { code?: string }).code;

async function signIn(name: string, url = pawl.url): Promise<{ cookie: string }> {
  const reply = await ask(url, 'POST /v1/session', {}, { name, password: PASSWORD });
  expect(reply.status).toBe(200);
  return { cookie: reply.headers.get('set-cookie')!.split(';')[0]! };
}
const document = {
  format: 'pawl/1',
  name: 'ask',
  nodes: [{ id: 'may', kind: 'approval', subject: 'May we?' }],
  edges: [],
};

it('a session works at every engine, drives a run, and ends at every engine', async () => {
  const ada = await signIn('ada');
  expect((await ask(others, 'POST /v1/flows/ask/publish', ada, document)).status).toBe(201);
  const started = await ask(others, 'POST /v1/runs', ada, { flow: 'ask', input: {} });
  const { runId } = (await started.json()) as { runId: string };
  const stream = await ask(others, `GET /v1/runs/${runId}/events`, { ...ada, accept: 'text/event-stream' });
  expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);

  const root = await signIn('root');
  expect(
    (await ask(pawl.url, 'PATCH /v1/users/ada', root, { password: 'another horse battery' })).status,
  ).toBe(200);
  expect(await codeOf(await ask(pawl.url, 'GET /v1/flows', ada))).toBe('session_ended');
  // The other engine believes what it found for a few seconds.
  await expect
    .poll(async () => codeOf(await ask(others, 'GET /v1/flows', ada)), { timeout: 20_000 })
    .toBe('session_ended');
  const heard = await stream.text();
  expect(heard).toContain('"by":"user:ada"');
  expect(heard).not.toContain('event: end');
  expect(pawl.engines[0]!.log()).toContain('access changed');
});

it('guesses are counted by the address that the proxy names, and the one it comes from cannot be made up', async () => {
  const guess = async (from: string, name: string) =>
    codeOf(
      await ask(
        pawl.url,
        'POST /v1/session',
        { 'x-forwarded-for': from },
        { name, password: 'wrong, and long' },
      ),
    );
  for (let i = 0; i < 20; i++)
    expect(await guess(`198.51.100.${i}, 203.0.113.7`, `user-${i}`)).toBe('sign_in_failed');
  expect(await guess('198.51.100.99, 203.0.113.7', 'user-20')).toBe('sign_ins_slowed');
  expect(await guess('203.0.113.8', 'user-20')).toBe('sign_in_failed');
  expect(pawl.engines[0]!.log()).toContain('"address":"203.0.113.7"');
  expect(pawl.engines[0]!.log()).not.toContain('wrong, and long');
});
