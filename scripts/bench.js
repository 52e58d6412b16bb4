// npm run bench: see docs/performance.md.
import { prepare, root } from './prepare.js';
import { runTypeScript } from './run-typescript.js';

prepare();
await runTypeScript(`${root}/test/bench/main.ts`);
