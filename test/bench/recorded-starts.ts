import type { System } from './system.ts';

/**
 * When the tools of runs began, as they noted it in their outputs: nanoseconds of the monotonic clock, by run, in order.
 * Calls that a killed worker began left no output and are not in it.
 */
export async function recordedStarts(
  system: System,
  runIds: readonly string[],
): Promise<Map<string, bigint[]>> {
  const { rows } = await system.pool.query<{ run_id: string; started: string }>(
    `select run_id, data -> 'output' ->> 'startedNs' as started
     from journal where run_id = any($1::uuid[]) and type = 'outcome.succeeded'`,
    [runIds],
  );
  const starts = new Map<string, bigint[]>(runIds.map((runId) => [runId, []]));
  for (const { run_id, started } of rows) starts.get(run_id)!.push(BigInt(started));
  for (const list of starts.values()) list.sort((a, b) => (a < b ? -1 : 1));
  return starts;
}
