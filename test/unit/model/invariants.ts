import { isTerminalRun } from '@pawl/dag-core';
import { brokenInvariants } from '../../../packages/dag-core/test/advance/chaos.ts';
import { effectOf, keyOf, type World } from './world.ts';

/** What is known of a system from outside: how it ended what it ended, and what people said did not happen. */
export class Model {
  /** How each run ended, once it has: status and everything its rows say (V11). */
  readonly ended = new Map<string, string>();
  /** How often a non-repeatable effect may have happened: once, and once more for each time a person said that it had not. */
  readonly allowed = new Map<string, number>();

  /** Everything that does not hold now, as sentences. */
  broken(world: World): string[] {
    const sentences: string[] = [];
    for (const run of world.runs) {
      const view = world.database.viewOf(run);
      for (const sentence of brokenInvariants(view)) sentences.push(`${run.id}: ${sentence}`);
      for (const difference of world.database.differences(run))
        sentences.push(`V12 ${run.id}: ${difference} is not what the journal says`);
      const { limits, spent, reserved, status, nextSeq: _, ...rest } = run.state;
      if (limits.tokens !== undefined && spent.tokens + reserved.tokens > limits.tokens)
        sentences.push(`V6 ${run.id}: ${spent.tokens} + ${reserved.tokens} tokens of ${limits.tokens}`);
      const lost = new Map<string, number>();
      for (const { type, path, attempt, data } of run.journal) {
        if (type === 'attempt.lost') lost.set(path, attempt);
        const isOutcome = type === 'outcome.succeeded' || type === 'outcome.failed';
        const isOfWorker = isOutcome && !('settledBy' in data && data.settledBy);
        if (isOfWorker && attempt <= (lost.get(path) ?? -1))
          sentences.push(`V3 ${run.id}: ${path} ended by attempt ${attempt}, which was lost`);
      }
      const outcomes = new Map<string, number>();
      for (const event of run.journal) {
        const isEnd =
          event.type === 'outcome.succeeded' ||
          (event.type === 'outcome.failed' && event.data.next !== 'retry' && event.data.next !== 'pause');
        if (isEnd) outcomes.set(event.path, (outcomes.get(event.path) ?? 0) + 1);
      }
      for (const [path, count] of outcomes)
        if (count > 1) sentences.push(`V2 ${run.id}: ${path} has ${count} outcomes`);
      const told = JSON.stringify([status, rest, spent, reserved, [...run.rows.byPath.values()]]);
      const before = this.ended.get(run.id);
      if (before !== undefined && before !== told) sentences.push(`V11 ${run.id} changed after its end`);
      if (isTerminalRun(status)) this.ended.set(run.id, told);
      for (const row of run.rows.byPath.values()) {
        const key = keyOf(run, row.path);
        const times = world.outside.applied.get(key) ?? 0;
        const effect = effectOf(run, row);
        if (effect === 'idempotent' && times > 1) sentences.push(`V4 ${key} happened ${times} times`);
        if (effect === 'non_repeatable' && times > (this.allowed.get(key) ?? 1))
          sentences.push(`V5 ${key} happened ${times} times`);
        const isEffect = effect === 'idempotent' || effect === 'non_repeatable';
        const wasSettled = run.journal.some(
          (event) =>
            event.path === row.path && 'settledBy' in event.data && event.data.settledBy !== undefined,
        );
        const hasSucceeded =
          (row.status === 'succeeded' || row.status === 'compensated') && row.more?.compensates;
        if (isEffect && hasSucceeded && !wasSettled && times === 0)
          sentences.push(`I3 ${key} is recorded as done and never happened`);
      }
    }
    for (const { key, attempt, hadIntent } of world.outside.requests)
      if (!hadIntent) sentences.push(`V1 ${key} was sent in attempt ${attempt} without an intent`);
    return sentences;
  }
}
