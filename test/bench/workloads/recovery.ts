import { checkResults } from '../check-results.ts';
import { slowChain } from '../flows.ts';
import { awaitSuccess } from '../load.ts';
import { note } from '../notes.ts';
import { recordedStarts } from '../recorded-starts.ts';
import { median, type Result, spread } from '../result.ts';
import type { System } from '../system.ts';
import type { Workload } from '../workload.ts';

const RUNS = 50;

/** Seconds after SIGKILL of one round. */
interface Recovered {
  /** The new worker said that it is ready. */
  readonly ready: number;
  /** Every one of the runs executes a tool again, or has ended. */
  readonly running: number;
  /** Every one of the runs has ended. */
  readonly ended: number;
}

/** SIGKILL of the only worker while all runs are in a tool; another worker is started at once, with default settings. */
export const recovery: Workload = {
  name: 'recovery',
  async measure(system, { quick, rounds }) {
    const undisturbed = await timeUndisturbed(system);
    const recovered: Recovered[] = [];
    for (let round = 1; round <= (quick ? 1 : rounds); round++) {
      const times = await killAndRecover(system);
      note(
        `  round ${round}: running again after ${times.running.toFixed(2)} s, all ended after ${times.ended.toFixed(2)} s`,
      );
      recovered.push(times);
    }
    const common = { backend: system.backend, unit: 's', cpuSecondsPer1000: null } as const;
    const details = {
      newWorkerReadySeconds: median(recovered.map(({ ready }) => ready)),
      undisturbedSetSeconds: undisturbed,
    };
    const results: Result[] = [
      {
        workload: 'recovery',
        ...common,
        ...spread(recovered.map(({ running }) => running)),
        details,
        note: `from SIGKILL of the worker until every one of ${RUNS} runs executes a tool again; a new worker is started at once and its start-up is included (ready after ${details.newWorkerReadySeconds.toFixed(2)} s)`,
      },
      {
        workload: 'recovery-total',
        ...common,
        ...spread(recovered.map(({ ended }) => ended)),
        details,
        note: `from SIGKILL until all ${RUNS} runs have succeeded; each has three tool calls of 500 ms one after the other, and an undisturbed set takes ${undisturbed.toFixed(2)} s`,
      },
    ];
    return results;
  },
};

async function startSet(system: System): Promise<{ runIds: string[]; ended: Promise<unknown> }> {
  const runIds = await Promise.all(Array.from({ length: RUNS }, () => system.start(slowChain)));
  const ended = Promise.all(runIds.map((runId) => awaitSuccess(system, runId)));
  ended.catch(() => {});
  return { runIds, ended };
}

async function timeUndisturbed(system: System): Promise<number> {
  const begun = performance.now();
  const { ended } = await startSet(system);
  await ended;
  return (performance.now() - begun) / 1_000;
}

async function killAndRecover(system: System): Promise<Recovered> {
  const { runIds, ended } = await startSet(system);
  await untilAllRun(system, runIds);
  const killedNs = process.hrtime.bigint();
  const since = (): number => Number(process.hrtime.bigint() - killedNs) / 1e9;
  system.killWorker();
  await system.replaceWorker();
  const ready = since();
  await ended;
  const endedAfter = since();
  system.checkHealth();
  await checkResults(system, slowChain, runIds);
  return { ready, running: await runningAgain(system, runIds, killedNs), ended: endedAfter };
}

/** Seconds until the last run executed a tool again; a run that had nothing left to execute does not count. */
async function runningAgain(system: System, runIds: readonly string[], killedNs: bigint): Promise<number> {
  let last = killedNs;
  for (const starts of (await recordedStarts(system, runIds)).values()) {
    const first = starts.find((startedNs) => startedNs > killedNs);
    if (first !== undefined && first > last) last = first;
  }
  if (last === killedNs)
    throw new Error('recovery: no run was interrupted, so there was nothing to recover.');
  return Number(last - killedNs) / 1e9;
}

/** One look at all runs at a time. */
async function untilAllRun(system: System, runIds: readonly string[]): Promise<void> {
  for (let looks = 0; looks < 500; looks++) {
    const { rows } = await system.pool.query<{ running: number }>(
      `select count(*)::int as running from node_run where run_id = any($1::uuid[]) and status = 'running'`,
      [runIds],
    );
    if (rows[0]!.running === RUNS) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`recovery: not all of ${RUNS} runs were in a tool at the same time within 5 s.`);
}
