import { describe, expect, it } from 'vitest';
import { type Wanted, type Written, wantedAt } from '../../../src/inspecting/wanted.ts';

// Names offered where none can stand, or under the wrong beginning, would be written into the wrong place.

/** `|` is the cursor. */
function at(text: string, written: Written = 'template'): Pick<Wanted, 'path' | 'begun'> | undefined {
  const cursor = text.indexOf('|');
  const wanted = wantedAt(text.replace('|', ''), cursor, written);
  if (!wanted) return undefined;
  expect(wanted.from).toBe(cursor - wanted.begun.length);
  return { path: wanted.path, begun: wanted.begun };
}

describe('what is being written', () => {
  it('is the beginning of an expression, in double braces only', () => {
    expect(at('Hello {{ |')).toEqual({ path: [], begun: '' });
    expect(at('Hello {{ no|')).toEqual({ path: [], begun: 'no' });
    expect(at('Hello no|')).toBeUndefined();
    expect(at('{{ input }} and no|')).toBeUndefined();
    expect(at('\\{{ no|')).toBeUndefined();
    expect(at('no|', 'expression')).toEqual({ path: [], begun: 'no' });
  });

  it('is a member of what stands before the dot, also through quoted ids and places in lists', () => {
    expect(at('{{ nodes.find.output.li|')).toEqual({ path: ['nodes', 'find', 'output'], begun: 'li' });
    expect(at('nodes.`my-node`.|', 'expression')).toEqual({ path: ['nodes', 'my-node'], begun: '' });
    expect(at('$sum(nodes.find.output.lines[0].|', 'expression')).toEqual({
      path: ['nodes', 'find', 'output', 'lines'],
      begun: '',
    });
    expect(at('1 + input.a & input.b|', 'expression')).toEqual({ path: ['input'], begun: 'b' });
  });

  it('is nothing in a quoted string, nor behind what no name leads to', () => {
    expect(at('"nodes.|', 'expression')).toBeUndefined();
    expect(at('$f(x).|', 'expression')).toBeUndefined();
    expect(at("'it\\'s' & no|", 'expression')).toEqual({ path: [], begun: 'no' });
  });

  it('can be a function of the expression language', () => {
    expect(at('$su|', 'expression')).toEqual({ path: [], begun: '$su' });
  });
});
