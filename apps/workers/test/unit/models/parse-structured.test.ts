// Would catch: a part of an answer taken for the whole, one of two answers picked silently, a rounded id.
import { describe, expect, it } from 'vitest';
import { parseStructured } from '../../../src/models/parse-structured.ts';

const schema = {
  type: 'object',
  required: ['a'],
  additionalProperties: false,
  properties: { a: { type: 'string' }, n: { type: 'integer', minimum: 0 } },
};
type Finish = Parameters<typeof parseStructured>[0]['finishReason'];
const parse = (
  text: string,
  finishReason: Finish = 'stop',
  own: Parameters<typeof parseStructured>[0]['schema'] = schema,
) => parseStructured({ text, finishReason, schema: own });
const codeOf = (
  text: string,
  finishReason?: Finish,
  own?: Parameters<typeof parseStructured>[0]['schema'],
) => {
  const parsed = parse(text, finishReason, own);
  return parsed.ok ? 'ok' : parsed.problem.code;
};

describe('C61: what stands around the JSON', () => {
  it.each([
    ['exact', '{"a":"b"}'],
    ['white space and a byte order mark', '\uFEFF\n {"a":"b"}\n'],
    ['a sentence and a fence', 'Here is the result:\n\n```json\n{"a":"b"}\n```'],
    ['a fence and a sentence after', '```\n{"a":"b"}\n```\nI hope this helps [really].'],
    ['reasoning in tags', '<think>The user wants {"a": …}. Maybe {"a":"x"}?</think>\n{"a":"b"}'],
    ['reasoning whose opening tag the server ate', 'Let me think about this.\n</think>\n\n{"a":"b"}'],
    ['a citation before', 'As [1] says: {"a":"b"}'],
    ['a placeholder in braces before', 'For {name}: {"a":"b"}'],
  ])('%s: the value is found', (_what, text) => {
    expect(parse(text)).toEqual({ ok: true, value: { a: 'b' } });
  });

  it('a fence or a tag inside a text of the JSON is part of the value', () => {
    const a = 'use ```js\n{}\n``` or </think> {"x":1}';
    expect(parse(JSON.stringify({ a }))).toEqual({ ok: true, value: { a } });
    expect(parse(`Sure:\n${JSON.stringify({ a })}`)).toEqual({ ok: true, value: { a } });
    expect(parse(`<think>hm</think>${JSON.stringify({ a })}`)).toEqual({ ok: true, value: { a } });
  });

  it.each([
    ['two objects', '{"a":"b"}\n{"a":"c"}'],
    ['two objects in fences', '```json\n{"a":"b"}\n```\nor\n```json\n{"a":"c"}\n```'],
    ['a trailing comma', '{"a":"b",}'],
    ['a trailing comma around a good inner object', '{"a":{"a":"b"},}'],
    ['a broken object before a good one', '{"a":"b",} {"a":"c"}'],
    ['no JSON', 'I am sorry, I do not know.'],
    ['nothing', ''],
    ['reasoning without an end', '<think>and so on {"a":"b"}'],
    ['single quotes', "{'a':'b'}"],
  ])('%s: invalid, no value', (_what, text) => {
    const parsed = parse(text);
    expect(parsed).toMatchObject({
      ok: false,
      repairable: true,
      problem: { code: 'output_invalid_json', class: 'permanent' },
    });
    expect(parsed).not.toHaveProperty('value');
  });
});

describe('C62: answers that end too early', () => {
  it('inside a text at the token limit: truncated, with the way out; a repair would be cut again', () => {
    const parsed = parse('{"a":"b', 'length');
    expect(parsed).toMatchObject({ ok: false, repairable: false, problem: { code: 'output_truncated' } });
    expect(!parsed.ok && parsed.problem.message).toContain('maxOutputTokens');
  });

  it('the same text with finish reason stop: invalid JSON', () => {
    expect(codeOf('{"a":"b', 'stop')).toBe('output_invalid_json');
  });

  it.each(['', '{', '{"a":"b"', '[{"a":"b"},', '<think>long', 'The answer is', '```json\n{"a":"b'])(
    '%j at the token limit is truncated',
    (text) => {
      expect(codeOf(text, 'length')).toBe('output_truncated');
    },
  );

  it('a number at the token limit may be half of one', () => {
    expect(codeOf('12', 'length', { type: 'integer' })).toBe('output_truncated');
    expect(parse('12', 'stop', { type: 'integer' })).toEqual({ ok: true, value: 12 });
  });

  it('a whole value at the token limit counts', () => {
    expect(codeOf('{"a":"b"}', 'length')).toBe('ok');
  });

  it('every proper beginning of an answer gives no value, whatever the finish reason', () => {
    const whole = 'Result:\n```json\n{"a":"b\\"}","n":12}\n```';
    const complete = whole.indexOf('}\n') + 1;
    for (let end = 0; end < complete; end += 1) {
      expect(codeOf(whole.slice(0, end), 'length')).toBe('output_truncated');
      expect(codeOf(whole.slice(0, end), 'stop')).toBe('output_invalid_json');
    }
    expect(codeOf(whole.slice(0, complete), 'stop')).toBe('ok');
  });
});

describe('shape', () => {
  it('names every problem with its pointer', () => {
    const parsed = parse('{"a":1,"n":-1,"x":true}');
    expect(parsed).toMatchObject({
      ok: false,
      repairable: true,
      problem: { code: 'output_schema_mismatch' },
    });
    const pointers = parsed.ok ? [] : parsed.problem.detail!.issues.map(({ pointer }) => pointer);
    expect(pointers).toContain('/a');
    expect(pointers).toContain('/n');
  });

  it('refuses integers that would be rounded, or keeps them as text where the flow says so', () => {
    const own = { type: 'object', properties: { id: { type: ['integer', 'string'] } } };
    const text = '{"id":9007199254740993}';
    const parsed = parse(text, 'stop', own);
    expect(!parsed.ok && parsed.problem.message).toContain('unsafe_integer at /id');
    expect(parseStructured({ text, finishReason: 'stop', schema: own, bigIntegers: 'strings' })).toEqual({
      ok: true,
      value: { id: '9007199254740993' },
    });
  });

  it('takes off the object that strict mode puts around other values', () => {
    const list = { type: 'array', items: { type: 'string' } };
    expect(parse('{"value":["x"]}', 'stop', list)).toEqual({ ok: true, value: ['x'] });
    expect(parse('["x"]', 'stop', list)).toEqual({ ok: true, value: ['x'] });
    const open = {
      anyOf: [{ type: 'object', required: ['value'], properties: { value: { type: 'integer' } } }],
    };
    expect(parse('{"value":1}', 'stop', open)).toEqual({ ok: true, value: { value: 1 } });
  });

  it('a refusal and a filtered answer are final, with the words of the model', () => {
    expect(parse('I cannot help.', 'refusal')).toMatchObject({
      ok: false,
      repairable: false,
      problem: { code: 'output_refused' },
    });
    expect(codeOf('{"a":', 'content_filter')).toBe('output_filtered');
    const refused = parse('I cannot help.', 'refusal');
    expect(!refused.ok && refused.problem.message).toContain('I cannot help.');
  });

  it('follows references and alternatives when it takes added nulls away', () => {
    const own = {
      type: 'object',
      required: ['tree'],
      properties: { tree: { $ref: '#/$defs/node' } },
      $defs: {
        node: {
          type: 'object',
          required: ['name'],
          additionalProperties: false,
          properties: {
            name: { type: 'string' },
            left: { $ref: '#/$defs/node' },
            either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
            maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          },
        },
      },
    };
    const text =
      '{"tree":{"name":"a","left":{"name":"b","left":null,"either":null,"maybe":null},"either":1,"maybe":null}}';
    expect(parse(text, 'stop', own)).toEqual({
      ok: true,
      value: { tree: { name: 'a', left: { name: 'b', maybe: null }, either: 1, maybe: null } },
    });
  });
});
