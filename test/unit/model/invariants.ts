import { canonicalJson, isTerminalRun, type RecordedEvent } from '@pawl/dag-core';
import { brokenInvariants } from '../../../packages/dag-core/test/advance/chaos.ts';
import type { StoredRun } from './database.ts';
import { effectOf } from './effects.ts';
import type { World } from './world.ts';

/** What is known of a system from outside: how it ended what it ended. */
export class Model {
  /** How each run ended, once it has: status and everything its rows say (V11). */
  readonly ended = new Map<string, string>();

  /** Everything that does not hold now, as sentences. */
  broken(world: World): string[] {
    for (const run of world.runs) world.database.changed.add(run);
    return this.brokenSince(world);
  }

  /** What does not hold now about runs that were changed since it was asked last. */
  brokenSince(world: World): string[] {
    const { changed } = world.database;
    const sentences = [...changed].flatMap((run) => [
      ...this.#brokenRun(world, run),
      ...brokenSubFlows(world, run),
    ]);
    changed.clear();
    for (const { key, attempt, hadIntent } of world.outside.requests)
      if (!hadIntent) sentences.push(`V1 ${key} was sent in attempt ${attempt} without an intent`);
    return sentences;
  }

  #brokenRun(world: World, run: StoredRun): string[] {
    const { id, journal, rows, state } = run;
    const sentences = brokenInvariants(world.database.viewOf(run)).map((sentence) => `${id}: ${sentence}`);
    for (const difference of world.database.differences(run))
      sentences.push(`V12 ${id}: ${difference} is not what the journal says`);
    sentences.push(...brokenJournal(id, journal));
    const { limits, spent, reserved, status, nextSeq: _, ...rest } = state;
    if (limits.tokens !== undefined && spent.tokens + reserved.tokens > limits.tokens)
      sentences.push(`V6 ${id}: ${spent.tokens} + ${reserved.tokens} tokens of ${limits.tokens}`);
    const all = [...rows.byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    const facts = [status, rest, spent, reserved, all.map((row) => ({ ...row, attempt: 0 }))];
    const told = isTerminalRun(status) ? canonicalJson(JSON.parse(JSON.stringify(facts))) : '';
    const before = this.ended.get(id);
    if (before !== undefined && before !== told) sentences.push(`V11 ${id} changed after its end`);
    if (isTerminalRun(status)) this.ended.set(id, told);
    for (const row of all) {
      const effect = effectOf(run, row);
      if (effect !== 'idempotent' && effect !== 'non_repeatable') continue;
      // V4, V5, T19: with whatever arguments, in however many attempts.
      const times = world.outside.timesOf(id, row.path);
      if (times > 1) sentences.push(`V5 the effect of ${id} ${row.path} happened ${times} times`);
      const isDone = row.status === 'succeeded' || row.status === 'compensated';
      if (isDone && row.more?.compensates && times === 0)
        sentences.push(`I3 ${id} ${row.path} is recorded as done and never happened`);
    }
    return sentences;
  }
}

function brokenJournal(id: string, journal: readonly RecordedEvent[]): string[] {
  const sentences: string[] = [];
  const lost = new Map<string, number>();
  const outcomes = new Map<string, number>();
  const callbacks = new Set<string>();
  for (const event of journal) {
    const { type, path, attempt, data } = event;
    if (type === 'attempt.lost') lost.set(path, attempt);
    const isOutcome = type === 'outcome.succeeded' || type === 'outcome.failed';
    const isOfWorker = isOutcome && !('settledBy' in data && data.settledBy);
    if (isOfWorker && attempt <= (lost.get(path) ?? -1))
      sentences.push(`V3 ${id}: ${path} ended by attempt ${attempt}, which was lost`);
    const isEnd =
      type === 'outcome.succeeded' ||
      (type === 'outcome.failed' && data.next !== 'retry' && data.next !== 'pause');
    if (isEnd) outcomes.set(path, (outcomes.get(path) ?? 0) + 1);
    if (!('callback' in data) || data.callback === undefined) continue;
    const said = `${path} ${data.callback}`;
    if (callbacks.has(said)) sentences.push(`T22 ${id}: ${said} counted twice`);
    callbacks.add(said);
  }
  for (const [path, count] of outcomes)
    if (count > 1) sentences.push(`V2 ${id}: ${path} has ${count} outcomes`);
  return sentences;
}

/** What holds between a run, the run above it, and those below it. */
function brokenSubFlows({ database }: World, run: StoredRun): string[] {
  const { id, state, journal, rows } = run;
  const sentences: string[] = [];
  const must = (holds: boolean, sentence: string) => {
    if (!holds) sentences.push(`${sentence}: ${id}`);
  };
  const isEnded = isTerminalRun(state.status);
  for (const { type, data } of journal) {
    if (type === 'flow.started') {
      const below = database.runs.get(data.runId);
      must(below?.state.more?.parent?.runId === id, `F1 ${data.runId} was started and is not there`);
      must(!isEnded || isTerminalRun(below!.state.status), `F2 ended before ${data.runId}`);
    }
    if (type !== 'flow.ended') continue;
    const { status, spent } = database.runs.get(data.runId)!.state;
    must(status === data.status, `F3 says that ${data.runId} is ${data.status}, and it is ${status}`);
    must(spent.tokens === data.spent.tokens, `F6 says that ${data.runId} spent ${data.spent.tokens}`);
  }
  const stops = journal.filter(({ type, data }) => type === 'run.cancelRequested' && data.by === 'parent');
  must(stops.length <= 1, `F5 was asked to stop ${stops.length} times`);
  const used = (each: StoredRun): number =>
    [...each.rows.byPath.values()].reduce((sum, row) => {
      if (row.kind !== 'flow') return sum + row.tokens + (row.reserved?.tokens ?? 0);
      return sum;
    }, 0) + below(each).reduce((sum, inner) => sum + used(inner), 0);
  const below = (each: StoredRun) =>
    each.state.more?.subFlows === undefined && each.journal.every(({ type }) => type !== 'flow.started')
      ? []
      : [...database.runs.values()].filter((other) => other.state.more?.parent?.runId === each.id);
  for (
    let each: StoredRun | undefined = run;
    each;
    each = database.runs.get(each.state.more?.parent?.runId ?? '')
  ) {
    const { tokens } = each.state.limits;
    must(
      tokens === undefined || used(each) <= tokens,
      `V6 F7 ${each.id} and those below it use more than ${tokens}`,
    );
  }
  if (isEnded)
    must(state.spent.tokens === used(run), `F6 spent ${state.spent.tokens}, and its tree ${used(run)}`);
  must(
    [...rows.byPath.values()].filter((row) => row.reason === 'flow').length === (state.more?.subFlows ?? 0),
    'F2 miscounts its sub-flows',
  );
  return sentences;
}
