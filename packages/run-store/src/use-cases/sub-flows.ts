import { wordDown, wordUp } from '@pawl/dag-core';
import type { AddressedWord } from '../sql/words.ts';
import type { Admission } from './admit-runs.ts';
import type { RunDecision } from './decide-entries.ts';

// Rules kept here: F1 the run of a sub-flow is admitted with what starts it; F4 a word says how the run that speaks stands now.

/** The runs of sub-flows that a decision admits. */
export function admissionsOf({ run, view, starts }: RunDecision): Admission[] {
  const { more } = view.run;
  return starts.map(({ path, runId, flow, versionId, graph, input, budget, ...start }) => ({
    runId,
    workspaceId: run.workspaceId,
    flow,
    versionId,
    graph,
    input,
    ...(start.inputRef && { inputRef: start.inputRef }),
    budget,
    trigger: start.undoing ? 'undo' : 'flow',
    by: 'parent',
    seed: runId,
    ...(more?.mode && { mode: more.mode }),
    ...(more?.priority !== undefined && { priority: more.priority }),
    ...(start.timeoutMs !== undefined && { timeoutMs: start.timeoutMs }),
    ...(start.trace && { trace: start.trace }),
    ...(start.allowance && { allowance: start.allowance }),
    ...(start.undoing && { undoing: start.undoing }),
    parent: {
      runId: run.id,
      path,
      versionId: run.versionId,
      depth: (more?.parent?.depth ?? 0) + 1,
      ...(start.undoes && { undoes: start.undoes }),
    },
  }));
}

/** What a run says to the runs above and below it after a decision. */
export function wordsOf({
  run: { id, workspaceId },
  view: { run, rows, tell },
}: {
  readonly run: Pick<RunDecision['run'], 'id' | 'workspaceId'>;
  readonly view: RunDecision['view'];
}): AddressedWord[] {
  return [...tell].flatMap((path): AddressedWord[] => {
    const { parent } = run.more ?? {};
    if (path === '' && parent) {
      const said = wordUp(id, run);
      const to = { toRunId: parent.runId, path: parent.path, versionId: parent.versionId };
      return [{ ...to, fromRunId: id, seq: said.seq, isUp: true, said, workspaceId }];
    }
    const row = rows.peek(path);
    const { subFlow } = row?.more ?? {};
    if (!row || !subFlow) return [];
    const said = wordDown(run, row);
    const to = { toRunId: subFlow.runId, path, versionId: subFlow.versionId };
    return [{ ...to, fromRunId: id, seq: said.seq, isUp: false, said, workspaceId }];
  });
}
