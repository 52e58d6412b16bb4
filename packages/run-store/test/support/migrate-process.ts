// Run as a process of its own: migrates the database of its first argument and says what happens, one JSON line each.
import { migrate } from '../../src/index.ts';

const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
try {
  say(await migrate(process.argv[2]!, { log: (log) => say({ log }), timeoutMs: Number(process.argv[3]) }));
} catch (error) {
  say({ code: (error as { code?: string }).code, message: (error as Error).message });
  process.exitCode = 1;
}
