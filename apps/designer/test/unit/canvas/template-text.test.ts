import { compileTemplate, type Json } from '@pawl/dag-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  expressionFor,
  expressionOf,
  readText,
  templateOf,
  textOf,
} from '../../../src/canvas/template-text.ts';

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

describe('a value as an expression', () => {
  const scope = { input: { name: 'Ada', sum: 3 }, nodes: {}, run: { id: 'r', startedAt: '' } };
  const given = async (template: Json) =>
    compileTemplate(template).evaluate(scope, { now: () => 0, random: () => 0 });

  it('gives what the value gives, placeholders and all', async () => {
    const template = { to: 'Dear {{ input.name }}', list: ['{{ input.sum }}', { deep: null }], text: '' };
    expect(await given(templateOf(expressionFor(template)))).toEqual(await given(template));
    expect(expressionFor('Sum {{ input.sum }}')).toBe('"Sum " & $string(input.sum)');
    expect(expressionFor('{{ input.sum }}')).toBe('input.sum');
    expect(expressionFor(undefined)).toBe('input');
  });

  it('gives any plain value back as it is', async () => {
    // No document holds an integer that is rounded.
    const isRounded = (value: unknown): boolean =>
      typeof value === 'number'
        ? Number.isInteger(value) && !Number.isSafeInteger(value)
        : typeof value === 'object' && value !== null && Object.values(value).some(isRounded);
    const plain = fc
      .jsonValue()
      // JSON has no -0.
      .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
      .filter((value) => !/\{\{|__proto__/.test(JSON.stringify(value)) && value !== '' && !isRounded(value));
    await fc.assert(
      fc.asyncProperty(plain, async (value) => {
        expect(await given(templateOf(expressionFor(value as Json)))).toEqual(value);
      }),
    );
  });
});
