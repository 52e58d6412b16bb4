// Which mistake would this catch? A workspace with many calls that keeps one with few from its turn (L7).
import { expect, it } from 'vitest';
import { fairOrder } from '../../src/index.ts';

const of = (text: string) => [...text].map((workspaceId, place) => ({ workspaceId, place }));
const told = (text: string, last?: string) =>
  fairOrder(of(text), last)
    .map(({ workspaceId, place }) => `${workspaceId}${place}`)
    .join(' ');

it('L7: workspaces take turns, each in its own order', () => {
  expect(told('aaaabbc')).toBe('a0 b4 c6 a1 b5 a2 a3');
});

it.each([
  ['a', 'b4 a0 b5 a1 a2 a3'],
  ['b', 'a0 b4 a1 b5 a2 a3'],
  ['0', 'a0 b4 a1 b5 a2 a3'],
  ['z', 'a0 b4 a1 b5 a2 a3'],
])('L7: whoever is behind the workspace served last (%s) begins', (last, expected) => {
  expect(told('aaaabb', last)).toBe(expected);
});

it('nobody stands in an empty line', () => {
  expect(fairOrder([], 'a')).toEqual([]);
});
