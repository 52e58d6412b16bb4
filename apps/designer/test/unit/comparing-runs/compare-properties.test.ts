// Which mistake would this catch? A divergence that is named too late, too early, or of the wrong run.
import type { FlowDocument, Json } from '@pawl/dag-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRuns } from '../../../src/comparing-runs/compare-runs.ts';
import { linesOf, wordsOf } from '../../../src/comparing-runs/diff-texts.ts';
import { changesOf } from '../../../src/comparing-runs/diff-values.ts';
import { saySame } from '../../../src/editor/comparing/differences.ts';
import { pointerParts, valueAt } from '../../../src/editor/index.ts';
import { aRun, gave } from './journals.ts';

/** Of each node which earlier ones it reads, and whether it says something else in the second run of itself. */
const someFlow = fc
  .integer({ min: 1, max: 12 })
  .chain((count) =>
    fc.tuple(
      ...Array.from({ length: count }, (_, at) =>
        fc.record({ reads: fc.subarray(Array.from({ length: at }, (_, i) => i)), strays: fc.boolean() }),
      ),
    ),
  );
type SomeNode = { readonly reads: readonly number[]; readonly strays: boolean };

const documentOf = (nodes: readonly SomeNode[]): FlowDocument => ({
  format: 'pawl/1',
  name: 'some',
  nodes: nodes.map(({ reads }, at) => ({
    id: `n${at}`,
    kind: 'transform',
    value: { of: reads.map((each) => `{{ nodes.n${each}.output }}`) },
  })),
  edges: nodes.flatMap(({ reads }, at) => reads.map((each) => ({ from: `n${each}`, to: `n${at}` }))),
});

/** Each node says its number and what it read; one that strays says something of its own besides. */
const run = (nodes: readonly SomeNode[], isSecond: boolean) => {
  const outputs: Json[] = [];
  for (const [at, { reads, strays }] of nodes.entries())
    outputs.push([at, isSecond && strays, ...reads.map((each) => outputs[each]!)]);
  return aRun(
    documentOf(nodes),
    {},
    outputs.map((output, at) => gave(`n${at}`, output)),
  );
};

describe('comparing any two runs', () => {
  it('C4: blames exactly the nodes that strayed on the same input, the earliest first', async () => {
    await fc.assert(
      fc.asyncProperty(someFlow, async (nodes) => {
        const isOther: boolean[] = [];
        for (const { reads, strays } of nodes) isOther.push(strays || reads.some((each) => isOther[each]));
        const own = nodes.flatMap(({ reads, strays }, at) =>
          strays && !reads.some((each) => isOther[each]) ? [`n${at}`] : [],
        );
        const { pairs, first } = compareRuns(await run(nodes, false), await run(nodes, true));
        expect(pairs.filter(({ isDivergence }) => isDivergence).map(({ path }) => path)).toEqual(own);
        expect(first?.path).toBe(own[0]);
        expect(pairs.map(({ differs }) => differs.includes('output'))).toEqual(isOther);
      }),
      { numRuns: 100 },
    );
  });

  it('C3: says of the runs the other way round the same', async () => {
    await fc.assert(
      fc.asyncProperty(someFlow, fc.nat(12), async (nodes, cut) => {
        const left = await run(nodes, false);
        const right = await run(nodes.slice(0, Math.max(1, cut)), true);
        const there = compareRuns(left, right);
        const back = compareRuns(right, left);
        const turned = { missing: 'extra', extra: 'missing' } as Readonly<Record<string, string>>;
        for (const { path, differs } of there.pairs)
          expect(back.byPath.get(path)?.differs).toEqual(differs.map((each) => turned[each] ?? each));
        expect(back.pairs).toHaveLength(there.pairs.length);
      }),
      { numRuns: 60 },
    );
  });
});

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

describe('comparing any two values', () => {
  it('C5: finds nothing exactly where they say the same', () => {
    fc.assert(
      fc.property(json, json, (left, right) => {
        expect(changesOf(left, left)).toEqual([]);
        expect(changesOf(left, right).length === 0).toBe(saySame(left, right));
      }),
    );
  });

  it('C5: names what is gone by where it stood, with what stood there', () => {
    fc.assert(
      fc.property(json, json, (left, right) => {
        for (const change of changesOf(left, right))
          if (change.op !== 'add') expect(valueAt(left, pointerParts(change.pointer))).toEqual(change.left);
      }),
    );
  });

  it('C5: finds the items of a list again behind one that came or went', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer(), { minLength: 1 }), fc.nat(), (list, place) => {
        const at = place % list.length;
        const shorter = list.toSpliced(at, 1);
        expect(changesOf(list, shorter)).toEqual([{ op: 'remove', pointer: `/${at}`, left: list[at] }]);
        expect(changesOf(shorter, list)).toEqual([{ op: 'add', pointer: `/${at}`, right: list[at] }]);
      }),
    );
  });

  it('C5: loses no letter of two texts, by word or by line', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b ', 'word', '\n', '.'), { maxLength: 30 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, text, (left, right) => {
        const words = wordsOf(left, right);
        const side = (other: string) =>
          words
            .filter((part) => part.in !== other)
            .map((part) => part.text)
            .join('');
        expect([side('right'), side('left')]).toEqual([left, right]);
        const lines = linesOf(left, right);
        expect(lines.flatMap((line) => line.left ?? []).join('\n')).toBe(left);
        expect(lines.flatMap((line) => line.right ?? []).join('\n')).toBe(right);
      }),
    );
  });
});
