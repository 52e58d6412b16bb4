// Which mistake would this catch? An answer that is taken for another question than the one it was given to, two answers to one
// question, a deadline that is passed over, a node run that goes on unasked.
import { afterEach, describe, expect, it, test } from 'vitest';
import type { NodeRunState, Question } from '../../src/index.ts';
import { mapOf, node, Scene } from './scene.ts';

let scenes: Scene[] = [];
function aScene(...args: ConstructorParameters<typeof Scene>): Scene {
  const scene = new Scene(...args);
  scenes.push(scene);
  return scene;
}
/** J2 holds for every scene: the journal alone tells the same state, claims aside. */
afterEach(() => {
  const told = (row: NodeRunState) => ({
    ...row,
    workerId: undefined,
    attempt: undefined,
    status: row.status === 'running' ? 'ready' : row.status,
  });
  for (const scene of scenes) {
    const fold = scene.fold();
    expect(fold.run).toEqual(scene.run);
    expect([...fold.rows.byPath.values()].map(told)).toEqual([...scene.rows.byPath.values()].map(told));
  }
  scenes = [];
});

const by = 'key:ada';
const question: Question = { kind: 'approval', subject: 'May it?', shown: 'hash' };
const asking = (more: object = {}) => aScene([node('q', more), node('after')], [{ from: 'q', to: 'after' }]);

/** The node run asks; tells the number of its question. */
function ask(scene: Scene, path: string, more: object = {}): number {
  const { verdict } = scene.tell({ ...scene.claimed(path), type: 'asks', question, ...more });
  expect(verdict).toBe('applied');
  return scene.row(path).more!.question!;
}

describe('a question to a person (T14)', () => {
  it('waits without a worker and goes on with its answer', () => {
    const scene = asking();
    const seq = ask(scene, 'q', { clock: 5 });
    expect(scene.row('q')).toMatchObject({ status: 'waiting', reason: 'approval', workerId: undefined });
    expect(scene.journal[seq - 1]).toMatchObject({
      type: 'inbox.asked',
      path: 'q',
      data: { ...question, clock: 5 },
    });
    expect(scene.run.status).toBe('waiting');
    const told = scene.tell({
      type: 'answer',
      path: 'q',
      question: seq,
      decision: 'approved',
      values: { n: 1 },
      by,
    });
    expect(told).toMatchObject({
      verdict: 'applied',
      events: [
        { type: 'inbox.answered', data: { question: seq, decision: 'approved', by, values: { n: 1 } } },
        { type: 'nodeRun.resumed', data: { reason: 'answered', by } },
      ],
    });
    expect(scene.row('q')).toMatchObject({ status: 'ready', more: { answer: seq + 1 } });
    scene.succeed('q');
    expect(scene.statuses()).toEqual({ q: 'succeeded', after: 'ready' });
  });

  it('has one answer: the first', () => {
    const scene = asking();
    const seq = ask(scene, 'q');
    const answer = { type: 'answer', path: 'q', by } as const;
    expect(scene.tell({ ...answer, question: seq, decision: 'rejected' }).verdict).toBe('applied');
    expect(scene.tell({ ...answer, question: seq, decision: 'approved' })).toEqual({
      verdict: 'refused',
      events: [],
    });
    expect(scene.tell({ ...answer, decision: 'approved' })).toEqual({ verdict: 'refused', events: [] });
  });

  it('C74: an answer is for the question it names, never for the one that follows', () => {
    const scene = aScene([node('one'), node('two')], [{ from: 'one', to: 'two' }]);
    const first = ask(scene, 'one');
    scene.tell({ type: 'answer', path: 'one', question: first, decision: 'approved', by });
    scene.succeed('one');
    const second = ask(scene, 'two');
    expect(second).not.toBe(first);
    for (const wrong of [first, second + 1, 0])
      expect(
        scene.tell({ type: 'answer', path: 'two', question: wrong, decision: 'approved', by }).verdict,
      ).toBe('refused');
    expect(scene.row('two').status).toBe('waiting');
  });

  it('C74: an approval that asks again after a failure does not take the answer to its earlier question', () => {
    const scene = asking({ kind: 'approval', subject: 'x', onError: { do: 'pause' } });
    const first = ask(scene, 'q');
    scene.tell({ type: 'answer', path: 'q', question: first, decision: 'approved', by });
    scene.fail('q');
    expect(scene.row('q')).toMatchObject({ status: 'waiting', reason: 'failure' });
    scene.tell({ type: 'retryNode', path: 'q', by });
    expect(scene.row('q').more?.answer).toBeUndefined();
    const second = ask(scene, 'q');
    expect(scene.tell({ type: 'answer', path: 'q', question: first, decision: 'approved', by }).verdict).toBe(
      'refused',
    );
    expect(
      scene.tell({ type: 'answer', path: 'q', question: second, decision: 'approved', by }).verdict,
    ).toBe('applied');
  });

  it('keeps consent for a call that did not happen and is made again', () => {
    const scene = asking();
    const seq = ask(scene, 'q');
    scene.tell({ type: 'answer', path: 'q', decision: 'approved', by });
    scene.intent('q', 'non_repeatable');
    scene.fail('q', 'lost', { isAmbiguous: true });
    scene.tell({ type: 'settle', path: 'q', verdict: 'did_not_happen', by });
    expect(scene.row('q')).toMatchObject({ status: 'ready', more: { answer: seq + 1 } });
  });

  it('keeps its answer when the worker that goes on with it is lost', () => {
    const scene = asking();
    const seq = ask(scene, 'q');
    scene.tell({ type: 'answer', path: 'q', decision: 'approved', by });
    const { path, attempt, workerId } = scene.claim('q');
    scene.tell({ type: 'lost', path, attempt, workerId, reason: 'died' });
    expect(scene.row('q')).toMatchObject({ status: 'ready', more: { answer: seq + 1 } });
  });

  it('C73: questions of parallel arms and of the items of a map are all waited for', () => {
    const arms = aScene(
      [node('a'), node('b'), node('pay')],
      [
        { from: 'a', to: 'pay' },
        { from: 'b', to: 'pay' },
      ],
    );
    ask(arms, 'a');
    ask(arms, 'b');
    arms.tell({ type: 'answer', path: 'a', decision: 'approved', by });
    arms.succeed('a');
    expect(arms.statuses()).toMatchObject({ b: 'waiting', pay: 'pending' });
    arms.tell({ type: 'answer', path: 'b', decision: 'approved', by });
    arms.succeed('b');
    expect(arms.statuses()).toMatchObject({ pay: 'ready' });

    const items = aScene([mapOf('m', [node('a')]), node('pay')], [{ from: 'm', to: 'pay' }]);
    items.tell({ ...items.claimed('m'), type: 'expanded', count: 2, itemsHash: '' });
    ask(items, 'm/0/a');
    ask(items, 'm/1/a');
    items.tell({ type: 'answer', path: 'm/0/a', decision: 'approved', by });
    items.succeed('m/0/a');
    items.succeed('m/0');
    expect(items.statuses()).toMatchObject({ m: 'waiting', 'm/1/a': 'waiting' });
    expect(items.rows.get('pay')).toBeUndefined();
  });
});

describe('the deadline of a question (T14)', () => {
  const within = { for: { months: 0, ms: 1_000 } };
  const overdue = (scene: Scene) => {
    scene.nowMs += 1_000;
    return scene.tell({ type: 'timerDue', path: 'q' });
  };

  test.each([
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ])('%s: answers in the place of whoever did not', (onDeadline, decision) => {
    const scene = asking();
    const seq = ask(scene, 'q', { ...within, question: { ...question, onDeadline } });
    expect(scene.tell({ type: 'timerDue', path: 'q' }).verdict, 'too early').toBe('notMine');
    expect(overdue(scene).events).toMatchObject([
      { type: 'inbox.answered', data: { question: seq, decision, by: 'deadline' } },
      { type: 'nodeRun.resumed', data: { reason: 'answered', by: 'deadline' } },
    ]);
    expect(scene.row('q')).toMatchObject({ status: 'ready', more: { answer: seq + 1 } });
    expect(scene.tell({ type: 'answer', path: 'q', question: seq, decision: 'approved', by }).verdict).toBe(
      'refused',
    );
  });

  it('fail, also when nothing is said: the node fails, and what the flow says about failures follows', () => {
    const scene = asking();
    ask(scene, 'q', within);
    overdue(scene);
    expect(scene.row('q')).toMatchObject({
      status: 'failed',
      failure: { code: 'deadline_passed' },
      more: undefined,
    });
    expect(scene.run.status).toBe('failed');

    const going = asking({ onError: { do: 'continue' } });
    ask(going, 'q', { ...within, question: { ...question, onDeadline: 'fail' } });
    overdue(going);
    expect(going.statuses()).toMatchObject({ q: 'failed', after: 'skipped' });
  });

  it('that pauses asks another question, about the failure', () => {
    const scene = asking({ onError: { do: 'pause' } });
    const seq = ask(scene, 'q', within);
    overdue(scene);
    const row = scene.row('q');
    expect(row).toMatchObject({ status: 'waiting', reason: 'failure', wakeAt: undefined });
    expect(row.more!.question).not.toBe(seq);
    expect(overdue(scene).verdict).toBe('notMine');
    scene.tell({ type: 'retryNode', path: 'q', question: row.more!.question!, by });
    expect(scene.row('q').status).toBe('ready');
  });

  it('is longer than ten years for nobody', () => {
    const scene = asking();
    scene.tell({ ...scene.claimed('q'), type: 'asks', question, for: { months: 120, ms: 1 } });
    expect(scene.row('q')).toMatchObject({ status: 'failed', failure: { code: 'wait_too_long' } });
  });
});

describe('questions about effects and failures (T14)', () => {
  it('are named by what asked: a doubt, a loss, a pause', () => {
    const doubtful = asking();
    doubtful.intent('q', 'non_repeatable');
    doubtful.fail('q', 'lost', { isAmbiguous: true });
    expect(doubtful.row('q').more).toEqual({ question: 3 });
    const stale = { type: 'settle', path: 'q', question: 2, verdict: 'skip', by } as const;
    expect(doubtful.tell(stale).verdict).toBe('refused');
    expect(doubtful.tell({ ...stale, question: 3 }).verdict).toBe('applied');

    const lost = asking();
    lost.intent('q', 'non_repeatable');
    const { path, attempt, workerId } = lost.claimed('q');
    lost.tell({ type: 'lost', path, attempt, workerId, reason: 'died' });
    expect(lost.row('q').more).toEqual({ question: 3, unproven: true });

    const paused = asking({ onError: { do: 'pause' } });
    paused.fail('q');
    expect(paused.row('q').more).toEqual({ question: 2 });
    expect(paused.tell({ type: 'retryNode', path: 'q', question: 1, by }).verdict).toBe('refused');
    expect(paused.tell({ type: 'retryNode', path: 'q', question: 2, by })).toMatchObject({
      events: [{ type: 'inbox.answered', data: { decision: 'retry', by } }, { type: 'nodeRun.resumed' }],
    });
    expect(paused.row('q').more).toBeUndefined();
  });

  it('a question of a run that ends is closed', () => {
    const scene = asking();
    const seq = ask(scene, 'q');
    scene.tell({ type: 'cancel', by });
    expect(scene.row('q')).toMatchObject({ status: 'cancelled', more: undefined });
    expect(scene.tell({ type: 'answer', path: 'q', question: seq, decision: 'approved', by }).verdict).toBe(
      'refused',
    );
  });
});
