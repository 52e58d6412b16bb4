import { checkResults } from '../check-results.ts';
import { cpuBetween, cpuPer1000, totalCpu } from '../cpu.ts';
import { single } from '../flows.ts';
import { awaitSuccess } from '../load.ts';
import { note } from '../notes.ts';
import { type CpuSeconds, spread } from '../result.ts';
import type { System } from '../system.ts';
import type { Workload } from '../workload.ts';

/** Callers that each wait for the answer before they start the next run. */
const CALLERS = 20;

/** Starts over HTTP, while the worker executes what was started. */
export const httpStart: Workload = {
  name: 'http-start',
  async measure(system, { quick, rounds }) {
    const ms = quick ? 300 : 3_000;
    await startFor(system, ms);
    const rates: number[] = [];
    const used: { cpu: CpuSeconds; nodeRuns: number }[] = [];
    for (let round = 1; round <= rounds; round++) {
      const before = system.cpu();
      const { runIds, perSecond } = await startFor(system, ms);
      used.push({ cpu: cpuBetween(before, system.cpu()), nodeRuns: runIds.length });
      note(`  round ${round}: ${Math.round(perSecond)} starts/s`);
      await checkResults(system, single, runIds);
      rates.push(perSecond);
    }
    const cpuByProcess = cpuPer1000(used);
    return [
      {
        workload: 'http-start',
        backend: system.backend,
        unit: 'starts/s',
        ...spread(rates),
        cpuSecondsPer1000: totalCpu(cpuByProcess),
        cpuByProcess,
        note: `POST of runs of one node by ${CALLERS} callers; the client's CPU time is in "bench"`,
      },
    ];
  },
};

async function startFor(system: System, ms: number): Promise<{ runIds: string[]; perSecond: number }> {
  const runIds: string[] = [];
  const ends: Promise<void>[] = [];
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (performance.now() - begun < ms) {
        const body = { flow: single.document.name, input: single.input as never };
        const { runId } = await system.client.startRun({ body });
        runIds.push(runId);
        const end = awaitSuccess(system, runId);
        end.catch(() => {}); // heard below, when all have started
        ends.push(end);
      }
    }),
  );
  const perSecond = runIds.length / ((performance.now() - begun) / 1_000);
  await Promise.all(ends);
  system.checkHealth();
  return { runIds, perSecond };
}
