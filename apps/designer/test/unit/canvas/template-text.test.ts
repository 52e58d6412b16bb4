import type { Json } from '@pawl/dag-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expressionOf, readText, templateOf, textOf } from '../../../src/canvas/template-text.ts';

describe('a value as the text of a field', () => {
  it('reads back as what it was, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.jsonValue().filter((value) => value !== ''),
        (value) => {
          expect(JSON.stringify(readText(textOf(value as Json)))).toBe(JSON.stringify(value));
        },
      ),
    );
  });

  it('is written plainly: a text needs no quotes unless it reads as something else', () => {
    expect(textOf('pay_8F21')).toBe('pay_8F21');
    expect(textOf('42')).toBe('"42"');
    expect(readText('42')).toBe(42);
    expect(readText('')).toBeUndefined();
  });

  it('is an expression when it is one and nothing else', () => {
    expect(expressionOf('{{ nodes.find.output }}')).toBe('nodes.find.output');
    expect(expressionOf('Dear {{ input.name }}')).toBeUndefined();
    expect(expressionOf('{{ a }} and {{ b }}')).toBeUndefined();
    expect(expressionOf(templateOf('input.name'))).toBe('input.name');
  });
});
