import { pointerTo } from '../canonical/json-pointer.ts';
import { ExpressionError } from '../errors.ts';
import type { Template } from '../graph/document.ts';
import type { Json, JsonSchema } from '../json.ts';
import { compileUnit, type ExpressionUnit } from './compile-expression.ts';
import { alone, type Filled, listPiece, objectPiece, type Piece, textPiece } from './fill-template.ts';
import type { ExpressionEnv, Reference, Scope, TemplateIssue } from './scope.ts';
import { splitTemplate } from './split-template.ts';
import { shapeOf } from './target-shape.ts';

// Rules kept here: X1 what in a template is an expression; X10 reserved keys and bottomless nesting are refused.

/** How a template is filled. */
export interface EvaluateOptions {
  /** The schema of the target: lists are made where it wants lists, fields it does not require may stay out (X4). */
  readonly schema?: JsonSchema;
  /** Fields that yield nothing are left out instead of failing; the whole may be nothing too. */
  readonly optional?: boolean;
}

/** A template, ready to be filled thousands of times. */
export interface CompiledTemplate {
  /** Every reading of the scope, in document order. */
  readonly references: readonly Reference[];
  /** What is wrong with it; with an error among them `evaluate` throws. */
  readonly issues: readonly TemplateIssue[];
  /** True when it holds no expression. */
  readonly isConstant: boolean;
  /**
   * Fills the template. Answers at once when every expression is simple (X5), else with a promise. The result may share
   * parts with the scope and the template: do not change it.
   *
   * @throws {ExpressionError} at once or by rejection, see its codes
   */
  evaluate(
    scope: Scope,
    env: ExpressionEnv,
    options: EvaluateOptions & { optional: true },
  ): Json | undefined | Promise<Json | undefined>;
  evaluate(scope: Scope, env: ExpressionEnv, options?: EvaluateOptions): Json | Promise<Json>;
}

export interface CompileOptions {
  /** The target is text: even one expression alone is rendered as text. */
  readonly text?: boolean;
}

/** Compiles a template. Never throws: problems are listed in `issues`. */
export function compileTemplate(template: Template, options: CompileOptions = {}): CompiledTemplate {
  const found: Found = { units: [], issues: [] };
  const piece = compilePiece(template, '', options.text === true, found, 0);
  return finish(piece, found);
}

/**
 * Compiles a bare expression, such as the `when` of a switch; braces around the whole are accepted too.
 * Positions are told in `source` as given.
 */
export function compileExpression(source: string): CompiledTemplate {
  const found: Found = { units: [], issues: [] };
  const braces = /^\s*\{\{([\s\S]*)\}\}\s*$/.exec(source);
  const inner = braces?.[1] ?? source;
  const unit = addUnit(found, inner, '', braces ? source.indexOf('{{') + 2 : 0);
  return finish(alone(unit), found);
}

interface Found {
  readonly units: ExpressionUnit[];
  readonly issues: TemplateIssue[];
}

function finish(piece: Piece, found: Found): CompiledTemplate {
  const issues = [...found.issues, ...found.units.flatMap((unit) => unit.issues)];
  const fatal = issues.find((issue) => issue.severity === 'error');
  const evaluate = (scope: Scope, env: ExpressionEnv, options: EvaluateOptions = {}): Filled => {
    if (fatal) throw unusable(fatal);
    const optional = options.optional === true;
    return piece({ scope, env, optional }, shapeOf(options.schema), optional);
  };
  return {
    references: found.units.flatMap((unit) => unit.references),
    issues,
    isConstant: found.units.length === 0 && fatal === undefined,
    evaluate: evaluate as CompiledTemplate['evaluate'],
  };
}

const unusable = (issue: TemplateIssue): ExpressionError =>
  new ExpressionError(
    'expression_syntax',
    { pointer: issue.pointer, source: '…' },
    `cannot run: ${issue.message}`,
    issue.position,
  );

function addUnit(found: Found, source: string, pointer: string, offset: number): ExpressionUnit {
  const unit = compileUnit(source, pointer, offset);
  found.units.push(unit);
  return unit;
}

const MAX_TEMPLATE_DEPTH = 200;

function compilePiece(
  template: Template,
  pointer: string,
  isText: boolean,
  found: Found,
  depth: number,
): Piece {
  if (typeof template === 'string') return compileString(template, pointer, isText, found);
  if (typeof template !== 'object' || template === null) return () => template;
  if (depth > MAX_TEMPLATE_DEPTH) {
    const message = `A template may be nested ${MAX_TEMPLATE_DEPTH} deep`;
    found.issues.push({ code: 'nesting_too_deep', pointer, position: 0, message, severity: 'error' });
    return () => null;
  }
  const before = found.units.length + found.issues.length;
  const isList = Array.isArray(template);
  const keys = isList ? template.map((_, at) => at) : Object.keys(template);
  const pieces = keys.map((key) => {
    if (key === '__proto__') found.issues.push(reservedKey(pointer));
    const inner = (template as Record<string | number, Json>)[key] as Json;
    return compilePiece(inner, pointerTo(pointer, key), false, found, depth + 1);
  });
  if (found.units.length + found.issues.length === before && !holdsEscape(template)) return () => template;
  return isList ? listPiece(pieces) : objectPiece(keys as string[], pieces);
}

const reservedKey = (pointer: string): TemplateIssue => ({
  code: 'reserved_key',
  pointer: pointerTo(pointer, '__proto__'),
  position: 0,
  message: 'The key "__proto__" is reserved; rename it',
  severity: 'error',
});

const holdsEscape = (template: Json): boolean => JSON.stringify(template).includes('{{');

function compileString(text: string, pointer: string, isText: boolean, found: Found): Piece {
  const { parts, unclosedAt } = splitTemplate(text);
  if (unclosedAt !== undefined) {
    found.issues.push({
      code: 'expression_syntax',
      pointer,
      position: unclosedAt,
      message: 'This {{ has no }} that closes it',
      hint: 'close it, or write \\{{ for the braces themselves',
      severity: 'error',
    });
    return () => null;
  }
  const [only] = parts;
  if (parts.length === 0) return () => '';
  if (parts.length === 1 && typeof only === 'string') return () => only;
  if (parts.length === 1 && typeof only === 'object' && !isText) {
    return alone(addUnit(found, only.source, pointer, only.position));
  }
  return textPiece(
    parts.map((part) =>
      typeof part === 'string' ? part : addUnit(found, part.source, pointer, part.position),
    ),
  );
}
