// Which mistake would this catch? Progress that counts twice, forgets a retry, overflows the terminal or garbles it.
import type { RecordedEvent } from '@pawl/dag-core';
import { describe, expect, test } from 'vitest';
import { openLiveArea } from '../../src/watch/live-area.ts';
import { progressLines, type RunFacts } from '../../src/watch/progress-lines.ts';
import { openProgressView } from '../../src/watch/progress-view.ts';
import {
  applyEvent,
  endedRuns,
  expectedRuns,
  newProgress,
  type RunProgress,
} from '../../src/watch/run-progress.ts';
import { fakeIo } from '../support/run-pawl.ts';
import { aDoubtfulRun, aJournal, aRun, greetDocument } from '../support/samples.ts';

const answer = { costNanoUsd: 5_000_000, usage: { input: 100, output: 20 } };
const opening = [
  { type: 'run.admitted' },
  { type: 'outcome.succeeded', path: 'list', data: { output: [] } },
  { type: 'map.expanded', path: 'each', data: { count: 3 } },
  { type: 'intent.recorded', path: 'each/0/write' },
  { type: 'intent.recorded', path: 'each/1/write' },
] as const;

function progressAfter(...events: Parameters<typeof aJournal>[0]): RunProgress {
  const progress = newProgress(greetDocument);
  for (const event of aJournal(events)) applyEvent(progress, event);
  return progress;
}
const failedNext = (next: string) => ({
  type: 'outcome.failed' as const,
  path: 'each/0/write',
  data: { next },
});
const facts = (run = aRun({ status: 'running', finishedAt: undefined })): RunFacts => run;
const write = (progress: RunProgress) => progress.nodes.get('write')!;

describe('the progress of a run', () => {
  test('when calls are sent and answered, they are running and then done; money and tokens add up', () => {
    const before = progressAfter(...opening);
    expect([write(before).sent.size, endedRuns(write(before)), expectedRuns(before, write(before))]).toEqual([
      2, 0, 3,
    ]);
    const after = progressAfter(...opening, {
      type: 'outcome.succeeded',
      path: 'each/0/write',
      data: { answer },
    });
    expect([write(after).sent.size, endedRuns(write(after))]).toEqual([1, 1]);
    expect([after.costNanoUsd, after.tokens, after.modelCalls]).toEqual([5_000_000, 120, 1]);
  });

  test('when an attempt fails and is tried again, it is held meanwhile and counted once', () => {
    const failed = failedNext('retry');
    expect(write(progressAfter(...opening, failed)).held.size).toBe(1);
    const again = progressAfter(...opening, failed, { type: 'intent.recorded', path: 'each/0/write' });
    expect([write(again).held.size, write(again).sent.size]).toEqual([0, 2]);
    const done = progressAfter(...opening, failed, { type: 'outcome.succeeded', path: 'each/0/write' });
    expect([write(done).held.size, endedRuns(write(done))]).toEqual([0, 1]);
  });

  test('when a loop begins turns, each counts as one that its nodes are expected in', () => {
    const body = { nodes: [{ id: 'x', kind: 'transform', value: 1 }], edges: [] } as const;
    const nodes = [{ id: 'again', kind: 'loop', until: 'index = 1', body }] as const;
    const progress = newProgress({ format: 'pawl/1', name: 'f', nodes, edges: [] });
    const events = [
      { type: 'run.admitted' },
      { type: 'loop.continued', path: 'again', data: { turn: 0 } },
      { type: 'outcome.succeeded', path: 'again/0/x', data: {} },
      { type: 'outcome.succeeded', path: 'again/0', data: {} },
      { type: 'loop.continued', path: 'again', data: { turn: 1 } },
    ] as const;
    for (const event of aJournal(events)) applyEvent(progress, event);
    const [again, x] = [progress.nodes.get('again')!, progress.nodes.get('x')!];
    expect([again.items, again.endedItems, endedRuns(again)]).toEqual([2, 1, 0]);
    expect([x.depth, x.container, endedRuns(x), expectedRuns(progress, x)]).toEqual([1, 'again', 1, 2]);
  });

  test('when an agent works, its turns count, its calls are under way and cost, and none of them is its end', () => {
    const agent = {
      id: 'agent',
      kind: 'agent',
      model: 'sim:x',
      prompt: 'p',
      tools: [{ tool: 'a@1' }],
    } as const;
    const nodes = [agent, { id: 'model', kind: 'transform', value: 1 }] as const;
    const progress = newProgress({ format: 'pawl/1', name: 'f', nodes, edges: [] });
    const events = [
      { type: 'run.admitted' },
      { type: 'agent.continued', path: 'agent', data: { turn: 0 } },
      { type: 'intent.recorded', path: 'agent/turn-0/model' },
      { type: 'outcome.succeeded', path: 'agent/turn-0/model', data: { answer } },
      { type: 'intent.recorded', path: 'agent/turn-0/a-0' },
      { type: 'intent.recorded', path: 'agent/turn-0/a-1' },
      { type: 'outcome.failed', path: 'agent/turn-0/a-0', data: { next: 'tell' } },
      { type: 'nodeRun.waiting', path: 'agent/turn-0/a-1' },
    ] as const;
    for (const event of aJournal(events)) applyEvent(progress, event);
    const [node, drawn] = [progress.nodes.get('agent')!, progress.nodes.get('model')!];
    expect([node.items, node.endedItems, endedRuns(node)]).toEqual([1, 0, 0]);
    expect([[...node.sent], [...node.held]]).toEqual([['agent/turn-0/a-1'], ['agent/turn-0/a-1']]);
    expect([progress.modelCalls, endedRuns(drawn)]).toEqual([1, 0]);
    for (const event of aJournal([
      { type: 'outcome.succeeded', path: 'agent/turn-0/a-1', data: {} },
      { type: 'outcome.succeeded', path: 'agent/turn-0', data: {} },
      { type: 'outcome.succeeded', path: 'agent', data: {} },
    ]))
      applyEvent(progress, event);
    expect([node.endedItems, endedRuns(node), node.sent.size, node.held.size]).toEqual([1, 1, 0, 0]);
  });

  test('when an item of a map ends, the map goes on until its own outcome', () => {
    const item = { type: 'outcome.succeeded', path: 'each/0' } as const;
    const each = progressAfter(...opening, item).nodes.get('each')!;
    expect([each.endedItems, each.items, endedRuns(each)]).toEqual([1, 3, 0]);
    const whole = progressAfter(...opening, item, { type: 'outcome.succeeded', path: 'each' }).nodes.get(
      'each',
    )!;
    expect([whole.endedItems, endedRuns(whole)]).toEqual([1, 1]);
  });

  test('when an outcome comes late, it changes nothing', () => {
    const waiting = {
      type: 'nodeRun.waiting',
      path: 'each/0/write',
      data: { status: 'uncertain', reason: 'lost' },
    } as const;
    const late = progressAfter(...opening, { type: 'attempt.lost', path: 'each/0/write' }, waiting, {
      type: 'outcome.late',
      path: 'each/0/write',
    });
    expect([write(late).held.size, write(late).sent.size, endedRuns(write(late))]).toEqual([1, 1, 0]);
  });

  test.each([
    ['continue', 'failed'],
    ['stop', 'failed'],
    ['fallback', 'degraded'],
  ] as const)('when a failure is answered by %s, the node run counts as %s', (next, as) => {
    const progress = progressAfter(...opening, failedNext(next));
    expect(write(progress)[as]).toBe(1);
  });

  test('when the picture is drawn, each node has its line, the body of a map below it', () => {
    const { io } = fakeIo();
    const progress = progressAfter(...opening, {
      type: 'outcome.succeeded',
      path: 'each/0/write',
      data: { answer },
    });
    applyEvent(progress, {
      ...(aJournal([{ type: 'outcome.succeeded', path: 'each/0' }])[0] as RecordedEvent),
    });
    expect(progressLines(facts(), progress, io)).toEqual([
      'greet running · 1 min 00 s · $0.0123 · 4,321 tokens · 1 call out',
      '✓ List people',
      '▸ Each person  ━━━━━─────────── 1/3',
      '▸   Write      ━━━━━─────────── 1/3  1 running',
      '· send',
    ]);
  });

  test('when it waits for a person, the picture says so', () => {
    const { io } = fakeIo();
    const lines = progressLines(facts(aDoubtfulRun()), progressAfter(...opening), io);
    expect(lines.at(-1)).toBe('waits for a decision (outcome_lost), for 30.0 s');
  });

  test('when the terminal is small, no line is wider and no more lines are drawn than fit; running nodes stay', () => {
    const many = Array.from({ length: 50 }, (_, index) => ({
      id: `n${index}`,
      kind: 'tool' as const,
      tool: 't@1',
    }));
    const progress = newProgress({ ...greetDocument, nodes: many });
    applyEvent(progress, {
      type: 'intent.recorded',
      path: 'n40',
      attempt: 1,
      seq: 1,
      at: 1,
      data: { v: 1 },
    } as unknown as RecordedEvent);
    const { io } = fakeIo();
    const lines = progressLines(facts(), progress, { ...io, rows: () => 12, columns: () => 30 });
    expect(lines.length).toBeLessThanOrEqual(11);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(29);
    expect(lines.some((line) => line.includes('n40'))).toBe(true);
    expect(lines.at(-1)).toMatch(/… \d+ more nodes/);
  });
});

describe('the live area', () => {
  /** What a terminal shows after these writes: lines, with cursor movement and clearing as a terminal does them. */
  function screenAfter(text: string): string[] {
    const lines = [''];
    let row = 0;
    for (const [part] of text.matchAll(/\u001b\[\??\d*[A-Za-z]|\n|\r|[^\u001b\n\r]+/g)) {
      const up = /^\u001b\[(\d+)A$/.exec(part);
      if (up) row -= Number(up[1]);
      else if (part === '\n') lines[++row] ??= '';
      else if (part === '\u001b[J') lines.splice(row, lines.length, '');
      else if (part === '\r' || part.startsWith('\u001b')) continue;
      else lines[row] = part;
    }
    return lines;
  }

  test('when drawn again, only what differs is written, in one write, and shorter pictures leave nothing behind', () => {
    const { io } = fakeIo();
    const writes: string[] = [];
    const area = openLiveArea({ ...io, out: (text) => writes.push(text) });
    area.draw(['one', 'two', 'three']);
    area.draw(['one', 'TWO', 'three']);
    expect(writes).toHaveLength(2);
    expect(writes[1]).toContain('TWO');
    expect(writes[1]).not.toContain('one');
    expect(screenAfter(writes.join(''))).toEqual(['one', 'TWO', 'three', '']);
    area.draw(['one']);
    expect(screenAfter(writes.join(''))).toEqual(['one', '']);
    area.note('worker 1 ended');
    expect(screenAfter(writes.join(''))).toEqual(['worker 1 ended', 'one', '']);
    area.draw(['one', 'two']);
    expect(screenAfter(writes.join(''))).toEqual(['worker 1 ended', 'one', 'two', '']);
    area.end();
    expect(writes[0]).toMatch(/^\u001b\[\?25l/);
    expect(writes.at(-1)).toBe('\u001b[?25h');
  });

  test('when there is no terminal, no control code is ever written and each thing is told once', () => {
    const { io, printed } = fakeIo();
    const view = openProgressView(io);
    const progress = progressAfter(...opening);
    for (let time = 0; time < 3; time++) view.show(facts(aDoubtfulRun()), progress);
    view.end();
    expect(printed.out).toBe('List people: done\nwaits for a decision (outcome_lost), for 30.0 s\n');
  });
});
