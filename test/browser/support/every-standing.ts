import type { FlowDocument, JournalEvent, NodeConfig, NodeRunStatus } from '@pawl/dag-core';
import { askDatabase } from '../../support/ask-database.ts';
import type { Pawl } from '../../support/pawl.ts';
import { call } from '../../support/watch-run.ts';

/** As a node run can be shown: `unheld` runs by the journal and at no worker; `given` had its output from elsewhere. */
export type Standing = NodeRunStatus | 'unheld' | 'given' | 'notReached';

interface Place {
  readonly node: NodeConfig;
  readonly column: number;
  readonly row: number;
  readonly standing: Standing;
}

const body = { nodes: [call('piece', 'pure', { title: 'Piece' })], edges: [] };

/** A node in each standing, in the cells of a grid. */
export const PLACES: readonly Place[] = [
  { column: 0, row: 0, standing: 'succeeded', node: call('done', 'pure', { title: 'Done' }) },
  {
    column: 0,
    row: 1,
    standing: 'waiting',
    node: { id: 'asks', kind: 'approval', title: 'Asks', subject: 'May we?' },
  },
  {
    column: 0,
    row: 2,
    standing: 'failed',
    node: call('failed', 'charge', { title: 'Failed', onError: { do: 'continue' } }),
  },
  {
    column: 0,
    row: 3,
    standing: 'succeeded',
    node: { id: 'choose', kind: 'switch', title: 'Choose', cases: [{ port: 'yes', when: 'true' }] },
  },
  { column: 1, row: 0, standing: 'pending', node: { id: 'both', kind: 'join', title: 'Both' } },
  {
    column: 1,
    row: 1,
    standing: 'notReached',
    node: { id: 'later', kind: 'emit', title: 'Later', signal: { name: 'ready' } },
  },
  { column: 1, row: 2, standing: 'ready', node: call('ready', 'put', { title: 'Ready' }) },
  {
    column: 1,
    row: 3,
    standing: 'given',
    node: { id: 'given', kind: 'transform', title: 'Given', value: '1' },
  },
  {
    column: 1,
    row: 4,
    standing: 'skipped',
    node: { id: 'skipped', kind: 'code', title: 'Skipped', source: 'export default () => 1' },
  },
  { column: 2, row: 0, standing: 'running', node: call('runs', 'charge', { title: 'Runs' }) },
  { column: 2, row: 1, standing: 'unheld', node: call('unheld', 'put', { title: 'Unheld' }) },
  { column: 2, row: 2, standing: 'retry_wait', node: call('again', 'put', { title: 'Again' }) },
  { column: 2, row: 3, standing: 'uncertain', node: call('doubt', 'charge', { title: 'Doubt' }) },
  {
    column: 2,
    row: 4,
    standing: 'blocked',
    node: { id: 'blocked', kind: 'llm', title: 'Blocked', model: 'sim:writer', prompt: 'Write.' },
  },
  { column: 3, row: 0, standing: 'cancelled', node: call('cancelled', 'pure', { title: 'Cancelled' }) },
  { column: 3, row: 1, standing: 'compensating', node: call('undoing', 'pay', { title: 'Undoing' }) },
  { column: 3, row: 2, standing: 'compensated', node: call('undone', 'reserve', { title: 'Undone' }) },
  {
    column: 3,
    row: 3,
    standing: 'waiting',
    node: { id: 'each', kind: 'map', title: 'Each', over: '{{ [1, 2, 3] }}', onItemError: 'collect', body },
  },
];

const FLOW: FlowDocument = {
  format: 'pawl/1',
  name: 'every-standing',
  title: 'Every standing',
  budget: { costUsd: 1 },
  nodes: PLACES.map(({ node }) => node),
  edges: [
    { from: 'done', to: 'both' },
    { from: 'asks', to: 'both' },
    { from: 'asks', to: 'later' },
    { from: 'failed', port: 'error', to: 'ready' },
    { from: 'choose', port: 'yes', to: 'given' },
    { from: 'choose', port: 'default', to: 'skipped' },
  ],
  layout: {
    ...Object.fromEntries(
      PLACES.map(({ node, column, row }) => [node.id, { x: column * 264, y: row * 100 }]),
    ),
    piece: { x: 24, y: 56 },
  },
};

/** Pixels that hold the graph at zoom 1, with the room that the graph keeps around it. */
export const GRAPH_SIZE = { width: 1_200, height: 528 } as const;

const noSuch = { code: 'no_such', message: 'It is not there.', class: 'permanent' } as const;
const busy = { code: 'busy', message: 'Try later.', class: 'transient' } as const;
const FAR_AWAY = Date.UTC(2100, 0);

const on = <T extends JournalEvent['type']>(
  path: string,
  type: T,
  data: Omit<Extract<JournalEvent, { type: T }>['data'], 'v'>,
): JournalEvent => ({ type, path, attempt: path ? 1 : 0, data: { v: 1, ...data } }) as JournalEvent;

const sends = (path: string, more: { compensates?: true } = {}): JournalEvent =>
  on(path, 'intent.recorded', {
    call: 0,
    effect: 'non_repeatable',
    target: 'ledger.charge@1',
    key: path,
    request: null,
    requestHash: '',
    ...more,
  });

/** What puts each node where it stands. No run has all of this at once; each part of it is as the rules allow. */
const EVENTS: readonly JournalEvent[] = [
  on('done', 'outcome.succeeded', { output: null }),
  on('asks', 'inbox.asked', { kind: 'approval', subject: 'May we?', shown: '' }),
  on('failed', 'outcome.failed', { failure: noSuch, next: 'continue' }),
  on('choose', 'outcome.succeeded', { output: null, ports: ['yes'] }),
  on('skipped', 'nodeRun.skipped', { killedBy: ['choose:default->skipped'] }),
  on('given', 'outcome.succeeded', { output: 1, given: { origin: 'pinned' } }),
  sends('runs'),
  sends('unheld'),
  on('again', 'outcome.failed', { failure: busy, next: 'retry', retryAt: FAR_AWAY }),
  sends('doubt'),
  on('doubt', 'attempt.lost', { workerId: 'gone', next: 'uncertain', reason: 'The worker was lost.' }),
  on('blocked', 'nodeRun.waiting', { status: 'blocked', reason: 'budget' }),
  on('cancelled', 'nodeRun.cancelled', { reason: 'stop' }),
  on('each', 'map.expanded', { count: 3, itemsHash: '' }),
  on('each/0/piece', 'outcome.succeeded', { output: null }),
  on('each/1/piece', 'outcome.failed', { failure: noSuch, next: 'stop' }),
  ...['undoing', 'undone'].flatMap((path) => [
    sends(path, { compensates: true }),
    on(path, 'outcome.succeeded', { output: null, call: 0 }),
  ]),
  on('', 'compensation.planned', { reason: 'failure', paths: ['undone', 'undoing'] }),
  on('undone/undo', 'outcome.succeeded', { output: null }),
];

/**
 * A run whose journal has a node in each standing. No worker may live that could take up what is ready.
 *
 * @returns its id
 */
export async function startInEveryStanding(pawl: Pawl): Promise<string> {
  await pawl.client.publishFlow({ params: { flow: FLOW.name }, body: FLOW as never });
  const { runId } = await pawl.client.startRun({ body: { flow: FLOW.name } });
  await askDatabase(
    pawl,
    `insert into journal (run_id, seq, type, path, attempt, at, data)
     select $1, (select max(seq) from journal where run_id = $1) + place, event ->> 'type', event ->> 'path',
       (event ->> 'attempt')::int, now(), event -> 'data'
     from json_array_elements($2::json) with ordinality as told (event, place)`,
    [runId, JSON.stringify(EVENTS)],
  );
  return runId;
}
