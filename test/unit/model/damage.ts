import { NODE_RUN_STATUSES, type NodeRunState, RUN_STATUSES } from '@pawl/dag-core';
import type { StoredRun } from './database.ts';

/** Something that becomes wrong in what is stored of a run. */
export interface Damage {
  readonly name: string;
  /** @returns what takes it back, for what no repair may mend */
  does(run: StoredRun, row: NodeRunState): (() => void) | undefined;
}

const inRow = (name: string, does: (row: NodeRunState, run: StoredRun) => unknown): Damage => ({
  name,
  does: (run, row) => void does(row, run),
});
const inRun = (name: string, does: (run: StoredRun) => unknown): Damage => ({
  name,
  does: (run) => void does(run),
});

/** Whether a node run is ready or running no journal tells: who says the wrong one of the two is believed. */
const isActive = (status: string): boolean => status === 'ready' || status === 'running';

/** What may become wrong with rows, in every way that a repair can see; and one that it must not believe. */
export const damages: readonly Damage[] = [
  inRow('status', (row) => {
    const others = NODE_RUN_STATUSES.filter((status) => !isActive(status) || !isActive(row.status));
    row.status = others[(others.indexOf(row.status) + 5) % others.length]!;
  }),
  inRow('row', ({ path }, { rows }) => rows.byPath.delete(path)),
  inRow('another row', (row, { rows }) => rows.add({ ...row, path: 'nowhere', status: 'ready' })),
  inRow('counts', (row) => {
    row.pendingEdges += 1;
    row.liveEdges = 0;
  }),
  inRow('holder', (row) => {
    if (row.status === 'running') row.workerId = 'nobody knows';
  }),
  inRow('intent', (row) => {
    row.intentSeq = undefined;
    row.effect = undefined;
    row.reserved = undefined;
  }),
  inRow('facts', (row) => {
    row.more = undefined;
  }),
  inRun('run status', (run) => {
    const at = RUN_STATUSES.indexOf(run.state.status);
    run.state = { ...run.state, status: RUN_STATUSES[(at + 3) % RUN_STATUSES.length]! };
  }),
  inRun('run counts', (run) => {
    run.state = { ...run.state, openCount: run.state.openCount + 2, activeCount: 0 };
  }),
  inRun('run budget', (run) => {
    const spent = { ...run.state.spent, tokens: 0 };
    run.state = { ...run.state, spent, reserved: spent, limits: {} };
  }),
  inRun('run facts', (run) => {
    const { more: _, failure: __, ...state } = run.state;
    run.state = { ...state, nextSeq: state.nextSeq - 1 };
  }),
  {
    name: 'journal',
    does({ journal }) {
      const event = journal.pop()!;
      return () => void journal.push(event);
    },
  },
];
