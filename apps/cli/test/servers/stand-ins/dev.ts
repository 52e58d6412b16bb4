// `pawl dev` with stand-ins as a process of its own, for tests that send it signals: <data folder> <examples folder> [example]

import { runDev } from '../../../src/dev/dev.ts';
import { EXIT } from '../../../src/errors.ts';
import { runUntilSignal } from '../../../src/main-process.ts';
import { standIns } from './parts.ts';

const [data, examples, example] = process.argv.slice(2);
await runUntilSignal(async (io) => {
  const outcome = { exitCode: EXIT.ok };
  const options = { data: data as string, workers: 2, demo: true, port: 0, ...(example && { example }) };
  try {
    await runDev(options, { io, outcome }, standIns({ examples: examples as string }));
    return outcome.exitCode;
  } catch (error) {
    return (error as { exitCode?: 1 }).exitCode ?? EXIT.failed;
  }
});
