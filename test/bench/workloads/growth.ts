import { cpuPer1000, totalCpu } from '../cpu.ts';
import { chainPure } from '../flows.ts';
import { driveLoad } from '../load.ts';
import { note } from '../notes.ts';
import { spread } from '../result.ts';
import type { System } from '../system.ts';
import type { Workload } from '../workload.ts';
import { measureRounds, warmUp } from './throughput.ts';

const IN_FLIGHT = 50;

/**
 * The pure chain on an empty store and on one with many finished runs. The processes are warm before: the runs of the warm-up
 * are taken away again, else the first figure would be of cold processes. Rounds have a fixed count, so that they do not fill
 * the store by themselves.
 */
export const growth: Workload = {
  name: 'growth',
  needsFreshSystem: true,
  async measure(system, options) {
    const runsPerRound = options.quick ? 200 : 500;
    const rounds = options.quick ? options.rounds : Math.max(5, options.rounds);
    const finished = Math.max(options.quick ? 2_000 : 20_000, rounds * runsPerRound);
    const how = { inFlight: IN_FLIGHT, until: { runs: runsPerRound }, rounds };

    await warmUp(system, chainPure, {
      inFlight: IN_FLIGHT,
      sliceMs: options.quick ? 200 : 1_000,
      mostSlices: options.quick ? 5 : 12,
    });
    await emptyStore(system);
    const empty = await measureRounds(system, chainPure, how);
    const left = finished - rounds * runsPerRound;
    note(`  filling the store up to ${finished} finished runs`);
    if (left > 0) await driveLoad(system, chainPure, { inFlight: IN_FLIGHT, until: { runs: left } });
    const full = await measureRounds(system, chainPure, how);

    const before = spread(empty.map((report) => report.nodeRunsPerSecond));
    const after = spread(full.map((report) => report.nodeRunsPerSecond));
    const cpuByProcess = cpuPer1000(full);
    return [
      {
        workload: 'growth',
        backend: system.backend,
        unit: 'ratio',
        median: after.median / before.median,
        min: after.min / before.median,
        max: after.max / before.median,
        rounds,
        cpuSecondsPer1000: totalCpu(cpuByProcess),
        cpuByProcess,
        details: {
          emptyNodeRunsPerSecond: before.median,
          fullNodeRunsPerSecond: after.median,
          finishedRuns: finished,
          emptyCpuSecondsPer1000: totalCpu(cpuPer1000(empty)) ?? 0,
        },
        note: `chain-pure with ${finished} finished runs (${Math.round(after.median)} node runs/s) divided by chain-pure on a store with 0 to ${rounds * runsPerRound} (${Math.round(before.median)})`,
      },
    ];
  },
};

/** Takes away every run; nothing is under way. */
async function emptyStore(system: System): Promise<void> {
  await system.pool.query('truncate run, node_run, journal, outbox, dedupe');
}
