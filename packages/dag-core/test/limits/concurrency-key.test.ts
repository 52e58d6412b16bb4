// Which mistake would this catch? Runs that wait for others which they have nothing to do with, or do not wait for those they should.
import { describe, expect, it } from 'vitest';
import { AllRows, applyEvent, compileGraph, concurrencyKey, RunView, validateFlow } from '../../src/index.ts';

const flow = (concurrency: unknown) => ({
  format: 'pawl/1',
  name: 'keyed',
  concurrency,
  nodes: [{ id: 'a', kind: 'transform', value: 1 }],
  edges: [],
});

describe('the key of a run (L10)', () => {
  it.each([
    [{ key: '{{ input.customer }}' }, { customer: 'c-1' }, 'c-1'],
    [{ key: '{{ input.customer }}' }, { customer: 7 }, '7'],
    [{ key: '{{ input.a }}/{{ input.b }}' }, { a: 'x', b: ['y'] }, 'x/["y"]'],
    [{ key: "{{ input.a ?? 'none' }}" }, {}, 'none'],
    [{ limit: 3 }, { anything: 1 }, ''],
    [undefined, {}, undefined],
  ])('%j of %j is %j', async (concurrency, input, key) => {
    expect(validateFlow(flow(concurrency)).issues).toEqual([]);
    expect(await concurrencyKey({ concurrency } as never, input as never)).toBe(key);
  });

  it.each([[{ key: '{{ input.customer }}' }], [{ key: '{{ $now() }}' }], [{ key: `{{ input.long }}` }]])(
    '%j is refused when the input gives no key',
    async (concurrency) => {
      await expect(concurrencyKey({ concurrency }, { long: 'x'.repeat(501) })).rejects.toMatchObject({
        name: 'ExpressionError',
      });
    },
  );

  it.each([
    [{ key: '{{ nodes.a.output }}' }, 'reference_not_upstream', '/concurrency/key'],
    [{ key: '{{ run.id }}' }, 'reference_not_upstream', '/concurrency/key'],
    [{ key: '{{ input. }}' }, 'expression_syntax', '/concurrency/key'],
    [{ limit: 0 }, 'out_of_range', '/concurrency/limit'],
    [{ most: 1 }, 'property_unknown', '/concurrency/most'],
  ])('publish refuses %j', (concurrency, code, pointer) => {
    expect(validateFlow(flow(concurrency)).issues).toContainEqual(expect.objectContaining({ code, pointer }));
  });

  it('J2: is a fact of its first event', () => {
    const view = new RunView(compileGraph(flow({ key: 'k' }) as never), new AllRows());
    const data = {
      v: 1 as const,
      versionId: 'v',
      input: null,
      budget: {},
      trigger: 't',
      seed: 's',
      concurrency: 'k',
    };
    applyEvent(view, { type: 'run.admitted', path: '', attempt: 0, data });
    expect(view.run.more).toEqual({ concurrency: 'k' });
  });
});
