import type { RunStatus } from '@pawl/dag-core';
import { cpuBetween } from './cpu.ts';
import type { BenchFlow } from './flows.ts';
import type { CpuSeconds } from './result.ts';
import type { System } from './system.ts';

/** What a closed loop of runs did. */
export interface LoadReport {
  readonly runIds: readonly string[];
  /** Node runs per second, from the first start until the last run has ended. */
  readonly nodeRunsPerSecond: number;
  readonly nodeRuns: number;
  /** CPU seconds of each process. */
  readonly cpu: CpuSeconds;
}

/** How long a run may take before the benchmark calls it stuck. */
const STUCK_MS = 60_000;

/** When to stop starting runs: after a time, or after a count. */
export type Until = { readonly ms: number } | { readonly runs: number };

/**
 * Keeps `inFlight` runs of a flow going: as soon as one has ended the next is started. Counts everything, the first and the
 * last runs included.
 *
 * @throws {Error} when a run ends other than succeeded, or does not end
 */
export async function driveLoad(
  system: System,
  flow: BenchFlow,
  { inFlight, until }: { inFlight: number; until: Until },
): Promise<LoadReport> {
  const runIds: string[] = [];
  const before = system.cpu();
  const startedAt = performance.now();
  let begun = 0;
  const mayStart = (): boolean =>
    'ms' in until ? performance.now() - startedAt < until.ms : begun < until.runs;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (mayStart()) {
        begun += 1;
        runIds.push(await runToEnd(system, flow));
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const nodeRuns = runIds.length * flow.nodeRuns;
  system.checkHealth();
  return {
    runIds,
    nodeRuns,
    nodeRunsPerSecond: nodeRuns / seconds,
    cpu: cpuBetween(before, system.cpu()),
  };
}

/** Waits until a run has succeeded. */
export async function awaitSuccess(system: System, runId: string): Promise<void> {
  expectSuccess(runId, await inTime(system, runId, system.ends.endOf(runId)));
}

/** Starts one run and waits until it has succeeded. */
export async function runToEnd(system: System, flow: BenchFlow): Promise<string> {
  const runId = await system.start(flow);
  await awaitSuccess(system, runId);
  return runId;
}

/** @throws {Error} when the run ended in another status */
function expectSuccess(runId: string, status: RunStatus): void {
  if (status !== 'succeeded') throw new Error(`Run ${runId} ended as ${status}; every run must succeed.`);
}

/** @throws {Error} when a run does not end in time, with how far it came */
async function inTime(system: System, runId: string, end: Promise<RunStatus>): Promise<RunStatus> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, STUCK_MS, 'late');
  });
  try {
    const status = await Promise.race([end, late]);
    if (status === 'late') throw new Error(await describeStuck(system, runId));
    return status;
  } finally {
    clearTimeout(timer);
  }
}

async function describeStuck(system: System, runId: string): Promise<string> {
  system.checkHealth();
  const { rows: runs } = await system.pool.query(
    'select status, open_count, active_count from run where id = $1',
    [runId],
  );
  const { rows: nodes } = await system.pool.query(
    `select path, status, attempt, worker_id from node_run where run_id = $1 and status <> 'succeeded' limit 5`,
    [runId],
  );
  return `Run ${runId} has not ended after ${STUCK_MS / 1_000} s: ${JSON.stringify({ run: runs[0], nodes })}.`;
}
