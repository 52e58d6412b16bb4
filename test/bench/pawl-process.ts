import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { nodeArguments } from '../../apps/cli/src/repository.ts';

const REPOSITORY = join(import.meta.dirname, '../..');

/** A running engine or worker. */
export interface PawlProcess {
  readonly pid: number;
  /** Base address of an engine; empty for a worker. */
  readonly url: string;
  /** The end of what it logged so far. */
  readonly log: () => string;
  /** Lines of its log at level `warn` or above. */
  readonly warnings: readonly string[];
  readonly hasEnded: () => boolean;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<void>;
}

/**
 * Starts an engine or a worker and waits until it is ready. It ends with this process: it notices that the channel is closed.
 *
 * @throws {Error} with its log when it ends before it is ready
 */
export async function startProcess(
  app: 'engine' | 'workers',
  env: Record<string, string>,
): Promise<PawlProcess> {
  const child = spawn(process.execPath, nodeArguments(join(REPOSITORY, 'apps', app, 'src/main.ts')), {
    cwd: REPOSITORY,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Ctrl-C reaches the benchmark only, which then stops everything in order.
    detached: true,
  });
  let log = '';
  const warnings: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => {
    log = `${log}${line}\n`.slice(-20_000);
    if (/"level":[456]0/.test(line)) warnings.push(line);
  });
  let isOver = false;
  const ended = once(child, 'exit').then(() => {
    isOver = true;
  });
  const ready = new Promise<{ url?: string }>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (line.startsWith('{"ready":true')) resolve(JSON.parse(line));
    });
    ended.then(() => reject(new Error(`The ${app} process ended before it was ready:\n${log}`)));
  });
  const { url = '' } = await ready;
  return {
    pid: child.pid!,
    url,
    log: () => log,
    warnings,
    hasEnded: () => isOver,
    kill: (signal) => void child.kill(signal),
    ended,
  };
}
