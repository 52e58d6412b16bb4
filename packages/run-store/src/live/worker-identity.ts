import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { newId } from '../ids.ts';
import type { WorkerIdentity } from '../sql/worker-leases.ts';

/** Who this process is. */
export function ownIdentity(pools: readonly string[]): WorkerIdentity {
  return {
    id: newId(),
    lockKey: String(randomBytes(8).readBigUInt64BE() >> 2n),
    host: hostIdentity(),
    pid: process.pid,
    processStarted: processStart(process.pid) ?? '',
    pools,
  };
}

/** Where a pid means what it means here: host, boot and pid namespace. */
function hostIdentity(): string {
  return [hostname(), read('/proc/sys/kernel/random/boot_id'), link('/proc/self/ns/pid')].join(' ');
}

/**
 * True when it is certain that the worker's process has ended: it ran on this host, in this boot, and its pid is free or names a
 * process that started at another time.
 */
export function isProvenDead(worker: Pick<WorkerIdentity, 'host' | 'pid' | 'processStarted'>): boolean {
  if (worker.host !== hostIdentity()) return false;
  const started = processStart(worker.pid);
  if (started === 'ended') return true;
  if (started !== undefined) return worker.processStarted !== '' && started !== worker.processStarted;
  try {
    process.kill(worker.pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/**
 * Start time of a process in clock ticks since boot (proc(5), field 22); `ended` of one that its parent has not noticed yet;
 * undefined when there is no such process or no /proc.
 */
function processStart(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (stat === '') return undefined;
  return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : fields[19];
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
