// Would catch: an effect that is sent again, or believed, on a word that does not prove it; a person who is asked too early or
// never; a run that waits for an answer that nobody asks for, or ends while one is under way.
import { describe, expect, it, test } from 'vitest';
import { foldEffects, holderOf, parsePath, type RecordedEvent } from '../../src/index.ts';
import { intentOf, node, Scene } from './scene.ts';

const by = 'ada';
const PROBE = 'pay/probe-1';
const probes = { probes: true as const };

function paying(more: object = {}): Scene {
  const scene = new Scene(
    [node('pay', { kind: 'tool', ...more }), node('after')],
    [{ from: 'pay', to: 'after' }],
  );
  const intent = { ...intentOf('pay', 'non_repeatable'), ...probes };
  scene.tell({ ...scene.claimed('pay'), type: 'intent', intent });
  return scene;
}

/** A payment in doubt whose tool is being asked. */
function doubt(more: object = {}): Scene {
  const scene = paying(more);
  scene.fail('pay', 'lost', { isAmbiguous: true });
  return scene;
}

const says = (scene: Scene, answer: 'applied' | 'not_applied' | 'unknown', path = PROBE) => {
  const base = { ...scene.claimed(path), type: 'probed', random: 0 } as const;
  if (answer === 'applied') return scene.tell({ ...base, answer, output: { id: 7 } });
  return scene.tell(answer === 'unknown' ? { ...base, answer, reason: 'It is down.' } : { ...base, answer });
};

const types = ({ events }: { events: readonly { type: string; path: string }[] }) =>
  events.map(({ type, path }) => `${type} ${path}`.trim());

/** Asks until a person is asked. */
function exhaust(scene: Scene): void {
  while (scene.row('pay').more?.probing) {
    says(scene, 'unknown');
    const { wakeAt } = scene.row(PROBE);
    if (wakeAt === undefined) continue;
    scene.nowMs = wakeAt;
    scene.tell({ type: 'timerDue', path: PROBE });
  }
}

describe('T20: asking the tool about a doubt', () => {
  it('begins with the doubt, in a node run of its own, and keeps the run running', () => {
    const scene = doubt();
    expect(scene.statuses()).toEqual({ pay: 'uncertain', [PROBE]: 'ready' });
    expect(scene.row('pay').more).toEqual({ probes: true, probing: true, question: 3 });
    expect(scene.run.status).toBe('running');
    expect(parsePath(scene.view.graph, PROBE)).toMatchObject({
      isProbe: true,
      parent: 'pay',
      node: { outbound: [] },
    });
  });

  it('begins when a worker is lost, too, and never where a tool has no probe', () => {
    const scene = paying();
    scene.tell({ ...scene.claimed('pay'), type: 'lost', reason: 'died' });
    expect(scene.statuses()).toEqual({ pay: 'uncertain', [PROBE]: 'ready' });
    const silent = new Scene([node('pay', { kind: 'tool' })]);
    silent.intent('pay', 'non_repeatable');
    silent.fail('pay', 'lost', { isAmbiguous: true });
    expect(silent.statuses()).toEqual({ pay: 'uncertain' });
  });

  it('applied: what the tool found is the output, and the run goes on', () => {
    const scene = doubt();
    const { events } = says(scene, 'applied');
    expect(events).toMatchObject([
      { type: 'probe.answered', path: PROBE, data: { says: 'applied' } },
      { type: 'outcome.succeeded', path: 'pay', attempt: 1, data: { output: { id: 7 }, settledBy: 'probe' } },
    ]);
    expect(scene.statuses()).toEqual({ pay: 'succeeded', [PROBE]: 'succeeded', after: 'ready' });
  });

  it('not applied: it is sent again with a new intent, and a second doubt is asked about anew', () => {
    const scene = doubt();
    expect(types(says(scene, 'not_applied'))).toEqual([`probe.answered ${PROBE}`, 'nodeRun.resumed pay']);
    expect(scene.row('pay')).toMatchObject({ status: 'ready', intentSeq: undefined });
    scene.tell({
      ...scene.claimed('pay'),
      type: 'intent',
      intent: { ...intentOf('pay', 'non_repeatable'), ...probes },
    });
    scene.fail('pay', 'lost', { isAmbiguous: true });
    expect(scene.statuses()).toMatchObject({ pay: 'uncertain', 'pay/probe-2': 'ready' });
    says(scene, 'applied', 'pay/probe-2');
    expect(scene.row('pay').status).toBe('succeeded');
  });

  it('unknown, or a probe that fails, is asked again with growing pauses, and then a person is asked', () => {
    const scene = doubt();
    expect(says(scene, 'unknown').events).toMatchObject([
      { type: 'outcome.failed', path: PROBE, data: { next: 'retry', failure: { code: 'probe_unknown' } } },
    ]);
    expect(scene.row(PROBE).wakeAt).toBe(scene.nowMs + 1_000);
    expect(scene.run.status).toBe('waiting');
    exhaust(scene);
    expect(scene.row(PROBE)).toMatchObject({ status: 'succeeded', failures: 5 });
    expect(scene.row('pay')).toMatchObject({ status: 'uncertain', more: { probes: true, question: 3 } });
    expect(
      scene.tell({ type: 'settle', path: 'pay', verdict: 'happened', output: 1, by, question: 3 }).verdict,
    ).toBe('applied');
  });

  it('a probe that cannot work is asked once', () => {
    const scene = doubt();
    const { events } = scene.fail(PROBE, 'permanent');
    expect(events).toMatchObject([
      { type: 'probe.answered', data: { says: 'unknown', failure: { code: 'is_permanent' } } },
    ]);
  });

  it('one that is lost is asked again, and after ten times a person is', () => {
    const scene = doubt();
    for (let times = 0; times < 10; times++)
      scene.tell({ ...scene.claimed(PROBE), type: 'lost', reason: 'died' });
    expect(scene.row(PROBE).status).toBe('succeeded');
    expect(scene.row('pay').more).not.toHaveProperty('probing');
  });

  it('a person may decide meanwhile: the first word counts, and nobody goes on asking', () => {
    const scene = doubt();
    const asking = scene.claimed(PROBE);
    const { events } = scene.tell({ type: 'settle', path: 'pay', verdict: 'happened', output: 1, by });
    expect(events.map(({ type, path }) => `${type} ${path}`)).toEqual([
      'inbox.answered pay',
      'outcome.succeeded pay',
      `nodeRun.cancelled ${PROBE}`,
    ]);
    expect(scene.tell({ ...asking, type: 'probed', random: 0, answer: 'not_applied' })).toEqual({
      verdict: 'notMine',
      events: [],
    });
    expect(scene.tell({ type: 'settle', path: 'pay', verdict: 'skip', by }).verdict).toBe('refused');
  });

  test.each([
    ['applied', 'succeeded'],
    ['not_applied', 'cancelled'],
  ] as const)('in a run that fails it is waited for: %s', (answer, status) => {
    const scene = new Scene([node('pay', { kind: 'tool' }), node('other')]);
    scene.tell({
      ...scene.claimed('pay'),
      type: 'intent',
      intent: { ...intentOf('pay', 'non_repeatable'), ...probes },
    });
    scene.fail('pay', 'lost', { isAmbiguous: true });
    scene.fail('other');
    expect(scene.run.status).toBe('running');
    says(scene, answer);
    expect([scene.run.status, scene.row('pay').status]).toEqual(['failed', status]);
  });

  it('a cancel that undoes waits for the answer; one that does not ends at once', () => {
    const patient = doubt();
    patient.tell({ type: 'cancel', by, compensate: true });
    patient.tell({ type: 'graceOver' });
    expect(patient.run.status).toBe('cancelling');
    says(patient, 'not_applied');
    expect(patient.run.status).toBe('cancelled');
    const brisk = doubt();
    const asking = brisk.claimed(PROBE);
    brisk.tell({ type: 'cancel', by });
    expect(brisk.run.status).toBe('cancelled');
    expect(brisk.tell({ ...asking, type: 'probed', random: 0, answer: 'applied', output: 1 }).verdict).toBe(
      'notMine',
    );
  });

  /** A payment that is undone by what may have happened. */
  function undoingInDoubt(): Scene {
    const scene = new Scene(
      [node('pay', { kind: 'tool' }), node('b')],
      [{ from: 'pay', to: 'b' }],
      {},
      { onFailure: 'compensate' },
    );
    const intent = { ...intentOf('pay', 'idempotent'), compensates: true as const };
    scene.tell({ ...scene.claimed('pay'), type: 'intent', intent });
    scene.succeed('pay');
    scene.fail('b');
    scene.tell({
      ...scene.claimed('pay/undo'),
      type: 'intent',
      intent: { ...intentOf('undo', 'non_repeatable'), ...probes },
    });
    scene.fail('pay/undo', 'lost', { isAmbiguous: true });
    return scene;
  }
  const UNDO_PROBE = 'pay/undo/probe-1';

  it('an undoing in doubt is asked about likewise: one that happened is done, one that did not is sent again', () => {
    const scene = undoingInDoubt();
    expect(scene.statuses()).toEqual({
      pay: 'compensating',
      b: 'failed',
      'pay/undo': 'uncertain',
      [UNDO_PROBE]: 'ready',
    });
    expect(parsePath(scene.view.graph, UNDO_PROBE)).toMatchObject({ isProbe: true, parent: 'pay/undo' });
    says(scene, 'applied', UNDO_PROBE);
    expect(scene.row('pay').status).toBe('compensated');
    expect(scene.run).toMatchObject({ status: 'failed', more: { compensation: { left: [] } } });
    const again = undoingInDoubt();
    says(again, 'not_applied', UNDO_PROBE);
    expect(again.row('pay/undo').status).toBe('ready');
    again.succeed('pay/undo');
    expect(again.run.status).toBe('failed');
    for (const { run, fold } of [scene, again].map((each) => ({ run: each.run, fold: each.fold() })))
      expect(fold.run).toEqual(run);
  });

  it('a person may decide about an undoing before its probe has answered', () => {
    const scene = undoingInDoubt();
    const asking = scene.claimed(UNDO_PROBE);
    scene.tell({ type: 'settle', path: 'pay/undo', verdict: 'skip', by });
    expect(scene.row(UNDO_PROBE).status).toBe('cancelled');
    expect(scene.run).toMatchObject({ status: 'failed', more: { compensation: { left: ['pay'] } } });
    expect(scene.tell({ ...asking, type: 'probed', random: 0, answer: 'not_applied' }).verdict).toBe(
      'notMine',
    );
  });

  it('the log of effects says who settled it, and as what', () => {
    const scene = doubt();
    says(scene, 'applied');
    const events = scene.journal.map((event, i) => ({ ...event, seq: i + 1, at: 0 }) as RecordedEvent);
    expect(foldEffects(events)).toMatchObject([
      { status: 'settled', settledAs: 'happened', settledBy: 'probe' },
    ]);
    expect(holderOf(events, 1)).toBeUndefined();
  });
});
