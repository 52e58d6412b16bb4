// Which mistake would this catch? An undo that loses an edge, a position or the order of two members; an operation that draws a circle
// or an edge to nowhere; one that copies what it does not touch, so that every node of a canvas is drawn again.
import { type FlowDocument, validateFlow } from '@pawl/dag-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ApplyPatches,
  begin,
  end,
  everyNode,
  isRefused,
  type Operation,
  redo,
  startHistory,
  undo,
} from '../../../src/editor/index.ts';
import { apply, done, perform } from './drafts.ts';
import { Dice, randomOperation, startingDraft } from './random-editing.ts';

const sequences = fc.record({ seed: fc.nat(), length: fc.integer({ min: 1, max: 40 }) });

/** Does random operations one after the other; `each` sees those that were not refused. */
function edit(
  { seed, length }: { seed: number; length: number },
  each: (before: FlowDocument, operation: Operation, after: FlowDocument, inverse: ApplyPatches) => void,
): FlowDocument {
  const dice = new Dice(seed);
  let document = startingDraft();
  for (let at = 0; at < length; at++) {
    const operation = randomOperation(document, dice);
    const applied = apply(document, operation);
    if (isRefused(applied)) continue;
    each(document, operation, applied.document, applied.inverse);
    document = applied.document;
  }
  return document;
}

describe('any sequence of operations', () => {
  it('D1: undone from its end is byte for byte the document it began with', () => {
    fc.assert(
      fc.property(sequences, (sequence) => {
        const states: string[] = [];
        const inverses: ApplyPatches[] = [];
        let document = edit(sequence, (before, _operation, _after, inverse) => {
          states.push(JSON.stringify(before));
          inverses.push(inverse);
        });
        for (const inverse of inverses.reverse()) {
          document = done(document, inverse).document;
          expect(JSON.stringify(document)).toBe(states.pop());
        }
      }),
      { numRuns: 150 },
    );
  });

  it('D1: undone, done again and undone through the history, in gestures of any length, comes out the same', () => {
    fc.assert(
      fc.property(sequences, ({ seed, length }) => {
        const dice = new Dice(seed);
        const begun = JSON.stringify(startingDraft());
        let history = startHistory(startingDraft());
        for (let at = 0; at < length; at++) {
          if (dice.isLucky(6)) history = begin(history, { did: 'move' });
          history = perform(history, randomOperation(history.document, dice)).history;
          if (dice.isLucky(3)) history = end(history);
          if (dice.isLucky(8)) history = redo(undo(history, 3), 2);
        }
        const ended = JSON.stringify(history.document);
        const entries = end(history).past.length;
        const undone = undo(history, entries);
        expect(JSON.stringify(undone.document)).toBe(begun);
        expect(JSON.stringify(redo(undone, entries).document)).toBe(ended);
      }),
      { numRuns: 100 },
    );
  });

  it('D4: draws no circle, no edge to nowhere, none twice, none across a border, and gives no id twice', () => {
    const forbidden = /^(cycle|edge_\w+|port_unknown|port_missing|id_\w+)$/;
    fc.assert(
      fc.property(sequences, (sequence) => {
        const document = edit(sequence, () => undefined);
        const found = validateFlow(document).issues.filter(({ code }) => forbidden.test(code));
        expect(found).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('D2: nodes that say the same as before are the same as before', () => {
    fc.assert(
      fc.property(sequences, (sequence) => {
        edit(sequence, (before, operation, after) => {
          const old = new Map([...everyNode(before)].map(({ node }) => [node.id, node]));
          for (const { node } of everyNode(after)) {
            const same = old.get(node.id);
            if (same && JSON.stringify(same) === JSON.stringify(node))
              expect(same === node, `${operation.do} copied ${node.id}`).toBe(true);
          }
        });
      }),
      { numRuns: 100 },
    );
  });

  it('D3: is data: written as JSON and read again it does the same', () => {
    fc.assert(
      fc.property(sequences, (sequence) => {
        edit(sequence, (before, operation, after, inverse) => {
          const again = done(before, JSON.parse(JSON.stringify(operation)));
          expect(JSON.stringify(again.document)).toBe(JSON.stringify(after));
          const back = done(after, JSON.parse(JSON.stringify(inverse)));
          expect(JSON.stringify(back.document)).toBe(JSON.stringify(before));
        });
      }),
      { numRuns: 100 },
    );
  });

  it('does and refuses each kind of operation often enough for the others to mean something', () => {
    const counts = new Map<string, { done: number; refused: number }>();
    for (let seed = 0; seed < 60; seed++) {
      const dice = new Dice(seed);
      let document = startingDraft();
      for (let at = 0; at < 30; at++) {
        const operation = randomOperation(document, dice);
        const count = counts.get(operation.do) ?? { done: 0, refused: 0 };
        counts.set(operation.do, count);
        const applied = apply(document, operation);
        count[isRefused(applied) ? 'refused' : 'done'] += 1;
        if (!isRefused(applied)) document = applied.document;
      }
    }
    const neverRefused = ['arrange', 'draw'];
    expect(counts.size).toBe(14);
    for (const [name, count] of counts) {
      expect(count.done, name).toBeGreaterThan(10);
      if (!neverRefused.includes(name)) expect(count.refused, name).toBeGreaterThan(0);
    }
  });
});
