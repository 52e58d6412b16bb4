// Would catch: a journal that grows with every question, a call that is believed twice or forgotten, a worker or a run that is held
// while a service works, a deadline that comes unasked or not at all.
import { describe, expect, it, test } from 'vitest';
import {
  type EffectClass,
  type Fact,
  isTerminalNodeRun,
  LOSSES_BEFORE_PAUSE,
  parsePath,
  pollDelayMs,
} from '../../src/index.ts';
import { failureOf, node, Scene } from './scene.ts';

const by = 'ada';
const DEADLINE_MS = 60_000;
const EVERY_MS = 1_000;
const POLL = 'pay/poll-1';
const DAY_MS = 86_400_000;

/** A call that its service took, with a tool that can be asked about it. */
function taken(
  effect: EffectClass = 'non_repeatable',
  deadlineMs = DEADLINE_MS,
  everyMs = EVERY_MS,
  more: object = {},
): Scene {
  const scene = new Scene(
    [node('pay', { kind: 'tool', ...more }), node('after')],
    [{ from: 'pay', to: 'after' }],
  );
  scene.intent('pay', effect);
  accept(scene, deadlineMs, everyMs);
  return scene;
}

const accept = (scene: Scene, deadlineMs = DEADLINE_MS, everyMs = EVERY_MS) =>
  scene.tell({
    ...scene.claimed('pay'),
    type: 'accepted',
    deadlineMs,
    poll: { everyMs, reference: { job: 'j-1' } },
  });

/** The clock goes on to the instant at which something of this node run is due. */
function timer(scene: Scene, path: string) {
  scene.nowMs = scene.row(path).wakeAt!;
  return scene.tell({ type: 'timerDue', path });
}

/** Its instant comes and a worker takes it up. */
function asking(scene: Scene, path = POLL) {
  if (scene.row(path).status === 'waiting') timer(scene, path);
  return scene.claimed(path);
}

type Word = { readonly done: number } | { readonly failed: ReturnType<typeof failureOf> };

const wordOf = (word: Word) =>
  'done' in word
    ? ({ answer: 'done', output: word.done, callback: `said ${word.done}` } as const)
    : ({ answer: 'failed', failure: word.failed, callback: `said ${word.failed.code}` } as const);
const says = (scene: Scene, word: Word, worker = asking(scene)) =>
  scene.tell({ ...worker, type: 'polled', random: 0, ...wordOf(word) });
const notYet = (scene: Scene, more: { retryAfterMs?: number } = {}, worker = asking(scene)) =>
  scene.tell({ ...worker, type: 'polled', random: 0, answer: 'not_yet', ...more });
const callsBack = (scene: Scene, output: number, callback = `said ${output}`) =>
  scene.tell({ type: 'callback', path: 'pay', attempt: 1, callback, random: 0, output } as Fact);

const types = ({ events }: { events: readonly { type: string; path: string }[] }) =>
  events.map(({ type, path }) => `${type} ${path}`.trim());

describe('T23: asking how a call stands', () => {
  it('begins with a pause, in a node run of its own that holds nobody and nothing', () => {
    const scene = taken();
    expect(scene.statuses()).toEqual({ pay: 'waiting', [POLL]: 'waiting' });
    expect(scene.row(POLL)).toMatchObject({ kind: 'poll', nodeId: 'pay', wakeAt: scene.nowMs + EVERY_MS });
    expect(scene.journal.at(-1)).toMatchObject({
      type: 'nodeRun.waiting',
      data: { reason: 'callback', poll: { everyMs: EVERY_MS, reference: { job: 'j-1' } } },
    });
    expect(scene.run.status).toBe('waiting');
    asking(scene);
    expect([scene.run.status, scene.run.activeCount], 'while it asks').toEqual(['waiting', 0]);
    expect(parsePath(scene.view.graph, POLL)).toMatchObject({ isPoll: true, node: { outbound: [] } });
  });

  it('a year of "not yet" leaves no event, and what the journal tells is still the state', () => {
    const scene = taken('non_repeatable', 365 * DAY_MS, DAY_MS / 24);
    const { length } = scene.journal;
    const until = scene.row('pay').wakeAt!;
    let asked = 0;
    for (; scene.row(POLL).wakeAt! < until; asked++)
      expect(notYet(scene)).toEqual({ verdict: 'applied', events: [] });
    expect(asked).toBeGreaterThan(8_000);
    expect(scene.journal).toHaveLength(length);
    const fold = scene.fold();
    expect(fold.run).toEqual(scene.run);
    expect(fold.rows.get('pay')).toEqual(scene.row('pay'));
    says(scene, { done: 7 });
    expect(scene.row('pay').status).toBe('succeeded');
  });

  it('what it says ends the call, and the run goes on', () => {
    const scene = taken();
    notYet(scene);
    expect(says(scene, { done: 7 }).events).toMatchObject([
      { type: 'poll.answered', path: POLL, attempt: 2, data: { says: 'done' } },
      { type: 'outcome.succeeded', path: 'pay', attempt: 1, data: { output: 7, callback: 'said 7' } },
    ]);
    expect(scene.statuses()).toEqual({ pay: 'succeeded', [POLL]: 'succeeded', after: 'ready' });
    expect(scene.fold().run).toEqual(scene.run);
  });

  test.each([
    ['permanent', 'failed'],
    ['transient', 'retry_wait'],
  ] as const)('a call that failed there, %s: %s', (kind, status) => {
    const scene = taken();
    expect(types(says(scene, { failed: failureOf(kind) })).slice(0, 2)).toEqual([
      `poll.answered ${POLL}`,
      'outcome.failed pay',
    ]);
    expect(scene.row('pay').status).toBe(status);
  });

  it('the pauses grow to a cap; what the tool wishes counts instead; a poll that failed is made again', () => {
    const scene = taken('non_repeatable', 30 * DAY_MS);
    const pause = () => scene.row(POLL).wakeAt! - scene.nowMs;
    const pauses = Array.from({ length: 20 }, () => {
      notYet(scene);
      return pause();
    });
    expect(pauses.slice(0, 3)).toEqual([1_500, 2_250, 3_375]);
    expect(pauses.at(-1)).toBe(300_000);
    notYet(scene, { retryAfterMs: 2 * DAY_MS });
    expect(pause()).toBe(2 * DAY_MS);
    const worker = asking(scene);
    const failure = { ...failureOf('permanent'), retryAfterMs: 700 };
    expect(scene.tell({ ...worker, type: 'failed', failure, random: 0 })).toEqual({
      verdict: 'applied',
      events: [],
    });
    expect(pause()).toBe(700);
    expect(scene.row(POLL)).toMatchObject({ status: 'waiting', failure: { code: 'is_permanent' } });
    notYet(scene);
    expect(scene.row(POLL).failure, 'of an earlier one').toBeUndefined();
  });

  test.each([Number.NaN, -1, 0, Number.POSITIVE_INFINITY, 367 * DAY_MS])(
    'a wish of %s is not there',
    (retryAfterMs) => {
      expect(pollDelayMs(1, 10, 0, retryAfterMs)).toBe(15);
    },
  );

  it('a tool that begins with longer pauses than the cap keeps to them; all are spread by a fifth', () => {
    expect(pollDelayMs(3, DAY_MS, 0)).toBe(DAY_MS);
    expect(pollDelayMs(10_000, 1_000, 1)).toBe(360_000);
    expect(pollDelayMs(1, 1_000, 1, 10)).toBe(12);
  });

  it('one that was lost with its worker is asked again at once; ten in a row end the asking, not the call', () => {
    const scene = taken();
    const lose = () => scene.tell({ ...asking(scene), type: 'lost', reason: 'died' });
    lose();
    expect(scene.row(POLL).status).toBe('ready');
    notYet(scene);
    for (let times = 1; times < LOSSES_BEFORE_PAUSE; times++) lose();
    expect(scene.row(POLL).status).toBe('ready');
    expect(lose().events.at(-1)).toMatchObject({
      type: 'poll.answered',
      data: { says: 'unknown', failure: { code: 'lost_too_often' } },
    });
    expect(scene.statuses()).toEqual({ pay: 'waiting', [POLL]: 'succeeded' });
    expect(callsBack(scene, 7).verdict).toBe('applied');
  });
});

describe('T23: whoever speaks first counts', () => {
  it('a callback ends the asking, also one that is under way; its word is then evidence', () => {
    const scene = taken();
    const worker = asking(scene);
    expect(types(callsBack(scene, 7))).toEqual(['outcome.succeeded pay', `nodeRun.cancelled ${POLL}`]);
    expect(notYet(scene, {}, worker)).toEqual({ verdict: 'notMine', events: [] });
    expect(says(scene, { done: 7 }, worker), 'the same word').toEqual({ verdict: 'applied', events: [] });
    expect(says(scene, { done: 8 }, worker)).toMatchObject({
      verdict: 'late',
      events: [{ type: 'outcome.late', path: 'pay', attempt: 1, data: { output: 8 } }],
    });
  });

  it('after the poll a callback that says the same changes nothing; another one is evidence', () => {
    const scene = taken();
    says(scene, { done: 7 });
    expect(callsBack(scene, 7)).toEqual({ verdict: 'applied', events: [] });
    expect(callsBack(scene, 8).verdict).toBe('late');
  });

  it('the word of a worker that was thought dead counts, and nobody asks twice', () => {
    const scene = taken();
    const first = asking(scene);
    scene.tell({ ...first, type: 'lost', reason: 'it seemed to have died' });
    scene.claim(POLL, 'w2');
    expect(types(says(scene, { done: 7 }, first))).toEqual([
      'outcome.succeeded pay',
      `nodeRun.cancelled ${POLL}`,
    ]);
  });
});

describe('T23: the deadline', () => {
  it('asks one last time before it has its way', () => {
    const scene = taken();
    notYet(scene, { retryAfterMs: DAY_MS });
    const deadline = scene.row('pay').wakeAt!;
    expect(timer(scene, 'pay').events).toMatchObject([
      { type: 'poll.lastAsked', path: 'pay', data: { deadline } },
    ]);
    expect(scene.statuses()).toEqual({ pay: 'waiting', [POLL]: 'ready' });
    expect(scene.fold().rows.get('pay')).toEqual(scene.row('pay'));
    expect(says(scene, { done: 7 }).verdict).toBe('applied');
    expect(scene.row('pay').status).toBe('succeeded');
  });

  test.each([
    ['non_repeatable', 'uncertain'],
    ['idempotent', 'retry_wait'],
  ] as const)('told "not yet" for the last time, a %s call is %s', (effect, status) => {
    const scene = taken(effect);
    timer(scene, 'pay');
    expect(types(notYet(scene))).toEqual([
      `poll.answered ${POLL}`,
      effect === 'idempotent' ? 'outcome.failed pay' : 'nodeRun.waiting pay',
    ]);
    expect(scene.row('pay').status).toBe(status);
    expect(JSON.stringify(scene.journal.at(-1)), 'the deadline, not the end of the last question').toContain(
      new Date(1_000_000 + DEADLINE_MS).toISOString(),
    );
  });

  it('a last question that failed says why, and one that nobody asks ends after a minute', () => {
    const failing = taken();
    timer(failing, 'pay');
    const { events } = failing.fail(POLL, 'permanent');
    expect(events.at(-1)).toMatchObject({
      data: { status: 'uncertain', detail: { message: expect.stringContaining('It fails.') } },
    });
    const alone = taken();
    timer(alone, 'pay');
    expect(types(timer(alone, 'pay'))).toEqual(['nodeRun.waiting pay', `nodeRun.cancelled ${POLL}`]);
    expect(alone.row('pay').status).toBe('uncertain');
  });

  it('a question that is under way then is the last', () => {
    const scene = taken();
    const worker = asking(scene);
    timer(scene, 'pay');
    expect(scene.row(POLL).status).toBe('running');
    notYet(scene, {}, worker);
    expect(scene.row('pay').status).toBe('uncertain');
  });

  it('what the poll says about a call that is in doubt by then settles the doubt, as the service itself would', () => {
    const scene = taken();
    const worker = asking(scene);
    timer(scene, 'pay');
    timer(scene, 'pay');
    expect(scene.row('pay').status).toBe('uncertain');
    expect(says(scene, { done: 7 }, worker).events).toMatchObject([
      { type: 'outcome.succeeded', path: 'pay', data: { settledBy: 'poll' } },
    ]);
  });

  it('a call that is made again is asked about anew, and an earlier word about it counts', () => {
    const scene = taken('idempotent');
    const worker = asking(scene);
    timer(scene, 'pay');
    notYet(scene, {}, worker);
    timer(scene, 'pay');
    scene.intent('pay', 'idempotent');
    accept(scene);
    expect(scene.statuses()).toMatchObject({ pay: 'waiting', [POLL]: 'succeeded', 'pay/poll-2': 'waiting' });
    expect(types(says(scene, { done: 7 }, worker))).toEqual([
      'outcome.succeeded pay',
      'nodeRun.cancelled pay/poll-2',
    ]);
  });
});

describe('T23: a run that stops, or is held up, still asks', () => {
  it('one that fails waits for the call and so for the poll', () => {
    const scene = new Scene([node('pay', { kind: 'tool' }), node('other')]);
    scene.intent('pay', 'non_repeatable');
    accept(scene);
    scene.fail('other');
    expect(scene.statuses()).toMatchObject({ pay: 'waiting', [POLL]: 'waiting' });
    notYet(scene);
    says(scene, { done: 7 });
    expect([scene.run.status, scene.row('pay').status]).toEqual(['failed', 'succeeded']);
  });

  it('a cancel lets it ask during the grace time; with that both end', () => {
    const saved = taken();
    saved.tell({ type: 'cancel', by });
    expect(saved.row(POLL).status).toBe('waiting');
    says(saved, { done: 7 });
    expect([saved.run.status, saved.row('pay').status]).toEqual(['cancelled', 'succeeded']);
    const left = taken();
    asking(left);
    left.tell({ type: 'cancel', by });
    left.tell({ type: 'graceOver' });
    expect(left.statuses()).toMatchObject({ pay: 'cancelled', [POLL]: 'cancelled' });
    expect(left.run.status).toBe('cancelled');
  });

  it('a cancel that undoes leaves a doubt behind after the grace time, and nobody polls', () => {
    const scene = taken();
    scene.tell({ type: 'cancel', by, compensate: true });
    scene.tell({ type: 'graceOver' });
    expect(scene.statuses()).toMatchObject({ pay: 'uncertain', [POLL]: 'cancelled' });
  });

  it('a paused run asks, and what follows waits', () => {
    const scene = taken();
    scene.tell({ type: 'pauseRun', by });
    says(scene, { done: 7 });
    expect(scene.statuses()).toMatchObject({ pay: 'succeeded', after: 'ready' });
    expect(scene.run.status).toBe('paused');
  });

  it('every end of a call ends its asking', () => {
    const ends: ((scene: Scene) => unknown)[] = [
      (scene) => callsBack(scene, 7),
      (scene) => says(scene, { failed: failureOf('transient') }),
      (scene) => says(scene, { failed: failureOf('permanent') }),
      (scene) => {
        scene.tell({
          type: 'callback',
          path: 'pay',
          attempt: 1,
          callback: 'x',
          random: 0,
          failure: failureOf('transient'),
        });
        expect(scene.row('pay')).toMatchObject({ status: 'waiting', reason: 'failure' });
      },
      (scene) => {
        timer(scene, 'pay');
        timer(scene, 'pay');
      },
      (scene) => {
        scene.tell({ type: 'cancel', by });
        scene.tell({ type: 'graceOver' });
      },
    ];
    for (const end of ends) {
      const scene = taken('non_repeatable', DEADLINE_MS, EVERY_MS, {
        onError: { do: 'pause' },
        retry: { maxAttempts: 1 },
      });
      end(scene);
      expect(isTerminalNodeRun(scene.row(POLL).status)).toBe(true);
      expect(scene.row('pay').more?.polling).toBeUndefined();
      expect(scene.fold().run).toEqual(scene.run);
    }
  });
});
