import type { FlowDocument, RecordedEvent } from '@pawl/dag-core';
import type { Flow, FlowVersion, NodeRun, Run, RunSummary } from '../../src/api-types.ts';

export const RUN_ID = '0197f0a0-0000-7000-8000-000000000001';
export const VERSION_ID = 'ab'.repeat(32);
/** The clock of tests. */
export const NOW = Date.parse('2026-01-02T03:04:05.000Z');
export const at = (secondsAgo: number): string => new Date(NOW - secondsAgo * 1_000).toISOString();

export const greetDocument: FlowDocument = {
  format: 'pawl/1',
  name: 'greet',
  title: 'Greet people',
  nodes: [
    { id: 'list', kind: 'tool', tool: 'people.list@1', title: 'List people' },
    {
      id: 'each',
      kind: 'map',
      over: '{{ nodes.list.output }}',
      title: 'Each person',
      body: {
        nodes: [{ id: 'write', kind: 'llm', model: 'sim:writer', prompt: 'Hello', title: 'Write' }],
        edges: [],
      },
    },
    { id: 'send', kind: 'tool', tool: 'mail.send@1' },
  ],
  edges: [
    { from: 'list', to: 'each' },
    { from: 'each', to: 'send' },
  ],
};

export const aRunSummary = (changes: Partial<RunSummary> = {}): RunSummary => ({
  id: RUN_ID,
  flow: 'greet',
  version: VERSION_ID,
  status: 'succeeded',
  degraded: [],
  budget: {
    limits: {},
    reserved: { costNanoUsd: 0, tokens: 0, modelCalls: 0 },
    spent: { costNanoUsd: 12_300_000, tokens: 4_321, modelCalls: 3 },
  },
  tags: {},
  createdAt: at(90),
  startedAt: at(90),
  finishedAt: at(77),
  lastSeq: 9,
  ...changes,
});

export const aRun = (changes: Partial<Run> = {}): Run => ({
  ...aRunSummary(),
  input: {},
  output: { sent: 2 },
  nodeRuns: { succeeded: 5 },
  ...changes,
});

/** A run that waits for a decision about an effect that may have happened. */
export const aDoubtfulRun = (): Run =>
  aRun({
    status: 'paused',
    output: undefined,
    finishedAt: undefined,
    waitingFor: { kind: 'person', since: at(30), detail: { reason: 'outcome_lost' } },
    nodeRuns: { succeeded: 4, uncertain: 1 },
  });

export const aNodeRun = (changes: Partial<NodeRun> = {}): NodeRun => ({
  path: 'list',
  nodeId: 'list',
  kind: 'tool',
  effect: 'pure',
  status: 'succeeded',
  attempt: 1,
  costUsd: 0,
  tokens: 0,
  startedAt: at(90),
  finishedAt: at(88),
  ...changes,
});

export const aFlow = (changes: Partial<Flow> = {}): Flow => ({
  name: 'greet',
  title: 'Greet people',
  revision: 3,
  publishedVersion: VERSION_ID,
  versionCount: 2,
  createdAt: at(9_000),
  updatedAt: at(7_200),
  document: greetDocument as unknown as Flow['document'],
  ...changes,
});

export const aVersion = (changes: Partial<FlowVersion> = {}): FlowVersion => ({
  id: VERSION_ID,
  flow: 'greet',
  number: 2,
  createdAt: at(7_200),
  document: greetDocument,
  ...changes,
});

/** Gives events their places: sequence from 1, a second apart. */
export const aJournal = (
  events: readonly (Pick<RecordedEvent, 'type'> & { path?: string; data?: object })[],
): RecordedEvent[] =>
  events.map(
    (event, index) =>
      ({
        type: event.type,
        path: event.path ?? '',
        attempt: event.path ? 1 : 0,
        data: { v: 1, ...event.data },
        seq: index + 1,
        at: NOW - 60_000 + index * 1_000,
      }) as RecordedEvent,
  );
