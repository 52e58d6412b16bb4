import type { NodeRunStatus } from '@pawl/dag-core';
import type { NodeRunHistory, NodeRunMoment, RunHistory } from '../run/history.ts';

// Rules kept here (SPEC.md): Y4 how each node of a draft stands in a test.

/** How nodes stand, by id. */
export type Marks = Readonly<Record<string, NodeRunMoment>>;

/** What matters first, of several node runs of one node. */
const ORDER: readonly NodeRunStatus[] = [
  ...(['failed', 'uncertain', 'blocked', 'running', 'ready', 'retry_wait', 'waiting', 'pending'] as const),
  ...(['succeeded', 'compensating', 'compensated', 'cancelled', 'skipped'] as const),
];

/** How each node stands now; of a node that stands before the part, that it is given. */
export function marksOf(history: RunHistory): Marks {
  const marks: Record<string, NodeRunMoment> = {};
  for (const [id, { origin, runId, path, isBefore }] of Object.entries(
    history.graph.document.test?.outputs ?? {},
  ))
    if (isBefore) marks[id] = given({ origin, ...(runId && { runId }), ...(path && { path }) });
  for (const nodeRun of nodeRunsIn(history)) {
    const moment = nodeRun.moments.at(-1)!;
    const known = marks[nodeRun.nodeId];
    const isFirst = known === undefined || known.seq === 0;
    if (isFirst || ORDER.indexOf(moment.status) < ORDER.indexOf(known.status)) marks[nodeRun.nodeId] = moment;
  }
  return marks;
}

/** The node runs of drawn nodes, as they were reached: no items, no turns, no parts of agents, nothing that was asked or undone. */
export const nodeRunsIn = ({ nodeRuns }: RunHistory): NodeRunHistory[] =>
  [...nodeRuns.values()].filter(
    ({ path, nodeId, kind }) => kind !== 'item' && path.slice(path.lastIndexOf('/') + 1) === nodeId,
  );

const given = (origin: NonNullable<NodeRunMoment['given']>): NodeRunMoment => ({
  seq: 0,
  at: 0,
  status: 'succeeded',
  attempt: 0,
  deadEdges: [],
  given: origin,
  costNanoUsd: 0,
  tokens: 0,
});
