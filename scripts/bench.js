// npm run bench: see docs/performance.md.
import { prepare, root } from './prepare.js';

prepare();
const { register } = await import('tsx/esm/api');
register();
await import(`file://${root}/test/bench/main.ts`);
