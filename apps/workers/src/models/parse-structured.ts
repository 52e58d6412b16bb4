import { parseJson } from '@pawl/dag-core';
import { compileSchema, type Json, type JsonSchema, type ModelFinishReason } from '@pawl/tool-sdk';
import { dropAddedNulls } from './added-nulls.ts';
import { findJson } from './find-json.ts';
import { isWrapped, WRAPPED_VALUE } from './strict-schema.ts';

/** One thing that is wrong with an answer; `pointer` is a JSON pointer into it. */
interface OutputIssue {
  readonly pointer: string;
  readonly message: string;
}

/** Why an answer cannot be used: a failure as data (fits the `Failure` of the journal). */
export interface OutputProblem {
  readonly code:
    | 'output_truncated'
    | 'output_invalid_json'
    | 'output_schema_mismatch'
    | 'output_refused'
    | 'output_filtered';
  readonly message: string;
  readonly class: 'permanent';
  readonly detail?: { issues: { pointer: string; message: string }[] };
}

/** A whole valid value, or why there is none; never a part of one (C62). */
export type StructuredOutput =
  | { readonly ok: true; readonly value: Json }
  /** `repairable`: asking the model once more with the problems named may help. */
  | { readonly ok: false; readonly problem: OutputProblem; readonly repairable: boolean };

/** What is needed to judge an answer. */
export interface StructuredAnswer {
  readonly text: string;
  readonly finishReason: ModelFinishReason;
  readonly schema: JsonSchema;
  /** What happens to integers beyond ±(2^53−1); default refused (X9). */
  readonly bigIntegers?: 'refuse' | 'strings';
}

const MOST_ISSUES = 20;

/** Turns a model's raw text into the JSON value that was asked for. Depends on its arguments alone. */
export function parseStructured(answer: StructuredAnswer): StructuredOutput {
  if (answer.finishReason === 'refusal') {
    return final(
      'output_refused',
      `The model refused to answer${quoted(answer.text)}. Change the prompt or the model.`,
    );
  }
  const read = readValue(answer);
  if (!read.ok) return read;
  return checkValue(read.value, answer.schema);
}

function readValue(answer: StructuredAnswer): StructuredOutput {
  const { text, finishReason } = answer;
  const options = { bigIntegers: answer.bigIntegers ?? 'refuse' } as const;
  const whole = parseJson(text.replace(/^\uFEFF/, ''), options);
  if (whole.issues === undefined && !(finishReason === 'length' && endsOpen(whole.value))) {
    return { ok: true, value: whole.value };
  }
  if (finishReason === 'content_filter') {
    return final(
      'output_filtered',
      'The content filter of the provider stopped the answer before it was complete.',
    );
  }
  const refused = whole.issues?.filter(({ code }) => code !== 'json_syntax') ?? [];
  if (whole.issues !== undefined && refused.length === whole.issues.length) return unusableNumbers(refused);
  const found = findJson(text);
  if (found.kind === 'one' && !(finishReason === 'length' && whole.issues === undefined)) {
    const inner = parseJson(found.text, options);
    return inner.issues === undefined ? { ok: true, value: inner.value } : unusableNumbers(inner.issues);
  }
  if (finishReason === 'length') return truncated(text);
  return invalid(text, found.kind, found.kind === 'several' ? found.count : 0);
}

function checkValue(raw: Json, schema: JsonSchema): StructuredOutput {
  const value = dropAddedNulls(unwrapped(raw, schema), schema);
  const checked = compiled(schema).parse(value);
  // The schema is plain JSON Schema: what comes out is the JSON that went in, defaults filled in.
  if (checked.ok) return { ok: true, value: checked.value as Json };
  const issues = checked.issues.slice(0, MOST_ISSUES).map(({ pointer, message }) => ({ pointer, message }));
  const named = issues
    .slice(0, 5)
    .map(({ pointer, message }) => `${pointer === '' ? 'the whole value' : pointer}: ${message}`);
  const more =
    checked.issues.length > named.length ? ` (and ${checked.issues.length - named.length} more)` : '';
  return {
    ok: false,
    repairable: true,
    problem: {
      code: 'output_schema_mismatch',
      message: `The model's answer does not have the shape that was asked for: ${named.join('; ')}${more}.`,
      class: 'permanent',
      detail: { issues },
    },
  };
}

/** Takes off the object that strict mode needs around other values (rule S4 of strict-schema.ts). */
function unwrapped(value: Json, schema: JsonSchema): Json {
  if (!isWrapped(schema) || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const keys = Object.keys(value);
  if (keys.length !== 1 || keys[0] !== WRAPPED_VALUE || compiled(schema).parse(structuredClone(value)).ok)
    return value;
  return value[WRAPPED_VALUE]!;
}

type Compiled = ReturnType<typeof compileSchema>;
const byIdentity = new WeakMap<object, Compiled>();
const byText = new Map<string, Compiled>();
const MOST_COMPILED = 500;

/** Compiling costs far more than checking; flows use few schemas many times, often as fresh copies. */
function compiled(schema: JsonSchema): Compiled {
  const known = typeof schema === 'object' ? byIdentity.get(schema) : undefined;
  if (known !== undefined) return known;
  const text = JSON.stringify(schema);
  let fresh = byText.get(text);
  if (fresh === undefined) {
    fresh = compileSchema(schema, 'output');
    byText.set(text, fresh);
    if (byText.size > MOST_COMPILED) byText.delete(byText.keys().next().value!);
  }
  if (typeof schema === 'object') byIdentity.set(schema, fresh);
  return fresh;
}

/** Numbers have no closing mark: `12` may be the beginning of `123`. */
function endsOpen(value: Json | undefined): boolean {
  return typeof value === 'number';
}

function truncated(text: string): StructuredOutput {
  return {
    ok: false,
    repairable: false,
    problem: {
      code: 'output_truncated',
      message: `The model's answer was cut off at its token limit after ${text.length} characters, before the JSON was complete. Raise maxOutputTokens, or ask for less.`,
      class: 'permanent',
    },
  };
}

function invalid(
  text: string,
  kind: 'one' | 'none' | 'several' | 'broken' | 'cut',
  count: number,
): StructuredOutput {
  const why = {
    one: 'it cannot be read',
    none: text.trim() === '' ? 'it is empty' : 'there is no JSON object or list in it',
    several: `it holds ${count} JSON values where one was asked for`,
    broken: 'the JSON in it has a syntax error',
    cut: 'the JSON in it ends before it is complete, though the model said it was finished',
  }[kind];
  return {
    ok: false,
    repairable: true,
    problem: {
      code: 'output_invalid_json',
      message: `The model's answer is not the JSON that was asked for: ${why}.`,
      class: 'permanent',
    },
  };
}

function unusableNumbers(issues: readonly OutputIssue[]): StructuredOutput {
  const listed = issues.slice(0, MOST_ISSUES).map(({ pointer, message }) => ({ pointer, message }));
  return {
    ok: false,
    repairable: true,
    problem: {
      code: 'output_invalid_json',
      message: `The model's answer holds JSON that cannot be taken: ${listed[0]?.message ?? 'unknown'}.`,
      class: 'permanent',
      detail: { issues: listed },
    },
  };
}

function final(code: 'output_refused' | 'output_filtered', message: string): StructuredOutput {
  return { ok: false, repairable: false, problem: { code, message, class: 'permanent' } };
}

function quoted(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  if (line === '') return '';
  const short = Array.from(line).slice(0, 200).join('');
  return `: "${short}${short.length < line.length ? '…' : ''}"`;
}
