import { checkResults } from '../check-results.ts';
import { cpuBetween, cpuPer1000, totalCpu } from '../cpu.ts';
import { type BenchFlow, chainPure, noteStart } from '../flows.ts';
import { awaitSuccess, runToEnd } from '../load.ts';
import { note } from '../notes.ts';
import { recordedStarts } from '../recorded-starts.ts';
import { type CpuSeconds, median, spread } from '../result.ts';
import type { System } from '../system.ts';
import type { Workload } from '../workload.ts';

/** Milliseconds of each of `count` runs, one after the other on an idle system. */
type Sample = (system: System, count: number) => Promise<{ runIds: string[]; times: number[] }>;

/** One run at a time. A round's figure is the median of its runs. */
function latency(name: string, flow: BenchFlow, sample: Sample, explanation: string): Workload {
  return {
    name,
    async measure(system, { quick, rounds }) {
      const count = quick ? 25 : 300;
      await sample(system, count);
      const medians: number[] = [];
      const tails: number[] = [];
      const used: { cpu: CpuSeconds; nodeRuns: number }[] = [];
      for (let round = 1; round <= rounds; round++) {
        const before = system.cpu();
        const { runIds, times } = await sample(system, count);
        used.push({ cpu: cpuBetween(before, system.cpu()), nodeRuns: count * flow.nodeRuns });
        await checkResults(system, flow, runIds);
        times.sort((a, b) => a - b);
        medians.push(median(times));
        tails.push(times[Math.ceil(times.length * 0.95) - 1]!);
        note(`  round ${round}: median ${medians.at(-1)!.toFixed(2)} ms of ${count} runs`);
      }
      const cpuByProcess = cpuPer1000(used);
      return [
        {
          workload: name,
          backend: system.backend,
          unit: 'ms',
          ...spread(medians),
          cpuSecondsPer1000: totalCpu(cpuByProcess),
          cpuByProcess,
          details: { samplesPerRound: count, p95Ms: median(tails) },
          note: explanation,
        },
      ];
    },
  };
}

export const soloChain = latency(
  'solo-chain',
  chainPure,
  async (system, count) => {
    const runIds: string[] = [];
    const times: number[] = [];
    for (let i = 0; i < count; i++) {
      const begun = performance.now();
      runIds.push(await runToEnd(system, chainPure));
      times.push(performance.now() - begun);
    }
    return { runIds, times };
  },
  'from the start call until the end was announced and read from the database, one run at a time; min and max are medians of rounds',
);

export const startLatency = latency(
  'start-latency',
  noteStart,
  async (system, count) => {
    const runIds: string[] = [];
    const begun: bigint[] = [];
    for (let i = 0; i < count; i++) {
      begun.push(process.hrtime.bigint());
      runIds.push(await system.start(noteStart));
      await awaitSuccess(system, runIds[i]!);
    }
    const starts = await recordedStarts(system, runIds);
    return { runIds, times: runIds.map((runId, i) => Number(starts.get(runId)![0]! - begun[i]!) / 1e6) };
  },
  'from the start call until the code of the first tool runs in the worker (the tool notes the clock that all processes share), one run at a time; min and max are medians of rounds',
);
