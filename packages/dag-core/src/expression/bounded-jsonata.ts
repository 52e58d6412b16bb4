import jsonata from 'jsonata';
import type { Ast } from './read-expression.ts';
import type { ExpressionEnv } from './scope.ts';

// Rules kept here: X6 clock and randomness come from the environment only; X7 $eval is refused, the scope is never changed;
// X8 time, depth and lengths are bounded.

/** Nested evaluations; about a tenth of what the engine's own stack would take. */
const MAX_DEPTH = 1_000;
/** Items of one sequence; above the largest map. */
const MAX_SEQUENCE = 2_000_000;
const DEFAULT_TIME_LIMIT_MS = 50;

/** Binding that carries the environment. No expression can name it: a space ends a name. */
const ENV = 'pawl env';
const FROM_MILLIS = 'pawl fromMillis';
const ENTRY = Symbol.for('jsonata.__evaluate_entry');

interface Frame {
  bind(name: string | symbol, value: unknown): void;
  lookup(name: string | symbol): unknown;
  base: Frame;
  timestamp: Date;
}
interface Focus {
  readonly environment: Frame;
}
interface Draws {
  readonly env: ExpressionEnv;
  count: number;
}

/** Evaluates one expression many times. The result is what JSONata returned: not yet plain JSON. */
export type SlowExpression = (data: object, env: ExpressionEnv) => Promise<unknown>;

/** Prepares an expression for JSONata with the bounds and the environment of X6–X8. Prepared on first use. */
export function compileSlow(source: string, ast: Ast): SlowExpression {
  const changesData = mutates(ast);
  const byLimit = new Map<number, jsonata.Expression>();
  return (data, env) => {
    const limitMs = env.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS;
    let expression = byLimit.get(limitMs);
    if (!expression) {
      expression = prepare(source, limitMs);
      byLimit.set(limitMs, expression);
    }
    const prepared = expression;
    const input = changesData ? JSON.parse(JSON.stringify(data)) : data;
    return oneAtATime(() => evaluate(prepared, input, env));
  };
}

async function evaluate(expression: jsonata.Expression, input: object, env: ExpressionEnv): Promise<unknown> {
  const draws: Draws = { env, count: 0 };
  try {
    return await expression.evaluate(input, { [ENV]: draws });
  } catch (error) {
    // The time limit is wall time: a process that was stopped or starved meets it through no fault of the expression.
    // A second try settles it, unless random numbers were drawn, which cannot be drawn again.
    if ((error as { code?: string }).code !== 'D1012' || draws.count > 0) throw error;
    return expression.evaluate(input, { [ENV]: draws });
  }
}

let last: Promise<unknown> = Promise.resolve();

/** Evaluations take turns: they share one thread, and the time limit of one must not count the work of others. */
function oneAtATime<T>(task: () => Promise<T>): Promise<T> {
  const turn = last.then(task);
  last = turn.then(ignore, ignore);
  return turn;
}
const ignore = (): void => undefined;

function prepare(source: string, timeLimitMs: number): jsonata.Expression {
  const expression = jsonata(source, { timeout: timeLimitMs, stack: MAX_DEPTH, sequence: MAX_SEQUENCE });
  expression.assign(ENTRY as unknown as string, onFirstStep);
  const register = expression.registerFunction as unknown as (
    name: string,
    implementation: (this: Focus, ...args: never[]) => unknown,
    signature: string,
  ) => void;
  register('now', now, '<s?s?:s>');
  register('millis', millis, '<:n>');
  register('random', random, '<:n>');
  register('shuffle', shuffle, '<a:a>');
  register('pad', pad, '<s-ns?:s>');
  register('eval', refuseEval, '<sx?:x>');
  return expression;
}

/** Puts the recorded clock where JSONata keeps its own, then takes itself away, because it would be awaited at every step. */
function onFirstStep(_ast: unknown, _input: unknown, frame: Frame): void {
  const { base } = frame;
  base.bind(FROM_MILLIS, base.lookup('fromMillis'));
  base.bind(ENTRY, undefined);
  frame.timestamp = base.timestamp = lazyDate(drawsOf(base).env);
}

/** A date that reads the clock when somebody looks, so that an expression without dates never touches it. */
function lazyDate(env: ExpressionEnv): Date {
  return new Proxy(new Date(0), {
    get(_target, property) {
      const date = new Date(env.now());
      const value = Reflect.get(date, property);
      return typeof value === 'function' ? value.bind(date) : value;
    },
  });
}

const drawsOf = (frame: Frame): Draws => frame.lookup(ENV) as Draws;

function now(this: Focus, picture?: string, timezone?: string): unknown {
  const fromMillis = this.environment.base.lookup(FROM_MILLIS) as {
    implementation(this: Focus, millis: number, picture?: string, timezone?: string): unknown;
  };
  return fromMillis.implementation.call(this, drawsOf(this.environment).env.now(), picture, timezone);
}

function millis(this: Focus): number {
  return drawsOf(this.environment).env.now();
}

function random(this: Focus): number {
  const draws = drawsOf(this.environment);
  draws.count += 1;
  return draws.env.random();
}

/** Fisher–Yates, from the front; one draw per item but the first. */
function shuffle(this: Focus, list: unknown[] | undefined): unknown[] | undefined {
  if (list === undefined) return undefined;
  const shuffled = [...list];
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = Math.floor(random.call(this) * (at + 1));
    [shuffled[at], shuffled[other]] = [shuffled[other], shuffled[at]];
  }
  return shuffled;
}

const MAX_PADDED = 1_000_000;

/** JSONata's `$pad`, which would allocate any width it is told. */
function pad(this: Focus, text: string | undefined, width: number, filler?: string): string | undefined {
  if (text === undefined) return undefined;
  if (Math.abs(width) > MAX_PADDED)
    throw { code: 'PAD', message: `$pad reaches at most ${MAX_PADDED} characters` };
  const missing = Math.abs(Math.trunc(width)) - [...text].length;
  if (missing <= 0) return text;
  const units = filler ? [...filler] : [' '];
  const padding = Array.from({ length: missing }, (_, at) => units[at % units.length]).join('');
  return width > 0 ? text + padding : padding + text;
}

function refuseEval(): never {
  throw { code: 'EVAL', message: '$eval is not available' };
}

/** Grouping and `[]` write marks into the lists they are given; such an expression gets a copy of the scope. */
function mutates(ast: Ast): boolean {
  if (ast.group || ast.keepSingletonArray || ast.keepArray || ast.type === 'transform') return true;
  return Object.values(ast).some(anyMutates);
}

function anyMutates(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(anyMutates);
  return typeof value === 'object' && value !== null && !(value instanceof RegExp) && mutates(value as Ast);
}
