// Which mistake would this catch? Other arguments under the key of an effect that may have happened, a second effect beside one that
// did, arguments that are used in the wrong place or forgotten.
import { describe, expect, it, test } from 'vitest';
import type { NodeConfig } from '../../src/index.ts';
import { node, Scene } from './scene.ts';

const by = 'key:ada';
const pausing = (more: object = {}): NodeConfig =>
  ({ id: 'call', kind: 'tool', tool: 'x.y@1', args: {}, onError: { do: 'pause' }, ...more }) as NodeConfig;
const values = { amount: 5 };

/** A call that was refused by what it called, and waits for a person. */
function refused(effect: 'idempotent' | 'non_repeatable', more: object = {}): Scene {
  const scene = new Scene([pausing(more), node('after')], [{ from: 'call', to: 'after' }]);
  scene.intent('call', effect);
  scene.fail('call');
  return scene;
}
const retry = (scene: Scene, path = 'call', more: object = { values }) =>
  scene.tell({ type: 'retryNode', path, by, ...more });

/** J2: the journal alone tells the same, claims aside. */
const foldOf = (scene: Scene, path: string) => {
  const { attempt: _, workerId: __, ...rest } = scene.fold().rows.get(path)!;
  return rest;
};

describe('a retry with other arguments (T19)', () => {
  it.each(['idempotent', 'non_repeatable'] as const)('is an effect of its own: %s', (effect) => {
    const scene = refused(effect);
    const { question } = scene.row('call').more!;
    const { verdict, events } = retry(scene);
    expect(verdict).toBe('applied');
    expect(events).toMatchObject([
      { type: 'inbox.answered', data: { question, decision: 'retry', by, values } },
      { type: 'nodeRun.resumed', data: { reason: 'retry', by } },
    ]);
    const edited = scene.journal.findIndex(({ type }) => type === 'inbox.answered') + 1;
    expect(scene.row('call')).toMatchObject({ status: 'ready', more: { edited }, intentSeq: undefined });
    expect(foldOf(scene, 'call')).toMatchObject({ more: { edited } });
  });

  it('counts for every later attempt, and a second edit goes over it', () => {
    const scene = refused('non_repeatable');
    retry(scene);
    scene.intent('call', 'non_repeatable');
    scene.fail('call');
    const first = scene.row('call').more!.edited!;
    retry(scene, 'call', {});
    expect(scene.row('call').more).toEqual({ edited: first });
    scene.fail('call');
    retry(scene, 'call', { values: 6 });
    expect(scene.row('call').more!.edited).toBeGreaterThan(first);
    scene.succeed('call');
    expect(scene.row('after').status).toBe('ready');
  });

  test.each([
    [
      'an attempt whose answer was lost',
      (scene: Scene) => void scene.fail('call', 'permanent', { isAmbiguous: true }),
    ],
    [
      'an answer that could not be used',
      (scene: Scene) => void scene.fail('call', 'permanent', { hasHappened: true }),
    ],
    [
      'an attempt that was lost with its worker',
      (scene: Scene) => {
        const { path, attempt, workerId } = scene.claimed('call');
        scene.tell({ type: 'lost', path, attempt, workerId, reason: 'gone' });
        scene.fail('call');
      },
    ],
  ])('is refused after %s, also when a later attempt was refused; as it was it may be retried', (_, end) => {
    const scene = new Scene([pausing()]);
    scene.intent('call', 'idempotent');
    end(scene);
    expect(retry(scene).verdict).toBe('refused');
    expect(retry(scene, 'call', {}).verdict).toBe('applied');
    scene.fail('call');
    expect(retry(scene).verdict).toBe('refused');
    expect(foldOf(scene, 'call')).toMatchObject({ more: { unproven: true } });
    retry(scene, 'call', {});
    scene.succeed('call');
    expect(scene.row('call').more).toBeUndefined();
  });

  it('is taken of a model call whose answer was lost: it changes nothing', () => {
    const scene = new Scene([
      { id: 'say', kind: 'llm', model: 'sim:writer', prompt: 'x', onError: { do: 'pause' } } as NodeConfig,
    ]);
    scene.intent('say', 'model');
    scene.fail('say', 'permanent', { isAmbiguous: true });
    expect(retry(scene, 'say').verdict).toBe('applied');
  });

  it('is refused of what has no arguments', () => {
    const scene = new Scene([{ ...node('calc'), onError: { do: 'pause' } } as NodeConfig]);
    scene.fail('calc');
    expect(retry(scene, 'calc').verdict).toBe('refused');
  });

  it('is taken after a person said that a doubtful effect did not happen and it was refused then', () => {
    const scene = new Scene([pausing()]);
    scene.intent('call', 'non_repeatable');
    scene.fail('call', 'transient', { isAmbiguous: true });
    expect(scene.row('call').status).toBe('uncertain');
    scene.tell({ type: 'settle', path: 'call', verdict: 'did_not_happen', by });
    scene.intent('call', 'non_repeatable');
    scene.fail('call');
    expect(retry(scene).verdict).toBe('applied');
  });
});
