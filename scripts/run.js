// node scripts/run.js main.ts …: runs a TypeScript file of this repository as the main module of the process.
import { resolve } from 'node:path';
import { runTypeScript } from './run-typescript.js';

process.argv.splice(1, 2, resolve(process.argv[2]));
await runTypeScript(process.argv[1]);
