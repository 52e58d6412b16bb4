// Would catch: an action on many runs that reaches one that nobody saw, one that the filter hides, or one that has ended.
import { isTerminalRun } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { BULK_ACTIONS, bulkFilterOf } from '../../../src/runs/bulk-request.ts';

const newestAt = '2026-11-30T12:00:00.123Z';

describe('an action on many runs', () => {
  it('V11: never asks for runs that have ended', () => {
    for (const action of BULK_ACTIONS) {
      const { status } = bulkFilterOf(action, { kind: 'ticked', runIds: ['r'] })!;
      expect([action, status!.filter(isTerminalRun)]).toEqual([action, []]);
    }
  });

  it('on ticked runs names each of them and nothing else', () => {
    expect(bulkFilterOf('resume', { kind: 'ticked', runIds: ['a', 'b'] })).toEqual({
      runIds: ['a', 'b'],
      status: ['paused'],
    });
  });

  it('on all that fit keeps every part of the filter, and takes nothing newer than what was on screen', () => {
    const filter = {
      flow: 'pay',
      mode: 'test' as const,
      status: ['waiting' as const, 'failed' as const],
    };
    expect(bulkFilterOf('cancel', { kind: 'all', filter, newestAt })).toEqual({
      flow: 'pay',
      mode: 'test',
      status: ['waiting'],
      createdBefore: '2026-11-30T12:00:00.124Z',
    });
  });

  it('means nothing where the filter finds only what it cannot reach', () => {
    const filter = { status: ['failed' as const, 'running' as const] };
    expect(bulkFilterOf('resume', { kind: 'all', filter, newestAt })).toBeUndefined();
  });
});
