import { runUntilSignal } from './main-process.ts';
import { runCli } from './run-cli.ts';

await runUntilSignal((io) => runCli(process.argv.slice(2), io));
