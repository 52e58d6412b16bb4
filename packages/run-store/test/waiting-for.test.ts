// Catches: an unfinished state that cannot say what it waits for (V15), or says something untrue.
import { isTerminalNodeRun, isTerminalRun, NODE_RUN_STATUSES, RUN_STATUSES } from '@pawl/dag-core';
import { describe, expect, test } from 'vitest';
import { type NodeRunWaitColumns, nodeRunWaitsFor, type RunWaitColumns, runWaitsFor } from '../src/index.ts';

const statusAt = new Date('2026-11-20T10:00:00.5Z');
const since = '2026-11-20T10:00:00.500Z';
const later = new Date('2026-11-20T11:00:00Z');
const until = '2026-11-20T11:00:00.000Z';
const aRun = (columns: Partial<RunWaitColumns>): RunWaitColumns => ({
  id: 'r1',
  status: 'running',
  statusAt,
  ...columns,
});
const aNode = (columns: Partial<NodeRunWaitColumns>): NodeRunWaitColumns => ({
  status: 'running',
  statusAt,
  pendingEdges: 0,
  ...columns,
});
const failure = {
  code: 'rate_limited',
  message: 'Too many requests.',
  class: 'transient',
  detail: 'x',
} as const;
const told = { code: 'rate_limited', message: 'Too many requests.' };

test.each(RUN_STATUSES)(
  'V15: a run that is %s says what it waits for exactly when it is not finished',
  (status) => {
    expect(runWaitsFor(aRun({ status })) === undefined).toBe(isTerminalRun(status));
  },
);

test.each(NODE_RUN_STATUSES)('V15: a node run that is %s says so exactly when it has not ended', (status) => {
  expect(nodeRunWaitsFor(aNode({ status })) === undefined).toBe(isTerminalNodeRun(status));
});

describe('lines', () => {
  const place = { since: later, until: null };
  test.each([
    ['tool:crm.find@2', { kind: 'worker', detail: { reason: 'no_worker_has_tool', tool: 'crm.find@2' } }],
    ['provider:openai', { kind: 'worker', detail: { reason: 'no_worker_has_provider', provider: 'openai' } }],
    ['limit:w1 openai:gpt-5', { kind: 'limit', detail: { reason: 'rate_limit', limit: 'openai:gpt-5' } }],
  ])('V15: who stands in the line %s says so, since it stands there', (key, expected) => {
    const node = nodeRunWaitsFor(aNode({ status: 'ready', place: { ...place, key } }));
    expect(node).toMatchObject({ ...expected, since: until });
    const run = runWaitsFor(aRun({ place: { ...place, key, paths: ['a', 'b'] } }));
    expect(run).toMatchObject({
      ...expected,
      since: until,
      detail: { ...expected.detail, paths: ['a', 'b'] },
    });
  });
});

describe('runs', () => {
  test.each([
    ['pending', { kind: 'worker', since, until }],
    ['running', { kind: 'nodes', since, until }],
    ['waiting', { kind: 'nodes', since, until }],
    ['paused', { kind: 'budget', since, hint: 'Raise its budget: pawl run budget r1' }],
    ['cancelling', { kind: 'cancel', since }],
  ] as const)('%s with a deadline', (status, expected) => {
    expect(runWaitsFor(aRun({ status, deadlineAt: later }))).toEqual(expected);
  });

  test('without a deadline there is no end', () => {
    expect(runWaitsFor(aRun({ deadlineAt: null }))).toEqual({ kind: 'nodes', since });
  });

  test('V15: a waiting run says that a person is needed, for which node runs and since when', () => {
    const first = new Date('2026-01-01T00:00:00.000Z');
    const openWork = {
      persons: 2,
      paths: ['charge', 'mail'],
      since: first,
      blocked: [],
      wakeAt: later,
      signals: [],
      subFlows: [],
      callbacks: [],
    };
    expect(runWaitsFor(aRun({ status: 'waiting', openWork }))).toEqual({
      kind: 'person',
      since: first.toISOString(),
      detail: { nodeRuns: 2, paths: ['charge', 'mail'] },
      hint: 'See what is asked: pawl inbox list --run r1',
    });
  });

  test('V15: a waiting run with nothing but retries says when the next is due; a paused one what lacks budget', () => {
    const none = {
      persons: 0,
      paths: [],
      since: null,
      blocked: ['say'],
      wakeAt: later,
      signals: [],
      subFlows: [],
      callbacks: [],
    };
    expect(runWaitsFor(aRun({ status: 'waiting', openWork: none }))).toMatchObject({
      kind: 'timer',
      until: later.toISOString(),
    });
    expect(runWaitsFor(aRun({ status: 'paused', openWork: none }))).toMatchObject({
      kind: 'budget',
      detail: { paths: ['say'] },
    });
  });
});

describe('node runs', () => {
  const cases: [string, Partial<NodeRunWaitColumns>, object][] = [
    [
      'pending',
      { status: 'pending', pendingEdges: 2 },
      { kind: 'edges', since, detail: { pendingEdges: 2 } },
    ],
    ['ready', { status: 'ready' }, { kind: 'worker', since }],
    ['running', { status: 'running', wakeAt: later }, { kind: 'outcome', since }],
    [
      'a retry',
      { status: 'retry_wait', wakeAt: later, failure },
      { kind: 'timer', since, until, detail: { failure: told } },
    ],
    [
      'a doubt',
      { status: 'uncertain', reason: 'worker_lost' },
      { kind: 'person', since, detail: { reason: 'worker_lost' } },
    ],
    [
      'no budget',
      { status: 'blocked', reason: 'budget' },
      { kind: 'budget', since, detail: { reason: 'budget' } },
    ],
    [
      'a paused failure',
      { status: 'waiting', reason: 'failure', failure },
      { kind: 'person', since, detail: { reason: 'failure', failure: told } },
    ],
    [
      'an approval',
      { status: 'waiting', reason: 'approval', wakeAt: later, question: 'r1.7' },
      {
        kind: 'person',
        since,
        until,
        detail: { reason: 'approval', question: 'r1.7' },
        hint: 'Answer it: pawl inbox show r1.7, then pawl inbox answer r1.7 <decision>',
      },
    ],
    [
      'a map',
      { status: 'waiting', reason: 'children', itemCount: 40, doneItems: 12, failedItems: 1 },
      { kind: 'children', since, detail: { items: 40, done: 12, failed: 1 } },
    ],
    [
      'an item of a map',
      { status: 'waiting', reason: 'nodes', openCount: 3 },
      { kind: 'nodes', since, detail: { open: 3 } },
    ],
    [
      'a signal',
      { status: 'waiting', reason: 'signal', wakeAt: later, awaits: { name: 'paid', key: "o'1" } },
      {
        kind: 'signal',
        since,
        until,
        detail: { name: 'paid', key: "o'1" },
        hint: String.raw`Send it: pawl signal send paid 'o'\''1'`,
      },
    ],
    ['a timer', { status: 'waiting', wakeAt: later }, { kind: 'timer', since, until }],
  ];
  test.each(cases)('%s', (_, columns, expected) => {
    expect(nodeRunWaitsFor(aNode(columns))).toEqual(expected);
  });
});
