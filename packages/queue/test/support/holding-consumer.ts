// A consumer process for tests: takes doorbells, says which on standard output, and never finishes with them.
// SIGTERM closes it; it then ends by itself unless something was left open.
// Arguments: the queue configuration and the consume options as JSON.

import { consume, type QueueConfig } from '../../src/index.ts';

const config = JSON.parse(process.argv[2] ?? '') as QueueConfig;
const options = JSON.parse(process.argv[3] ?? '') as { lockMs: number; stalledCheckMs: number };

const opening = consume(config, {
  ...options,
  fetchers: 1,
  onBells: (bells) => {
    process.stdout.write(`${JSON.stringify(bells.map(({ path }) => path))}\n`);
    return new Promise(() => {});
  },
});

// In place before the first delivery: whoever sees one may send the signal at once.
process.once('SIGTERM', () => void opening.then((consumer) => consumer.close({ timeoutMs: 100 })));
await opening;
