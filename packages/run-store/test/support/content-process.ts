// Run as a process of its own: `content-process.ts <database> writer|collector`. A writer puts artifacts and values out of a
// few contents and removes artifacts again; a collector collects, without a grace time. Both until they are killed; a line for
// each thing done.
import { createHash } from 'node:crypto';
import pg from 'pg';
import {
  collectContent,
  DEFAULT_WORKSPACE_ID,
  isStoreError,
  newRunId,
  offloadValue,
  putArtifact,
} from '../../src/index.ts';

const [url, role] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 4 });
const say = (done: string): void => void process.stdout.write(`${done}\n`);

/** JSON texts of up to five chunks, the same in every process. */
const contents = Array.from({ length: 6 }, (_, place) => {
  const seed = createHash('sha256').update(String(place)).digest('hex');
  return JSON.stringify(seed.repeat(4_500 + place * 3_000));
});
const anyOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

async function* slowly(text: string): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += 200_000) {
    await new Promise(setImmediate);
    yield text.slice(start, start + 200_000);
  }
}

async function write(): Promise<void> {
  const runId = newRunId();
  const text = anyOf(contents);
  if (Math.random() < 0.3) {
    const ref = await offloadValue(pool, runId, text);
    // Stands for the event that names the value.
    await pool.query(
      `insert into journal (run_id, seq, type, path, attempt, at, data) values ($1, 1, 'outcome.succeeded', 'a', 1, now(), $2)`,
      [runId, JSON.stringify({ v: 1, outputRef: ref })],
    );
    return say('value');
  }
  const from = { runId, path: 'a', attempt: 1 };
  const put = { workspaceId: DEFAULT_WORKSPACE_ID, from, name: 'n', mediaType: 'text/plain' };
  await putArtifact(pool, { ...put, content: slowly(text) });
  if (Math.random() < 0.7) await pool.query('delete from artifact where run_id = $1', [runId]);
  say('artifact');
}

for (;;) {
  if (role === 'collector') {
    const { contents: removed } = await collectContent(pool, { graceMs: 0, batch: 3 });
    say(removed > 0 ? 'removed' : 'nothing');
  } else {
    // Without a grace time an upload under way may be collected; it says so and leaves nothing.
    await write().catch((error) => {
      if (!isStoreError(error, 'upload_interrupted')) throw error;
      say('upload_interrupted');
    });
  }
}
