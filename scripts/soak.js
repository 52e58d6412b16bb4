// npm run soak: see docs/reliability.md.
import { prepare, root } from './prepare.js';
import { runTypeScript } from './run-typescript.js';

prepare();
await runTypeScript(`${root}/test/soak/main.ts`);
