// Catches: a published schema that says something else than publish does, an issue code nobody documented.
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { flowJsonSchema, type JsonObject, KIND_NAMES } from '../../src/index.ts';
import { edges, flow, map, node } from './flow-builder.ts';

const root = new URL('../../', import.meta.url);

describe('the JSON Schema of the document', () => {
  it('G2: is itself a valid schema of draft 2020-12, also without our discriminator', () => {
    const validate = new Ajv2020({ strict: false }).compile(flowJsonSchema);
    expect(validate(flow([node('a'), map('m', [node('x')])], edges('a -> m')))).toBe(true);
    expect(validate(flow([node('a', { kind: 'map', over: [] })]))).toBe(false);
    expect(validate(flow([node('a', { unknown: 1 })]))).toBe(false);
  });

  it('G2: is plain JSON with an address', () => {
    expect(JSON.parse(JSON.stringify(flowJsonSchema))).toEqual(flowJsonSchema);
    expect(flowJsonSchema.$id).toBe('/v1/schemas/flow.json');
  });

  it('G2: describes every kind', () => {
    const defs = flowJsonSchema.$defs as JsonObject;
    for (const name of KIND_NAMES)
      expect(defs[name], name).toMatchObject({ properties: { kind: { const: name } } });
  });
});

describe('issue codes', () => {
  it('G1: are all in SPEC.md, and SPEC.md names no others', () => {
    const sources = ['src/graph', 'src/expression', 'src/canonical'].flatMap((folder) =>
      readdirSync(new URL(folder, root)).map((file) =>
        readFileSync(new URL(`${folder}/${file}`, root), 'utf8'),
      ),
    );
    const used = new Set(
      sources.flatMap((text) =>
        [
          ...text.matchAll(/(?:error|warning)At\(\s*'([a-z_]+)'/g),
          ...text.matchAll(/code: '([a-z_]+)'/g),
          ...text.matchAll(/\berror\(\s*'([a-z_]+)'/g),
          ...text.matchAll(/const code = '([a-z_]+)'/g),
          ...text.matchAll(/^ {2}\w+: '((?:slug|model|tool|flow|port)_malformed)'/gm),
        ].map((match) => match[1] as string),
      ),
    );
    const line = readFileSync(new URL('SPEC.md', root), 'utf8')
      .split('\n')
      .find((each) => each.startsWith('Codes: `'));
    const listed = [...(line ?? '').matchAll(/`([a-z_]+)`/g)].map((match) => match[1] as string);
    // Codes of errors, not of issues: what an expression may end with when it runs (X8), and of JSON from outside (X9, X10).
    const elsewhere = new Set([
      'expression_not_json',
      'expression_too_deep',
      'expression_too_large',
      'number_out_of_range',
      'json_syntax',
      'expression_empty',
      'expression_failed',
    ]);
    expect([...used].filter((code) => !elsewhere.has(code)).sort()).toEqual([...listed].sort());
  });
});
