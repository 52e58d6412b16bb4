// npm run bench:designer: see docs/performance.md.
import { buildDesigner } from './build-designer.js';
import { prepare, root } from './prepare.js';
import { runTypeScript } from './run-typescript.js';

prepare();
await buildDesigner();
await runTypeScript(`${root}/test/bench-designer/main.ts`);
