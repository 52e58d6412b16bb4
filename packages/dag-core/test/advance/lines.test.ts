// Which mistake would this catch? A node run that waits for its turn and thereby uses up a try, leaves a trace in the journal, or
// is still its former worker's.
import { describe, expect, it } from 'vitest';
import { node, Scene } from './scene.ts';

describe('a node run that is given back to stand in a line (L1)', () => {
  it('L1: is ready as it was, with no event and no try counted', () => {
    const scene = new Scene([node('a', { kind: 'tool', tool: 't@1' } as never)]);
    const before = { ...scene.row('a') };
    const by = scene.claim('a');
    expect(scene.tell({ ...by, type: 'released', line: { key: 'tool:t@1' } })).toEqual({
      verdict: 'applied',
      events: [],
    });
    expect(scene.row('a')).toEqual({ ...before, workerId: undefined });
  });

  it('V3: is not its former worker’s, also while its next one holds the same attempt', () => {
    const scene = new Scene([node('a')]);
    const by = scene.claim('a', 'w1');
    scene.tell({ ...by, type: 'released', line: { key: 'tool:t@1' } });
    expect(scene.claim('a', 'w2').attempt).toBe(by.attempt);
    expect(scene.tell({ ...by, type: 'succeeded', output: 1 })).toEqual({ verdict: 'notMine', events: [] });
    expect(scene.row('a')).toMatchObject({ status: 'running', workerId: 'w2' });
  });

  it('E9: is not given back in a run that is being cancelled, and stands nowhere', () => {
    const scene = new Scene([node('a')]);
    const by = scene.claim('a');
    scene.tell({ type: 'cancel', by: 'ada' });
    expect(scene.tell({ ...by, type: 'released', line: { key: 'tool:t@1' } }).verdict).toBe('stopped');
    expect(scene.row('a').status).toBe('cancelled');
  });
});
