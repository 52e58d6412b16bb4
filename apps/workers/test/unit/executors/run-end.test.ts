// Would catch: a run that fails for good because the machine stood still while its output was computed.
import { compileGraph, type FlowDocument } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { runEnd } from '../../../src/executors/run-end.ts';
import { failureOfComputation } from '../../../src/runtime/failure-of.ts';
import type { RunContext } from '../../../src/runtime/run-context.ts';

const late = Object.assign(new Error('ran longer than its limit of 50 ms'), { code: 'expression_timeout' });
const wrong = Object.assign(new Error('fails'), { code: 'expression_failed' });

const document: FlowDocument = {
  format: 'pawl/1',
  name: 'ends',
  output: { all: '{{ input }}' },
  nodes: [{ id: 'only', kind: 'transform', value: 1 }],
  edges: [],
};

/** A context whose output fails so often before it is there. */
function contextThatFails(errors: readonly Error[]) {
  const counts = { asked: 0 };
  const evaluate = async () => {
    const error = errors[counts.asked++];
    if (error) throw error;
    return { all: 1 };
  };
  return { context: { graph: compileGraph(document), evaluate } as unknown as RunContext, counts };
}

describe('the time limit of expressions', () => {
  it('X8 T8: is a failure that is tried again, as a busy machine meets it too', () => {
    expect(failureOfComputation(late)).toMatchObject({ code: 'expression_timeout', class: 'timed_out' });
    expect(failureOfComputation(wrong)).toMatchObject({ code: 'expression_failed', class: 'permanent' });
  });

  it('X8: an output of a run that took too long is computed again', async () => {
    const { context, counts } = contextThatFails([late, late]);
    expect(await runEnd(context)).toEqual({ type: 'runEnded', output: { all: 1 } });
    expect(counts.asked).toBe(3);
  });

  it('X8: one that always takes too long fails the run, one that is wrong at once', async () => {
    const slow = contextThatFails([late, late, late, late, late]);
    expect(await runEnd(slow.context)).toMatchObject({ failure: { code: 'expression_timeout' } });
    expect(slow.counts.asked).toBe(4);
    const broken = contextThatFails([wrong]);
    expect(await runEnd(broken.context)).toMatchObject({ failure: { code: 'expression_failed' } });
    expect(broken.counts.asked).toBe(1);
  });
});
