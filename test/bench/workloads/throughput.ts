import { checkResults } from '../check-results.ts';
import { cpuPer1000, totalCpu } from '../cpu.ts';
import { type BenchFlow, chainIdempotent, chainPure, fan100, map100 } from '../flows.ts';
import { driveLoad, type LoadReport, type Until } from '../load.ts';
import { note } from '../notes.ts';
import { spread } from '../result.ts';
import type { System } from '../system.ts';
import type { Workload } from '../workload.ts';

/** A closed loop with a fixed number of runs in flight. */
function throughput(name: string, flow: BenchFlow, inFlight: number): Workload {
  return {
    name,
    async measure(system, { quick, rounds }) {
      await warmUp(system, flow, { inFlight, sliceMs: quick ? 200 : 1_000, mostSlices: quick ? 4 : 12 });
      const until = { ms: quick ? 300 : 4_000 };
      const reports = await measureRounds(system, flow, { inFlight, until, rounds });
      const cpuByProcess = cpuPer1000(reports);
      return [
        {
          workload: name,
          backend: system.backend,
          unit: 'node runs/s',
          ...spread(reports.map((report) => report.nodeRunsPerSecond)),
          cpuSecondsPer1000: totalCpu(cpuByProcess),
          cpuByProcess,
        },
      ];
    },
  };
}

/**
 * Load until two slices in a row were no faster than the best one before: fresh processes compile their code and their
 * statements for a while, and that is not what is measured.
 */
export async function warmUp(
  system: System,
  flow: BenchFlow,
  { inFlight, sliceMs, mostSlices }: { inFlight: number; sliceMs: number; mostSlices: number },
): Promise<void> {
  let best = 0;
  let noFaster = 0;
  for (let slice = 0; slice < mostSlices && noFaster < 2; slice++) {
    const { nodeRunsPerSecond } = await driveLoad(system, flow, { inFlight, until: { ms: sliceMs } });
    noFaster = nodeRunsPerSecond > best * 1.05 ? 0 : noFaster + 1;
    best = Math.max(best, nodeRunsPerSecond);
  }
}

/** Rounds of load, each checked. */
export async function measureRounds(
  system: System,
  flow: BenchFlow,
  { inFlight, until, rounds }: { inFlight: number; until: Until; rounds: number },
): Promise<LoadReport[]> {
  const reports: LoadReport[] = [];
  for (let round = 1; round <= rounds; round++) {
    const report = await driveLoad(system, flow, { inFlight, until });
    const rate = Math.round(report.nodeRunsPerSecond);
    const cpu = totalCpu(cpuPer1000([report]))?.toFixed(3) ?? '?';
    note(`  round ${round}: ${rate} node runs/s, ${cpu} CPU s per 1,000 (${report.runIds.length} runs)`);
    await checkResults(system, flow, report.runIds);
    reports.push(report);
  }
  return reports;
}

export const chainPureLoad = throughput('chain-pure', chainPure, 50);
export const chainIdempotentLoad = throughput('chain-idempotent', chainIdempotent, 50);
export const fanLoad = throughput('fan-100', fan100, 10);
export const mapLoad = throughput('map-100', map100, 10);
