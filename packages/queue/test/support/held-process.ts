import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { QueueConfig } from '../../src/index.ts';

const RUN = fileURLToPath(new URL('../../../../scripts/run.js', import.meta.url));

const script = fileURLToPath(new URL('holding-consumer.ts', import.meta.url));

/** A consumer in a process of its own that holds on to whatever it gets. */
export interface HeldProcess {
  /** Paths of the first delivery. */
  readonly holds: Promise<string[]>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM, on which it closes its consumer; resolves with the exit code when the process has ended by itself. */
  closeAndEnd(): Promise<number | null>;
}

/** Starts a consumer process; its first delivery stays unanswered. */
export function startHoldingConsumer(
  config: QueueConfig,
  options: { readonly lockMs: number; readonly stalledCheckMs: number },
): HeldProcess {
  const child = spawn(process.execPath, [RUN, script, JSON.stringify(config), JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { holds: firstLine(child), kill: () => kill(child), closeAndEnd: () => closeAndEnd(child) };
}

async function firstLine(child: ChildProcess): Promise<string[]> {
  if (!child.stdout) throw new Error('The holding consumer has no output.');
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as string[];
  throw new Error('The holding consumer ended before it got a doorbell.');
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

async function closeAndEnd(child: ChildProcess): Promise<number | null> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await gone;
  return code as number | null;
}
