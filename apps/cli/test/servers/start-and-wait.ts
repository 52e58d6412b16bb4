import { startEmbeddedPostgres } from '../../src/dev/embedded-postgres.ts';

// Started by a test, which then kills this process: prints the process id of the server and waits.
const server = await startEmbeddedPostgres({ folder: process.argv[2] as string });
console.log(server.pid);
setInterval(() => undefined, 60_000);
