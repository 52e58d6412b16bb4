import { ExpressionError } from '../errors.ts';
import type { Json } from '../json.ts';
import type { ExpressionUnit } from './compile-expression.ts';
import { DEFAULT_SIZE_LIMIT_BYTES, type ExpressionEnv, type Scope } from './scope.ts';
import { fitToShape, type TargetShape } from './target-shape.ts';

// Rules kept here: X1 one expression alone keeps its type, mixed text renders; X4 lists and optional fields; X5 nothing waits
// unless an expression waits; X6 expressions run one after the other in document order.

/** What one filling of a template knows. */
interface Context {
  readonly scope: Scope;
  readonly env: ExpressionEnv;
  /** Every field may stay out. */
  readonly optional: boolean;
}

/** A filled part; undefined is nothing. */
export type Filled = Json | undefined | Promise<Json | undefined>;

/** A part of a template as a function; `maybe` says that nothing is acceptable here. */
export type Piece = (context: Context, shape: TargetShape | undefined, maybe: boolean) => Filled;

/** A field that is exactly one expression: the value with its type. */
export function alone(unit: ExpressionUnit): Piece {
  return ({ scope, env }, shape, maybe) => {
    const value = unit.evaluate(scope, env);
    return value instanceof Promise
      ? value.then((settled) => fit(unit, settled, shape, maybe))
      : fit(unit, value, shape, maybe);
  };
}

function fit(
  unit: ExpressionUnit,
  value: Json | undefined,
  shape: TargetShape | undefined,
  maybe: boolean,
): Json | undefined {
  if (value !== undefined) return shape ? fitToShape(value, shape) : value;
  if (shape?.wantsListFor(undefined)) return [];
  if (maybe) return undefined;
  throw empty(unit);
}

const empty = (unit: ExpressionUnit): ExpressionError =>
  new ExpressionError('expression_empty', unit.place, 'gives nothing; say what then with {{ … ?? default }}');

/** Text around expressions: text as it is, everything else as JSON text (X1). */
export function textPiece(parts: readonly (string | ExpressionUnit)[]): Piece {
  return (context, _shape, maybe) => fillText(parts, context, maybe);
}

function fillText(parts: readonly (string | ExpressionUnit)[], context: Context, maybe: boolean): Filled {
  const rendered: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as string | ExpressionUnit;
    if (typeof part === 'string') {
      rendered.push(part);
      continue;
    }
    const value = part.evaluate(context.scope, context.env);
    if (value instanceof Promise) return fillTextLater(parts, context, maybe, rendered, at, value);
    if (value === undefined) return nothingInText(part, maybe);
    rendered.push(render(value));
  }
  return joinText(parts, rendered, context);
}

async function fillTextLater(
  parts: readonly (string | ExpressionUnit)[],
  context: Context,
  maybe: boolean,
  rendered: string[],
  from: number,
  first: Promise<Json | undefined>,
): Promise<Json | undefined> {
  for (let at = from; at < parts.length; at++) {
    const part = parts[at] as string | ExpressionUnit;
    if (typeof part === 'string') {
      rendered.push(part);
      continue;
    }
    const value = at === from ? await first : await part.evaluate(context.scope, context.env);
    if (value === undefined) return nothingInText(part, maybe);
    rendered.push(render(value));
  }
  return joinText(parts, rendered, context);
}

function nothingInText(unit: ExpressionUnit, maybe: boolean): undefined {
  if (!maybe) throw empty(unit);
  return undefined;
}

const render = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

function joinText(
  parts: readonly (string | ExpressionUnit)[],
  rendered: readonly string[],
  context: Context,
): string {
  const limit = context.env.sizeLimitBytes ?? DEFAULT_SIZE_LIMIT_BYTES;
  let units = 0;
  for (const piece of rendered) units += piece.length;
  if (units > limit) {
    const unit = parts.find((part) => typeof part !== 'string') as ExpressionUnit;
    throw new ExpressionError('expression_too_large', unit.place, `makes a text of more than ${limit} bytes`);
  }
  return rendered.join('');
}

/** A list of parts; an item that is nothing is an error. */
export function listPiece(pieces: readonly Piece[]): Piece {
  const step = (list: Json[], at: number, value: Json | undefined): void => {
    list[at] = value as Json;
  };
  return (context, shape) => {
    const list: Json[] = new Array(pieces.length);
    return fillEach(pieces, list, step, (piece, at) => piece(context, shape?.item(at), false));
  };
}

/** An object of parts; a field that is nothing stays out where that is allowed (X4). */
export function objectPiece(keys: readonly string[], pieces: readonly Piece[]): Piece {
  const step = (fields: { [key: string]: Json }, at: number, value: Json | undefined): void => {
    if (value !== undefined) fields[keys[at] as string] = value;
  };
  return (context, shape) =>
    fillEach(pieces, {} as { [key: string]: Json }, step, (piece, at) => {
      const key = keys[at] as string;
      return piece(context, shape?.field(key), context.optional || shape?.isOptional(key) === true);
    });
}

/** Runs the pieces in order, without waiting for as long as no piece waits. */
function fillEach<T extends Json>(
  pieces: readonly Piece[],
  target: T,
  put: (target: T, at: number, value: Json | undefined) => void,
  run: (piece: Piece, at: number) => Filled,
): Filled {
  for (let at = 0; at < pieces.length; at++) {
    const value = run(pieces[at] as Piece, at);
    if (value instanceof Promise) return fillRest(pieces, target, put, run, at, value);
    put(target, at, value);
  }
  return target;
}

async function fillRest<T extends Json>(
  pieces: readonly Piece[],
  target: T,
  put: (target: T, at: number, value: Json | undefined) => void,
  run: (piece: Piece, at: number) => Filled,
  from: number,
  first: Promise<Json | undefined>,
): Promise<Json | undefined> {
  put(target, from, await first);
  for (let at = from + 1; at < pieces.length; at++) put(target, at, await run(pieces[at] as Piece, at));
  return target;
}
