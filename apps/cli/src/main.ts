import { processIo } from './io.ts';
import { runCli } from './run-cli.ts';

// The first interrupt asks the command to end well, the second one ends it at once.
const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (interruption.signal.aborted) process.exit(130);
    interruption.abort();
  });
}
// A reader that went away, such as `head`, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const exitCode = await runCli(process.argv.slice(2), processIo(interruption.signal));
// Open connections that a command left must not keep the process.
process.stdout.write('', () => process.exit(exitCode));
