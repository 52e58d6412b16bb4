import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Counted, CpuSeconds } from './result.ts';

// CPU time as the system counts it (proc(5)): of a process and, for PostgreSQL, of all its backends. A backend that has ended
// is in its parent's count of waited-for children, so no time is lost between two looks.

/** Process ids to count; absent ones are not on this machine or not ours to know. */
export type Pids = Partial<Record<Counted, number>>;

/** CPU seconds since each process started; empty where there is no /proc. */
export function cpuSeconds(pids: Pids): CpuSeconds {
  const found: CpuSeconds = {};
  for (const [name, pid] of Object.entries(pids) as [Counted, number | undefined][]) {
    const seconds = pid === undefined ? undefined : treeSeconds(pid);
    if (seconds !== undefined) found[name] = seconds;
  }
  return found;
}

/** What was used between two looks. */
export function cpuBetween(before: CpuSeconds, after: CpuSeconds): CpuSeconds {
  return mapCpu(after, (seconds, name) => Math.max(0, seconds - (before[name] ?? 0)));
}

/** CPU seconds per 1,000 node runs over all rounds: the clock ticks in hundredths, so short rounds are added up first. */
export function cpuPer1000(
  rounds: readonly { readonly cpu: CpuSeconds; readonly nodeRuns: number }[],
): CpuSeconds {
  const nodeRuns = rounds.reduce((sum, round) => sum + round.nodeRuns, 0);
  return mapCpu(rounds[0]?.cpu ?? {}, (_, name) => {
    const seconds = rounds.reduce((sum, { cpu }) => sum + (cpu[name] ?? 0), 0);
    return (seconds / nodeRuns) * 1_000;
  });
}

function mapCpu(cpu: CpuSeconds, change: (seconds: number, name: Counted) => number): CpuSeconds {
  const entries = Object.entries(cpu) as [Counted, number][];
  return Object.fromEntries(entries.map(([name, seconds]) => [name, change(seconds, name)]));
}

/** All processes together; null when nothing could be read. */
export function totalCpu(cpu: CpuSeconds): number | null {
  const all = Object.values(cpu);
  return all.length === 0 ? null : all.reduce((sum, seconds) => sum + seconds, 0);
}

/** The parent of a process of this machine, when its name begins with `name`; undefined otherwise. */
export function parentNamed(pid: number, name: string): number | undefined {
  const parent = readStat(pid)?.parent;
  return parent !== undefined && readStat(parent)?.name.startsWith(name) ? parent : undefined;
}

let ticksPerSecond: number | undefined;
function ticks(): number {
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) || 100;
  return ticksPerSecond;
}

function treeSeconds(pid: number): number | undefined {
  const own = readStat(pid);
  if (!own) return undefined;
  let sum = own.ticks + own.ticksOfEndedChildren;
  // Node's child processes are counted under their own names; only a postmaster's backends belong to it.
  if (own.name === 'postgres') for (const child of childrenOf(pid)) sum += readStat(child)?.ticks ?? 0;
  else sum = own.ticks;
  return sum / ticks();
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => readStat(other)?.parent === pid);
}

function readStat(pid: number) {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may hold spaces and parentheses.
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  const tick = (field: number): number => Number(fields[field - 3]);
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    parent: tick(4),
    ticks: tick(14) + tick(15),
    ticksOfEndedChildren: tick(16) + tick(17),
  };
}
