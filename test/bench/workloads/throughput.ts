import { checkResults } from '../check-results.ts';
import { totalCpu } from '../cpu.ts';
import { type BenchFlow, chainIdempotent, chainPure, fan100, map100 } from '../flows.ts';
import { driveLoad, type LoadReport } from '../load.ts';
import { note } from '../notes.ts';
import { COUNTED, type CpuSeconds, median, type Result, spread } from '../result.ts';
import type { System } from '../system.ts';
import type { Workload } from '../workload.ts';

/** A closed loop with a fixed number of runs in flight. */
function throughput(name: string, flow: BenchFlow, inFlight: number): Workload {
  return {
    name,
    async measure(system, options) {
      const roundMs = options.quick ? 700 : 4_000;
      await driveLoad(system, flow, { inFlight, until: { ms: options.quick ? 700 : 3_000 } });
      const reports = await measureRounds(system, flow, { inFlight, roundMs, rounds: options.rounds });
      return [resultOf(name, system, reports)];
    },
  };
}

/** Rounds of load, each checked. */
export async function measureRounds(
  system: System,
  flow: BenchFlow,
  { inFlight, roundMs, rounds }: { inFlight: number; roundMs: number; rounds: number },
): Promise<LoadReport[]> {
  const reports: LoadReport[] = [];
  for (let round = 1; round <= rounds; round++) {
    const report = await driveLoad(system, flow, { inFlight, until: { ms: roundMs } });
    note(
      `  ${flow.document.name} round ${round}: ${Math.round(report.nodeRunsPerSecond)} node runs/s, ${report.runIds.length} runs`,
    );
    await checkResults(system, flow, report.runIds);
    reports.push(report);
  }
  return reports;
}

function resultOf(workload: string, system: System, reports: readonly LoadReport[]): Result {
  const cpuByProcess = medianCpu(reports.map((report) => report.cpu));
  return {
    workload,
    backend: system.backend,
    unit: 'node runs/s',
    ...spread(reports.map((report) => report.nodeRunsPerSecond)),
    cpuSecondsPer1000: totalCpu(cpuByProcess),
    cpuByProcess,
  };
}

/** The median of each process over the rounds. */
export function medianCpu(rounds: readonly CpuSeconds[]): CpuSeconds {
  const found: CpuSeconds = {};
  for (const name of COUNTED) {
    const seconds = rounds.map((cpu) => cpu[name]).filter((value) => value !== undefined);
    if (seconds.length > 0) found[name] = median(seconds);
  }
  return found;
}

export const chainPureLoad = throughput('chain-pure', chainPure, 50);
export const chainIdempotentLoad = throughput('chain-idempotent', chainIdempotent, 50);
export const fanLoad = throughput('fan-100', fan100, 10);
export const mapLoad = throughput('map-100', map100, 10);
