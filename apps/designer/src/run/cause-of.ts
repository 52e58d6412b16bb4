import type { NodeRunHistory, NodeRunMoment, RunHistory } from './history.ts';

/** True for a node run that failed, also while it waits for a person to say what follows. */
export const isFailed = (moment: NodeRunMoment | undefined): boolean =>
  moment?.status === 'failed' || (moment?.status === 'waiting' && moment.reason === 'failure');

/**
 * The node run whose failure made others fail: of those inside a container, or of the whole run, the first that failed for good, and
 * of what is inside that again the first.
 *
 * @param path of the container; empty: the run
 * @returns its path; undefined when nothing inside failed for good
 */
export function causeOf(history: RunHistory, seq: number, path = ''): string | undefined {
  let cause: { readonly path: string; readonly seq: number } | undefined;
  for (const inside of history.below.get(path) ?? []) {
    if (!isFailed(history.nodeRunAt(inside.path, seq))) continue;
    const failedAt = failedForGoodAt(inside, seq);
    if (failedAt !== undefined && (!cause || failedAt < cause.seq))
      cause = { path: inside.path, seq: failedAt };
  }
  return cause && (causeOf(history, seq, cause.path) ?? cause.path);
}

/** Items and turns are continued past by themselves; what that means is for their container to say. */
function failedForGoodAt({ path, events }: NodeRunHistory, seq: number): number | undefined {
  const failure = events.findLast((event) => event.type === 'outcome.failed' && event.seq <= seq);
  if (failure?.type !== 'outcome.failed') return undefined;
  const isItem = /(?:^|\/)(?:turn-)?\d+$/.test(path);
  const isPassed = failure.data.next === 'continue' || failure.data.next === 'fallback';
  return isPassed && !isItem ? undefined : failure.seq;
}
