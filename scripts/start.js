// npm start: everything on this machine, nothing installed before. The same as `pawl dev`.
import { buildDesigner } from './build-designer.js';
import { prepare, root } from './prepare.js';

prepare();
await buildDesigner();
process.argv.splice(2, 0, 'dev');
await import(`file://${root}/apps/cli/bin/pawl.js`);
