// Which mistake would this catch? A wake-up that is refused because it is too long and takes others with it, text that falls apart
// inside a character, a bus that stays deaf after its connection was cut.
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/support/until.ts';
import { newRunId } from '../src/index.ts';
import { LiveBus, type LiveMessage } from '../src/live/live-bus.ts';
import { openTestStore, type TestStore } from './support/seed.ts';

let store: TestStore;
let sender: LiveBus;
let receiver: LiveBus;
let received: LiveMessage[];
/** Payloads as the database delivers them. */
let raw: string[];
let listener: pg.Client;
let errors: Error[];

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

beforeEach(async () => {
  errors = [];
  received = [];
  raw = [];
  sender = new LiveBus(store.url, (error) => errors.push(error));
  receiver = new LiveBus(store.url, (error) => errors.push(error));
  await Promise.all([sender.open(), receiver.open()]);
  receiver.subscribe((message) => received.push(message));
  listener = new pg.Client({ connectionString: store.url });
  await listener.connect();
  listener.on('notification', ({ payload }) => raw.push(payload!));
  await listener.query('listen pawl_live');
});
afterEach(async () => {
  await Promise.all([sender.close(), receiver.close(), listener.end()]);
});

const runs = () => received.flatMap((message) => message.runs ?? []);
const deltas = () => received.flatMap((message) => message.deltas ?? []);
const textOf = (path: string) =>
  deltas()
    .filter((delta) => delta.path === path)
    .map((delta) => delta.text)
    .join('');

/** Every payload was taken by the database, which refuses 8,000 bytes and more. */
function expectPayloadsToFit(): void {
  expect(errors).toEqual([]);
  for (const payload of raw) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
}

describe('merging', () => {
  test('what happens in one turn leaves as one message, each run once; what concerns workers as one of its own', async () => {
    const [a, b] = [newRunId(), newRunId()];
    sender.runsChanged([a, b]);
    sender.runsChanged([a]);
    sender.cancelAsked(b);
    sender.timerSet(5_000);
    sender.timerSet(3_000);
    sender.delta({ runId: a, path: 'x', attempt: 1, from: 0, text: 'Hel' });
    sender.delta({ runId: a, path: 'x', attempt: 1, from: 3, text: 'lo' });
    await until(() => expect(received).toHaveLength(2));
    expect(received[0]).toEqual({ cancel: [b] });
    expect(received[1]).toEqual({
      runs: [a, b],
      wakeAt: 3_000,
      deltas: [{ runId: a, path: 'x', attempt: 1, from: 0, text: 'Hello' }],
    });
  });

  test('who hears work only hears what concerns workers, and nothing of every commit', async () => {
    const worker = new LiveBus(store.url, () => {}, 'work');
    const heard: LiveMessage[] = [];
    worker.subscribe((message) => heard.push(message));
    await worker.open();
    try {
      const runId = newRunId();
      sender.runsChanged([runId]);
      await until(() => expect(received).toContainEqual({ runs: [runId] }));
      sender.cancelAsked(runId);
      await until(() => expect(heard).toEqual([{ cancel: [runId] }]));
    } finally {
      await worker.close();
    }
  });

  test('text of different node runs or attempts stays apart, in order', async () => {
    const runId = newRunId();
    sender.delta({ runId, path: 'x', attempt: 1, from: 0, text: 'a' });
    sender.delta({ runId, path: 'y', attempt: 1, from: 0, text: 'b' });
    sender.delta({ runId, path: 'x', attempt: 1, from: 1, text: 'c' });
    sender.delta({ runId, path: 'x', attempt: 2, from: 0, text: 'd' });
    await until(() => expect(deltas()).toHaveLength(4));
    expect(deltas().map(({ path, attempt, text }) => `${path}${attempt}${text}`)).toEqual([
      'x1a',
      'y1b',
      'x1c',
      'x2d',
    ]);
  });

  test('a sender hears itself, and nobody who has unsubscribed', async () => {
    const heard: LiveMessage[] = [];
    const deaf: LiveMessage[] = [];
    sender.subscribe((message) => heard.push(message));
    sender.subscribe((message) => deaf.push(message))();
    sender.runsChanged([newRunId()]);
    await until(() => expect(heard).toHaveLength(1));
    expect(deaf).toEqual([]);
  });
});

describe('payload limits', () => {
  test('thousands of runs arrive in as few messages as fit', async () => {
    const ids = Array.from({ length: 5_000 }, () => newRunId());
    sender.runsChanged(ids);
    for (const id of ids.slice(0, 300)) sender.cancelAsked(id);
    await until(() => expect(runs()).toHaveLength(5_000));
    await until(() => expect(received.flatMap((message) => message.cancel ?? [])).toHaveLength(300));
    expect(new Set(runs())).toEqual(new Set(ids));
    expect(received.length).toBeLessThan(60);
    expectPayloadsToFit();
  });

  test.each([
    ['letters', 'abcdefghij'],
    ['emoji', '😀👩‍👩‍👧🏳️‍🌈'],
    ['an odd letter before emoji', 'x😀😀😀'],
    ['ideographs', '漢字仮名'],
    ['control characters and quotes', '\u0000\u0001"\\\n\u007f'],
  ])('a long text of %s arrives whole and is never cut inside a character', async (_, piece) => {
    const text = piece.repeat(4_000);
    const runId = newRunId();
    sender.delta({ runId, path: 'write', attempt: 1, from: 100, text });
    await until(() => expect(textOf('write').length).toBe(text.length));
    expect(textOf('write')).toBe(text);
    let place = 100;
    for (const delta of deltas()) {
      expect(delta.text).not.toMatch(/\p{Surrogate}/u);
      expect(delta.from).toBe(place);
      place += delta.text.length;
    }
    expectPayloadsToFit();
  });

  test('many short texts of deeply nested node runs fit, with runs and cancels beside them', async () => {
    const path = Array.from({ length: 15 }, (_, i) => `${'m'.repeat(60)}${i}/${i}`).join('/');
    const ids = Array.from({ length: 200 }, () => newRunId());
    sender.runsChanged(ids);
    for (const id of ids) {
      sender.cancelAsked(id);
      sender.delta({ runId: id, path: `${path}/write`, attempt: 1, from: 0, text: '😀' });
    }
    await until(() => expect(deltas()).toHaveLength(200));
    await until(() => expect(runs()).toHaveLength(200));
    expectPayloadsToFit();
  });
});

test('progress: only the newest of a node run, long notes shortened between characters, as many messages as it takes', async () => {
  const path = Array.from({ length: 15 }, (_, i) => `${'m'.repeat(60)}${i}/${i}`).join('/');
  const ids = Array.from({ length: 40 }, () => newRunId());
  for (const fraction of [0.1, 0.5])
    for (const runId of ids) sender.progress({ runId, path, attempt: 1, fraction, note: 'x😀'.repeat(100) });
  const progress = () => received.flatMap((message) => message.progress ?? []);
  await until(() => expect(progress()).toHaveLength(40));
  for (const { fraction, note } of progress()) {
    expect(fraction).toBe(0.5);
    expect(note).toBe('x😀'.repeat(40));
  }
  expectPayloadsToFit();
});

describe('a connection that is cut', () => {
  const cutAll = () =>
    store.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pawl live' and datname = current_database()",
    );

  test('is made again by itself; listeners are told that they may have missed something, and hear again', async () => {
    await cutAll();
    await until(() => expect(received).toContainEqual({}));
    expect(errors.length).toBeGreaterThan(0);
    const runId = newRunId();
    await until(() => {
      sender.runsChanged([runId]);
      expect(runs()).toContain(runId);
    });
  });

  test('what was to be said meanwhile is said afterwards', async () => {
    const isBack = new Promise<void>((resolve) => {
      sender.subscribe((message) => {
        if (Object.keys(message).length === 0) resolve();
      });
    });
    const isLost = until(() => expect(errors.length).toBeGreaterThanOrEqual(2));
    await cutAll();
    await isLost;
    const runId = newRunId();
    sender.runsChanged([runId]);
    sender.delta({ runId, path: 'x', attempt: 1, from: 0, text: 'gone by then' });
    await isBack;
    await until(() => expect(raw.join()).toContain(runId));
  });

  test('once closed it says nothing more and does not come back', async () => {
    const [before, after] = [newRunId(), newRunId()];
    await sender.close();
    sender.runsChanged([before]);
    receiver.runsChanged([after]);
    await until(() => expect(raw.join()).toContain(after));
    expect(raw.join()).not.toContain(before);
    await until(async () => {
      const { rows } = await store.pool.query(
        "select 1 from pg_stat_activity where application_name = 'pawl live' and datname = current_database()",
      );
      expect(rows, 'the receiver alone').toHaveLength(1);
    });
    expect(errors).toEqual([]);
  });
});
