// Which mistake would this catch? A definition that lies about itself, or a schema that lets a wrong value through.
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { defineTool, isTool, type Json, type Tool } from '../src/index.ts';
import { createTestContext } from '../src/testing/index.ts';

const find = defineTool({
  name: 'crm.find',
  version: '1',
  description: 'Finds a customer.',
  effect: 'pure',
  input: z.object({ email: z.string(), limit: z.int().default(10) }),
  output: z.object({ ids: z.array(z.string()) }),
  execute: (_ctx, args) => {
    expectTypeOf(args).toEqualTypeOf<{ email: string; limit: number }>();
    return { ids: [args.email] };
  },
});

const upsert = defineTool({
  name: 'sql.upsert',
  version: '12',
  effect: 'idempotent',
  input: {
    type: 'object',
    required: ['table'],
    additionalProperties: false,
    properties: { table: { type: 'string' }, mode: { enum: ['a', 'b'], default: 'a' } },
  },
  execute: async (_ctx, args) => {
    expectTypeOf(args).toEqualTypeOf<Json>();
    return args;
  },
});

describe('defineTool', () => {
  it('when zod schemas are given, arguments are typed, defaulted and shown as JSON Schema', async () => {
    expect(find.ref).toBe('crm.find@1');
    expect(find.parseInput({ email: 'a@b.c' })).toEqual({ ok: true, value: { email: 'a@b.c', limit: 10 } });
    expect(find.inputSchema).toMatchObject({ type: 'object', required: ['email'] });
    expect(await find.execute(createTestContext().ctx, { email: 'x', limit: 1 })).toEqual({ ids: ['x'] });
  });

  it('when a JSON Schema is given, it is checked as 2020-12 with defaults and pointers', () => {
    const given = { table: 't' };
    expect(upsert.parseInput(given)).toEqual({ ok: true, value: { table: 't', mode: 'a' } });
    expect(given).toEqual({ table: 't' });
    expect(upsert.parseInput({ mode: 'c', 'x/y': 1 })).toEqual({
      ok: false,
      issues: [
        { pointer: '/table', message: 'is missing' },
        { pointer: '/x~1y', message: 'is not a known member' },
        { pointer: '/mode', message: 'must be one of ["a","b"]' },
      ],
    });
  });

  it('when zod refuses, every issue has its pointer', () => {
    const parsed = find.parseInput({ email: 1, limit: 'x' });
    expect(parsed.ok).toBe(false);
    expect(!parsed.ok && parsed.issues.map((issue) => issue.pointer)).toEqual(['/email', '/limit']);
  });

  it('when required names something of Object.prototype, the prototype does not satisfy it', () => {
    const tool = defineTool({
      name: 'a',
      version: '1',
      effect: 'pure',
      input: { type: 'object', required: ['toString'] },
      execute: () => null,
    });
    expect(tool.parseInput({}).ok).toBe(false);
    expect(tool.parseInput(JSON.parse('{"toString":1}')).ok).toBe(true);
  });

  it('when two tools use the same $id both compile', () => {
    const schema = { $id: 'https://example.org/same', type: 'object' };
    const make = (name: string) =>
      defineTool({ name, version: '1', effect: 'pure', input: schema, output: true, execute: () => 1 });
    expect(make('a').parseInput({}).ok).toBe(true);
    expect(make('b').parseInput([]).ok).toBe(false);
  });

  it('C59: when the result is not JSON, it is refused with pointer and type', () => {
    const output = (value: unknown): unknown => upsert.parseOutput(value);
    const refused = (pointer: string, found: string): unknown => ({
      ok: false,
      issues: [{ pointer, message: `is not JSON (found ${found})` }],
    });
    expect(output({ d: new Date(0) })).toEqual(refused('/d', 'Date'));
    expect(output({ a: [1n] })).toEqual(refused('/a/0', 'bigint'));
    expect(output(undefined)).toEqual({ ok: true, value: null });
    expect(output({ u: undefined, k: 1 })).toEqual({ ok: true, value: { k: 1 } });
  });

  it('when tools of different types share a list, they are still tools, frozen and plain to declare', () => {
    const tools: Tool[] = [find, upsert];
    expect(tools.every(isTool)).toBe(true);
    expect(isTool({ ...find })).toBe(false);
    expect(Object.isFrozen(find)).toBe(true);
    expect(() => {
      (find.inputSchema as Record<string, unknown>).type = 'array';
    }).toThrow(TypeError);
    expect(JSON.parse(JSON.stringify(find.declaration()))).toEqual(find.declaration());
    expect(find.declaration()).toMatchObject({
      ref: 'crm.find@1',
      effect: 'pure',
      compensates: false,
      probes: false,
      polls: false,
    });
  });

  const base = {
    name: 'a.b',
    version: '1',
    effect: 'pure',
    input: z.object({}),
    execute: () => null,
  } as const;
  it.each<[string, object, RegExp]>([
    ['name with capitals', { name: 'crm.Find' }, /dotted lower-case words/],
    ['empty part', { name: 'crm..find' }, /dotted lower-case words/],
    ['no name', { name: undefined }, /dotted lower-case words/],
    ['version 1.0', { version: '1.0' }, /whole number as text.*"1.0"/],
    ['version as a number', { version: 1 }, /whole number as text/],
    ['version 0', { version: '0' }, /whole number as text/],
    ['unknown effect', { effect: 'repeatable' }, /pure, idempotent, non_repeatable; found "repeatable"/],
    ['no input', { input: undefined }, /z.object\(\{\}\)/],
    ['invalid JSON Schema', { input: { type: 'strnig' } }, /input cannot be used: the schema is not valid/],
    [
      'another dialect',
      { input: { $schema: 'http://json-schema.org/draft-04/schema#' } },
      /only JSON Schema 2020-12/,
    ],
    ['remote reference', { input: { $ref: 'https://example.org/x.json' } }, /input cannot be used/],
    ['output with a Date', { output: z.object({ at: z.date() }) }, /output cannot be used/],
    ['execute missing', { execute: undefined }, /execute must be a function/],
    ['pure with compensate', { compensate: () => undefined }, /neither compensate nor probe/],
    ['pure with poll', { poll: () => undefined }, /nor poll/],
    ['poll that is no function', { effect: 'idempotent', poll: 7 }, /poll must be a function/],
    [
      'an undoing without run',
      { effect: 'idempotent', compensate: { probe: () => ({ answer: 'applied' }) } },
      /compensate must be a function, or \{ run, probe \}/,
    ],
    ['cache on an effect', { effect: 'idempotent', cacheTtlMs: 5 }, /cacheTtlMs is for pure tools/],
    ['timeout beyond timers', { timeoutMs: 2 ** 31 }, /timeoutMs must be a whole number/],
    ['no attempts', { retry: { maxAttempts: 0 } }, /retry.maxAttempts/],
  ])('when %s, the definition is refused with a sentence', (_case, change, sentence) => {
    const define = (): unknown => defineTool({ ...base, ...change } as Parameters<typeof defineTool>[0]);
    expect(define).toThrowError(sentence);
    expect(define).toThrowError(expect.objectContaining({ code: 'tool_definition' }));
  });
});
