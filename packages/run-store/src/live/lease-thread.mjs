// Renews a worker's lease beside the event loop that its tools may block (C43). Plain JavaScript, so that the thread starts
// without any loader. It shares a few numbers with the process (lease-keeper.ts explains them) and ends with it.
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';

const { url, statement, workerId, leaseMs, stuckMs, cells, at } = workerData;
const everyMs = leaseMs / 3;
/** A renewal that failed is tried again after this. */
const AGAIN_MS = Math.min(200, everyMs);

let client;
let isStopped = false;
let wake = () => {};
parentPort.on('message', (asked) => {
  if (asked === 'stop') isStopped = true;
  wake();
});

for (let turnedAt = process.hrtime.bigint(); !isStopped; turnedAt = process.hrtime.bigint()) {
  let restMs = everyMs;
  try {
    client ??= await connect();
    const sentAt = process.hrtime.bigint();
    const { rowCount } = await client.query(statement, [workerId, leaseMs]);
    if (rowCount === 0) {
      Atomics.store(cells, at.lost, 1n);
      parentPort.postMessage({ lost: true });
      break;
    }
    Atomics.store(cells, at.renewed, sentAt);
    parentPort.postMessage({ renewed: true });
  } catch (error) {
    drop();
    parentPort.postMessage({ problem: error.message });
    restMs = AGAIN_MS;
  }
  await rest(restMs);
  endWhenStuck(turnedAt);
}
drop();
parentPort.close();

async function connect() {
  const fresh = new pg.Client({
    connectionString: url,
    keepAlive: true,
    application_name: 'pawl lease',
    connectionTimeoutMillis: everyMs,
    query_timeout: everyMs,
  });
  fresh.on('error', () => {});
  await fresh.connect();
  return fresh;
}

function drop() {
  client?.end().catch(() => {});
  client = undefined;
}

/** Ends early when the process asks for a renewal. */
function rest(ms) {
  if (isStopped) return undefined;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/**
 * An event loop that gave no sign of life for this long is taken for one that never will: its timers abort nothing any more,
 * and only the end of the process lets others take over. A process that was stopped as a whole is not meant: then this thread
 * stood still as well.
 */
function endWhenStuck(turnedAt) {
  const now = process.hrtime.bigint();
  const didStop = now - turnedAt > BigInt(Math.round(2 * leaseMs)) * 1_000_000n;
  if (didStop || now - Atomics.load(cells, at.beat) < BigInt(stuckMs) * 1_000_000n) return;
  const msg = `the event loop stood still for ${stuckMs} ms; ending the process, so that others take over`;
  const line = { level: 60, time: Date.now(), process: 'worker', pid: process.pid, workerId, msg };
  writeSync(2, `${JSON.stringify(line)}\n`);
  process.kill(process.pid, 'SIGKILL');
}
