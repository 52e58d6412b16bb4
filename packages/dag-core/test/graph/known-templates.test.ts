// Would catch: a check that finds something else because an earlier one had compiled the same text, or that keeps all it ever met.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KnownTemplates, validateFlow } from '../../src/index.ts';

const texts = fc.constantFrom(
  '{{ input.a }}',
  '{{ nodes.n0.output }}',
  '{{ nodes.n9.output }}',
  '{{ 1 + }}',
  'x',
);
const nodes = fc.array(fc.record({ kind: fc.constantFrom('transform', 'llm', 'switch'), text: texts }), {
  minLength: 1,
  maxLength: 4,
});

function flowOf(parts: readonly { readonly kind: string; readonly text: string }[]) {
  const configs = parts.map(({ kind, text }, at) => {
    const id = `n${at}`;
    if (kind === 'llm') return { id, kind, model: 'sim:writer', prompt: text };
    if (kind === 'switch') return { id, kind, cases: [{ port: 'yes', when: text }] };
    return { id, kind, value: { read: text } };
  });
  const edges = configs.slice(1).map(({ id }) => ({ from: 'n0', to: id }));
  return { format: 'pawl/1', name: 'flow', nodes: configs, edges };
}

it('a check finds the same with what earlier ones compiled, and without', () => {
  const documents = fc.array(nodes.map(flowOf), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(documents, (all) => {
      const known = new KnownTemplates();
      for (const document of all)
        expect(validateFlow(document, { known }).issues).toEqual(validateFlow(document).issues);
    }),
  );
});

it('what was met in this check or the one before is not compiled again; what was met earlier is forgotten', () => {
  const known = new KnownTemplates();
  const field = { pointer: '/value', template: '{{ input }}', as: 'value' } as const;
  const first = known.compile(field);
  known.begin();
  expect(known.compile({ ...field, pointer: '/other' })).toBe(first);
  expect(known.compile({ ...field, as: 'text' })).not.toBe(first);
  known.begin();
  known.begin();
  expect(known.compile(field)).not.toBe(first);
});
