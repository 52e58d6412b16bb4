// npm run soak: see docs/reliability.md.
import { prepare, root } from './prepare.js';

prepare();
const { register } = await import('tsx/esm/api');
register();
await import(`file://${root}/test/soak/main.ts`);
