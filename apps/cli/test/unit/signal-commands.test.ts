// Which mistake would this catch? A signal sent with another key or payload than was typed.
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import { type FakeEngine, type Handlers, problem, startFakeEngine } from '../support/fake-engine.ts';
import { type Ran, runPawl } from '../support/run-pawl.ts';
import { at, RUN_ID } from '../support/samples.ts';

let engine: FakeEngine | undefined;
afterEach(async () => {
  expect(engine?.breaches ?? []).toEqual([]);
  await engine?.close();
});

async function pawl(handlers: Handlers, ...words: string[]): Promise<Ran> {
  await engine?.close();
  engine = await startFakeEngine(handlers);
  return runPawl(['signal', ...words], { cwd: tmpdir(), env: { PAWL_URL: engine.url } });
}
const kept: Handlers = { sendSignal: () => ({ status: 201, body: { result: 'sent', id: 's-1' } }) };

describe('pawl signal send', () => {
  test.each([
    [['paid'], { name: 'paid' }],
    [['paid', '42', '--id', 'd-1'], { name: 'paid', key: '42', id: 'd-1' }],
    [['paid', '-p', '{"ok":true}', '-s', 'n=1'], { name: 'paid', payload: { ok: true, n: 1 } }],
    [['paid', '-p', '[1]'], { name: 'paid', payload: [1] }],
    [['paid', '--run', RUN_ID], { name: 'paid', runId: RUN_ID }],
  ])('%o is sent as %j', async (words, body) => {
    const ran = await pawl(kept, 'send', ...words);
    expect(engine?.calls.at(-1)?.body).toEqual(body);
    expect(ran).toEqual({ exitCode: 0, out: 'kept until somebody waits for it\n', err: '' });
  });

  test('when it was taken, it says by whom; when it was sent before, it says so', async () => {
    const takenBy = { runId: RUN_ID, path: 'wait' };
    const ran = await pawl(
      { sendSignal: () => ({ body: { result: 'duplicate', id: 's-1', takenBy }, status: 200 }) },
      'send',
      'paid',
    );
    expect(ran.out).toBe(`taken by wait of run ${RUN_ID}\n`);
    expect(ran.err).toBe('This id was sent before.\n');
  });

  test('when it is refused, the exit code says so', async () => {
    const ran = await pawl({ sendSignal: () => problem('signal_conflict', 'Another one.') }, 'send', 'paid');
    expect(ran).toMatchObject({ exitCode: 5, err: expect.stringContaining('Another one.') });
  });
});

test('pawl signal list shows what nobody has taken', async () => {
  const signal = {
    id: 's-1',
    name: 'paid',
    key: 'a\u001b[2Jb',
    by: 'key:shop',
    sentAt: at(90),
    expiresAt: at(-3_600),
  };
  const ran = await pawl({ listSignals: () => ({ body: { items: [signal] } }) }, 'list', '--name', 'paid');
  expect(engine?.calls[0]?.query).toMatchObject({ name: 'paid', limit: '50' });
  expect(ran.out).toMatch(/paid\s+a \[2Jb\s+s-1\s+key:shop\s+1 min ago\s+1 h 00 min/);
  expect((await pawl({ listSignals: () => ({ body: { items: [] } }) }, 'list')).out).toBe(
    'No signal is kept.\n',
  );
});
