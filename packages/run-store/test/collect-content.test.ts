// Catches: a reference whose bytes are gone, whoever died or raced when; bytes that nobody needs and that stay for ever.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  collectContent,
  DEFAULT_WORKSPACE_ID,
  newRunId,
  offloadValue,
  openArtifact,
  putArtifact,
  resolveValue,
} from '../src/index.ts';
import { openTestStore, type TestStore } from './support/seed.ts';

const RUN = fileURLToPath(new URL('../../../scripts/run.js', import.meta.url));

let store: TestStore;
beforeEach(async () => {
  store = await openTestStore();
});
afterEach(() => store.close());

const anUpload = (content: Parameters<typeof putArtifact>[1]['content'], name = 'n') => ({
  workspaceId: DEFAULT_WORKSPACE_ID,
  name,
  mediaType: 'text/plain',
  content,
});
const collect = (graceMs = 0) => collectContent(store.pool, { graceMs, batch: 2 });
const hashesLeft = async (): Promise<string[]> =>
  (await store.pool.query('select hash from content order by hash')).rows.map((row) => row.hash);
const chunksLeft = async (): Promise<number> =>
  (await store.pool.query('select count(*)::int as n from artifact_chunk')).rows[0].n;

function aGate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('what is collected', () => {
  test('content without a holder goes with its chunks; what an artifact or a journal holds stays', async () => {
    const kept = await putArtifact(store.pool, anUpload('kept'));
    const { artifact: gone } = await putArtifact(store.pool, anUpload(randomBytes(600_000), 'gone'));
    const value = (await offloadValue(store.pool, newRunId(), JSON.stringify('v'.repeat(300_000))))!;
    expect(await collect()).toEqual({ contents: 0, bytes: 0 });
    await store.pool.query('delete from artifact where id = $1', [gone.id]);
    expect(await collect()).toEqual({ contents: 1, bytes: 600_000 });
    expect(await hashesLeft()).toEqual([kept.artifact.hash, value.hash].sort());
    expect(await chunksLeft()).toBe(3);
    expect(await resolveValue(store.pool, value)).toContain('vvv');
  });

  test('content shared by two artifacts goes with the second of them', async () => {
    const [one, two] = [
      (await putArtifact(store.pool, anUpload('same', 'one'))).artifact,
      (await putArtifact(store.pool, anUpload('same', 'two'))).artifact,
    ];
    await store.pool.query('delete from artifact where id = $1', [one.id]);
    expect((await collect()).contents).toBe(0);
    await store.pool.query('delete from artifact where id = $1', [two.id]);
    expect((await collect()).contents).toBe(1);
  });

  test('what was touched within the grace time stays, an upload under way among it', async () => {
    const goesOn = aGate();
    async function* pausing() {
      yield randomBytes(300_000);
      await goesOn.opened;
      yield 'end';
    }
    const putting = putArtifact(store.pool, anUpload(pausing()));
    await expect.poll(chunksLeft).toBe(1);
    expect(await collect(60_000)).toEqual({ contents: 0, bytes: 0 });
    goesOn.open();
    expect((await putting).artifact.bytes).toBe(300_003);
  });

  test('an upload that was collected while it stood still fails and leaves nothing', async () => {
    const goesOn = aGate();
    async function* pausing() {
      yield randomBytes(300_000);
      await goesOn.opened;
      yield randomBytes(300_000);
    }
    const putting = putArtifact(store.pool, anUpload(pausing()));
    putting.catch(() => {});
    await expect.poll(chunksLeft).toBe(1);
    expect((await collect()).contents).toBe(1);
    goesOn.open();
    await expect(putting).rejects.toMatchObject({ code: 'upload_interrupted' });
    expect(await hashesLeft()).toEqual([]);
    expect(await chunksLeft()).toBe(0);
  });

  test('many contents go in batches; a signal ends the collection between two', async () => {
    for (let n = 0; n < 7; n += 1) await putArtifact(store.pool, anUpload(`content ${n}`));
    await store.pool.query('delete from artifact');
    const stopped = AbortSignal.abort();
    expect(await collectContent(store.pool, { graceMs: 0, signal: stopped })).toEqual({
      contents: 0,
      bytes: 0,
    });
    expect((await collect()).contents).toBe(7);
    expect(await hashesLeft()).toEqual([]);
  });
});

describe('somebody who relies on the content at the same moment', () => {
  test('B2: content that is put again while its removal is under way comes back whole', async () => {
    const bytes = randomBytes(600_000);
    const { artifact } = await putArtifact(store.pool, anUpload(bytes));
    await store.pool.query('delete from artifact');
    const remover = await store.pool.connect();
    await remover.query('begin');
    await remover.query('delete from content where hash = $1', [artifact.hash]);
    const again = putArtifact(store.pool, anUpload(bytes));
    await expect.poll(waitingForLocks).toBe(1);
    await remover.query('commit');
    remover.release();
    expect(await hashOf((await again).artifact.id)).toBe(artifact.hash);
  });

  test('B1: content that is being named stays, and the removal does not wait for it', async () => {
    const { artifact } = await putArtifact(store.pool, anUpload('named'));
    await store.pool.query('delete from artifact');
    const writer = await store.pool.connect();
    await writer.query('begin');
    await writer.query('update content set touched_at = now() where hash = $1', [artifact.hash]);
    expect((await collect()).contents).toBe(0);
    await writer.query('rollback');
    writer.release();
    expect((await collect()).contents).toBe(1);
  });

  test('a holder that the removal could not see is defended by the database', async () => {
    const { artifact } = await putArtifact(store.pool, anUpload('held'));
    await expect(
      store.pool.query('delete from content where hash = $1', [artifact.hash]),
    ).rejects.toMatchObject({
      code: '23503',
    });
  });

  async function waitingForLocks(): Promise<number> {
    const { rows } = await store.pool.query(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0].n;
  }
});

/** A child that is killed and started again. */
class ContentProcess {
  readonly child: ChildProcess;
  readonly done: string[] = [];

  constructor(role: 'writer' | 'collector') {
    const script = fileURLToPath(new URL('support/content-process.ts', import.meta.url));
    this.child = spawn(process.execPath, [RUN, script, store.url, role], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface({ input: this.child.stdout! }).on('line', (line) => this.done.push(line));
  }

  /** Kills it once it has done some things, in the middle of the next. */
  async killedAfter(count: number): Promise<readonly string[]> {
    await expect.poll(() => this.done.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(count);
    this.child.kill('SIGKILL');
    const [, signal] = await once(this.child, 'exit');
    expect(signal).toBe('SIGKILL');
    return this.done;
  }
}

test('B1 B2: with writers and collectors racing and killed again and again, no reference ever dangles', async () => {
  const lives = async (role: 'writer' | 'collector', counts: readonly number[]): Promise<string[]> => {
    const done: string[] = [];
    for (const count of counts) done.push(...(await new ContentProcess(role).killedAfter(count)));
    return done;
  };
  const done = await Promise.all([
    lives('writer', [13, 29, 17]),
    lives('writer', [31, 7, 23]),
    lives('collector', [40, 90, 60]),
    lives('collector', [70, 50, 80]),
  ]);
  // It happened: things were put, and removed under the hands of those who put them.
  expect(new Set(done.flat())).toEqual(new Set([...done.flat(), 'artifact', 'value', 'removed']));
  await demandWhole();

  expect((await collect()).contents).toBeGreaterThanOrEqual(0);
  const { rows } = await store.pool.query(
    `select c.hash from content c
     where not exists (select from artifact a where a.hash = c.hash) and not exists (select from held_value h where h.hash = c.hash)`,
  );
  expect(rows).toEqual([]);
  await demandWhole();
});

/** Every artifact and every value that a journal names, read and hashed. */
async function demandWhole(): Promise<void> {
  const { rows: artifacts } = await store.pool.query('select id, hash from artifact');
  for (const { id, hash } of artifacts) expect(await hashOf(id)).toBe(hash);
  const { rows: values } = await store.pool.query(`select data->'outputRef' as ref from journal`);
  for (const { ref } of values) {
    const text = await resolveValue(store.pool, ref);
    expect(createHash('sha256').update(text).digest('hex')).toBe(ref.hash);
  }
}

async function hashOf(artifactId: string): Promise<string> {
  const found = await openArtifact(store.orm, { workspaceId: DEFAULT_WORKSPACE_ID, artifactId });
  const hash = createHash('sha256');
  for await (const chunk of found!.read()) hash.update(chunk);
  return hash.digest('hex');
}
