// Which mistake would this catch? A command that is there and is not found, or found below what fits less.
import { describe, expect, it } from 'vitest';
import { findNamed, runIdIn } from '../../../src/commands/find-commands.ts';
import { capsOf, keyCaps } from '../../../src/commands/key-caps.ts';

const all = ['Remove an edge', 'Move', 'Add a node', 'Read mail', 'Go to the runs'].map((words) => ({
  words,
}));
const found = (typed: string) => findNamed(all, typed).map(({ words }) => words);

describe('what is found by its name', () => {
  it('begins so, has words that begin so, or has it inside, in this order', () => {
    expect(found('m')).toEqual(['Move', 'Read mail', 'Remove an edge']);
    expect(found('EDGE rem')).toEqual(['Remove an edge']);
    expect(found('zebra')).toEqual([]);
    expect(found('  ')).toEqual(all.map(({ words }) => words));
  });

  it('has another name too, which counts for less', () => {
    const nodes = [{ words: 'Read request', also: 'begin' }, { words: 'Begin' }];
    expect(findNamed(nodes, 'begin').map(({ words }) => words)).toEqual(['Begin', 'Read request']);
  });

  it('is a run when it is the id of one', () => {
    expect(runIdIn(' 0198F3A0-7c11-7abc-8def-0123456789ab ')).toBe('0198f3a0-7c11-7abc-8def-0123456789ab');
    expect(runIdIn('0198f3a0')).toBeUndefined();
  });
});

describe('keys as they are printed', () => {
  it.each([
    ['$mod+Shift+KeyZ', ['Ctrl', 'Shift', 'Z']],
    ['Alt+ArrowLeft', ['Alt', '←']],
    ['Shift+ArrowUp', ['Shift', '↑']],
    ['Shift+?', ['?']],
    ['PageDown', ['PgDn']],
    ['F2', ['F2']],
  ])('%s', (binding, caps) => {
    expect(keyCaps(binding, false)).toEqual(caps);
  });

  it('have signs of their own on a Mac', () => {
    expect(keyCaps('$mod+Shift+KeyZ', true)).toEqual(['⌘', '⇧', 'Z']);
    expect(keyCaps('Shift+?', true)).toEqual(['?']);
  });

  it('are told once where a keyboard needs two ways to write the same', () => {
    expect(capsOf(['/', 'Shift+/'], false)).toEqual([['/']]);
  });
});
