import { ExpressionError, type ExpressionErrorCode, type ExpressionPlace } from '../errors.ts';
import type { Json } from '../json.ts';
import { compileSlow } from './bounded-jsonata.ts';
import { BAIL, compileFast } from './fast-path.ts';
import { findReferences } from './find-references.ts';
import { checkNumber, checkSize, ResultRefused, toPlainJson } from './plain-json.ts';
import { type Ast, readExpression } from './read-expression.ts';
import {
  DEFAULT_SIZE_LIMIT_BYTES,
  type ExpressionEnv,
  type NodeView,
  type Reference,
  type Scope,
  type TemplateIssue,
} from './scope.ts';

/** One `{{ … }}`, ready to run. */
export interface ExpressionUnit {
  readonly place: ExpressionPlace;
  readonly references: readonly Reference[];
  readonly issues: readonly TemplateIssue[];
  /** Nothing is undefined. Waits only when JSONata is needed. */
  evaluate(scope: Scope, env: ExpressionEnv): Json | undefined | Promise<Json | undefined>;
}

/**
 * Compiles the text between the braces.
 *
 * @param offset where `source` begins in the string at `pointer`; positions are told in that string
 */
export function compileUnit(source: string, pointer: string, offset: number): ExpressionUnit {
  const place: ExpressionPlace = { pointer, source };
  const { ast, problem } = readExpression(source);
  if (problem) return unreadable(place, problem.message, problem.position + offset);
  const found = findReferences(ast, source);
  const references = found.references.map((each) => ({
    ...each,
    pointer,
    position: each.position + offset,
    ...(each.idAt && { idAt: { ...each.idAt, position: each.idAt.position + offset } }),
  }));
  const issues = found.issues.map((each) => ({ ...each, pointer, position: each.position + offset }));
  return { place, references, issues, evaluate: evaluator(place, ast, references) };
}

function unreadable(place: ExpressionPlace, message: string, position: number): ExpressionUnit {
  const code = 'expression_syntax';
  return {
    place,
    references: [],
    issues: [
      { code, pointer: place.pointer, position, message: `The expression ${message}`, severity: 'error' },
    ],
    evaluate() {
      throw new ExpressionError(code, place, message, position);
    },
  };
}

function evaluator(
  place: ExpressionPlace,
  ast: Ast,
  references: readonly Reference[],
): ExpressionUnit['evaluate'] {
  const fast = compileFast(ast);
  const slow = compileSlow(place.source, ast);
  const pick = scopePicker(references);

  const wait = async (scope: Scope, env: ExpressionEnv): Promise<Json | undefined> => {
    try {
      const result = await slow(pick(scope), env);
      if (result === undefined) return undefined;
      const value = toPlainJson(result);
      checkSize(value, env.sizeLimitBytes ?? DEFAULT_SIZE_LIMIT_BYTES);
      return value;
    } catch (error) {
      throw asExpressionError(error, place);
    }
  };
  if (!fast) return wait;
  return (scope, env) => {
    const value = fast(scope) as Json | undefined | typeof BAIL;
    if (value === BAIL) return wait(scope, env);
    if (value === undefined || value === null || typeof value === 'boolean') return value;
    try {
      if (typeof value === 'number') return checkNumber(value);
      checkSize(value, env.sizeLimitBytes ?? DEFAULT_SIZE_LIMIT_BYTES);
      return value;
    } catch (error) {
      throw asExpressionError(error, place);
    }
  };
}

/** Hands JSONata only what the expression names, so that no way of reading escapes the check at publish (X3). */
function scopePicker(references: readonly Reference[]): (scope: Scope) => object {
  const roots = [...new Set(references.map((each) => each.root))].filter((root) => root !== 'nodes');
  const ids = [...new Set(references.flatMap((each) => (each.node === undefined ? [] : [each.node])))];
  return (scope) => {
    const picked: Record<string, unknown> = {};
    for (const root of roots) if (scope[root] !== undefined) picked[root] = scope[root];
    if (ids.length === 0) return picked;
    const nodes: Record<string, NodeView | undefined> = {};
    for (const id of ids) if (Object.hasOwn(scope.nodes, id)) nodes[id] = scope.nodes[id];
    picked.nodes = nodes;
    return picked;
  };
}

const codes: Readonly<Record<string, ExpressionErrorCode>> = {
  D1011: 'expression_too_deep',
  D1012: 'expression_timeout',
  D2014: 'expression_too_large',
  D2015: 'expression_too_large',
  PAD: 'expression_too_large',
  EVAL: 'expression_forbidden',
};

function asExpressionError(error: unknown, place: ExpressionPlace): ExpressionError {
  if (error instanceof ExpressionError) return error;
  if (error instanceof ResultRefused) return new ExpressionError(error.code, place, error.message);
  if (error instanceof RangeError) {
    const isStack = /stack/i.test(error.message);
    return isStack
      ? new ExpressionError('expression_too_deep', place, 'nests too deeply')
      : new ExpressionError('expression_too_large', place, `makes too much: ${error.message}`);
  }
  const { code, message, position } = error as { code?: string; message?: string; position?: number };
  const known = code !== undefined && Object.hasOwn(codes, code) ? codes[code] : undefined;
  return new ExpressionError(
    known ?? 'expression_failed',
    place,
    `fails: ${message ?? String(error)}`,
    position,
  );
}
