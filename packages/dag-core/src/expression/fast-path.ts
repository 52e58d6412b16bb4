import type { Ast } from './read-expression.ts';

// Rules kept here: X5 simple expressions skip JSONata and give the same answer. Anything whose rule is not copied here
// exactly hands over to JSONata, either when compiling (undefined) or when evaluating (BAIL).

/** Says: this value needs JSONata. */
export const BAIL: unique symbol = Symbol('bail');

/** Evaluates against the scope without waiting; undefined is "nothing". */
export type FastExpression = (scope: unknown) => unknown;

/** Compiles an expression to a plain function, or returns undefined when it is not simple enough. */
export function compileFast(ast: Ast): FastExpression | undefined {
  switch (ast.type) {
    case 'path':
      return hasOnly(ast, ['type', 'steps']) ? compilePath(ast.steps ?? []) : undefined;
    case 'string':
    case 'number':
    case 'value':
      return hasOnly(ast, ['type', 'value', 'position']) ? () => ast.value : undefined;
    case 'condition':
      return hasOnly(ast, ['type', 'condition', 'then', 'else', 'position'])
        ? compileCondition(ast)
        : undefined;
    case 'function':
      return hasOnly(ast, ['type', 'value', 'arguments', 'procedure', 'position'])
        ? compileExists(ast)
        : undefined;
    case 'binary':
      return hasOnly(ast, ['type', 'value', 'lhs', 'rhs', 'position']) ? compileBinary(ast) : undefined;
    default:
      return undefined;
  }
}

/** True when the node carries nothing that this file does not know about (predicates, groups, bindings, …). */
function hasOnly(node: Ast, keys: readonly string[]): boolean {
  return Object.keys(node).every((key) => keys.includes(key) || node[key] === undefined);
}

interface Step {
  readonly name: string;
  /** Constant indexes in brackets after the name. */
  readonly indexes: readonly number[];
}

function compilePath(nodes: readonly Ast[]): FastExpression | undefined {
  const steps: Step[] = [];
  for (const node of nodes) {
    if (node.type !== 'name' || !hasOnly(node, ['type', 'value', 'position', 'stages'])) return undefined;
    const indexes: number[] = [];
    for (const stage of node.stages ?? []) {
      if (stage.type !== 'filter' || stage.expr?.type !== 'number') return undefined;
      if (!hasOnly(stage.expr, ['type', 'value', 'position'])) return undefined;
      indexes.push(Math.floor(stage.expr.value as number));
    }
    steps.push({ name: node.value as string, indexes });
  }
  return (scope) => walkPath(scope, steps);
}

/** The common case: every value on the way is an object. The first list on the way switches to the mapping rules. */
function walkPath(scope: unknown, steps: readonly Step[]): unknown {
  let value = scope;
  for (let at = 0; at < steps.length; at++) {
    if (Array.isArray(value)) return mapPath(value, steps, at);
    const step = steps[at] as Step;
    value = member(value, step.name);
    if (value === BAIL) return BAIL;
    for (let i = 0; i < step.indexes.length; i++) value = pick(value, step.indexes[i] as number);
    if (value === undefined) return undefined;
  }
  return value;
}

/** An own field of an object; nothing for everything else. */
function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  // JSONata takes objects with these marks for functions, whose fields it hides.
  if ('_jsonata_function' in value || '_jsonata_lambda' in value) return BAIL;
  return (value as Record<string, unknown>)[name];
}

/** `[index]` on a value: of a list its item, of anything else itself when the index is the first. */
function pick(value: unknown, index: number): unknown {
  const list = Array.isArray(value) ? value : [value];
  return list[index < 0 ? list.length + index : index];
}

/** Stands for the empty sequence that a filter leaves: it counts as a result but holds nothing. */
const EMPTY: readonly unknown[] = [];

/** JSONata's rules for steps over a list: map, drop nothing, flatten one level, unwrap what is single. */
function mapPath(list: readonly unknown[], steps: readonly Step[], from: number): unknown {
  let items = list;
  for (let at = from; at < steps.length; at++) {
    const step = steps[at] as Step;
    const results: unknown[] = [];
    for (const item of items) {
      let value = unwrap(lookup(item, step.name));
      if (value === BAIL) return BAIL;
      for (const index of step.indexes) {
        value = value === EMPTY ? undefined : pick(value, index);
        if (value === undefined) value = EMPTY;
      }
      if (value !== undefined) results.push(value);
    }
    const [single] = results;
    if (at === steps.length - 1 && results.length === 1 && Array.isArray(single) && single !== EMPTY)
      return single;
    items = results.flat(1);
    if (items.length === 0) return undefined;
  }
  return items.length === 1 ? items[0] : items;
}

/** A marker around what a lookup over a list gathered, to tell it from a list in the data. */
class Gathered {
  readonly values: unknown[] = [];
}

function lookup(value: unknown, name: string): unknown {
  if (!Array.isArray(value)) return member(value, name);
  const gathered = new Gathered();
  for (const each of value) {
    const found = lookup(each, name);
    if (found === BAIL) return BAIL;
    if (found === undefined) continue;
    if (found instanceof Gathered) for (const inner of found.values) gathered.values.push(inner);
    else if (Array.isArray(found)) for (const inner of found) gathered.values.push(inner);
    else gathered.values.push(found);
  }
  return gathered;
}

function unwrap(value: unknown): unknown {
  if (!(value instanceof Gathered)) return value;
  if (value.values.length === 0) return undefined;
  return value.values.length === 1 ? value.values[0] : value.values;
}

function compileCondition(ast: Ast): FastExpression | undefined {
  const condition = ast.condition && compileFast(ast.condition);
  const yes = ast.then && compileFast(ast.then);
  const no = ast.else ? compileFast(ast.else) : () => undefined;
  if (!condition || !yes || !no) return undefined;
  return (scope) => {
    const answer = condition(scope);
    if (typeof answer !== 'boolean') return BAIL;
    return answer ? yes(scope) : no(scope);
  };
}

function compileExists(ast: Ast): FastExpression | undefined {
  const [argument, ...more] = ast.arguments ?? [];
  const isExists = ast.procedure?.type === 'variable' && ast.procedure.value === 'exists';
  if (!isExists || !hasOnly(ast.procedure as Ast, ['type', 'value', 'position'])) return undefined;
  const inner = argument && more.length === 0 ? compileFast(argument) : undefined;
  if (!inner) return undefined;
  return (scope) => {
    const value = inner(scope);
    return value === BAIL ? BAIL : value !== undefined;
  };
}

type Operator = (left: unknown, right: unknown) => unknown;

const bothNumbers =
  (operate: (a: number, b: number) => number): Operator =>
  (a, b) => {
    if (typeof a !== 'number' || typeof b !== 'number') return BAIL;
    const result = operate(a, b);
    return Number.isFinite(result) ? result : BAIL;
  };

const ordered =
  (holds: (a: string | number, b: string | number) => boolean): Operator =>
  (a, b) =>
    (typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string')
      ? holds(a, b)
      : BAIL;

const isScalar = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const operators: Readonly<Record<string, Operator>> = {
  '+': bothNumbers((a, b) => a + b),
  '-': bothNumbers((a, b) => a - b),
  '*': bothNumbers((a, b) => a * b),
  '/': bothNumbers((a, b) => a / b),
  '%': bothNumbers((a, b) => a % b),
  '<': ordered((a, b) => a < b),
  '<=': ordered((a, b) => a <= b),
  '>': ordered((a, b) => a > b),
  '>=': ordered((a, b) => a >= b),
  '=': (a, b) => (isScalar(a) && isScalar(b) ? a === b : BAIL),
  '!=': (a, b) => (isScalar(a) && isScalar(b) ? a !== b : BAIL),
  '&': (a, b) => (typeof a === 'string' && typeof b === 'string' ? a + b : BAIL),
};

function compileBinary(ast: Ast): FastExpression | undefined {
  const left = compileFast(ast.lhs as Ast);
  const right = compileFast(ast.rhs as Ast);
  if (!left || !right) return undefined;
  if (ast.value === 'and' || ast.value === 'or') return compileLogic(left, right, ast.value === 'or');
  const operate = Object.hasOwn(operators, String(ast.value)) ? operators[String(ast.value)] : undefined;
  return operate && ((scope) => operate(left(scope), right(scope)));
}

function compileLogic(left: FastExpression, right: FastExpression, decisive: boolean): FastExpression {
  return (scope) => {
    const first = left(scope);
    if (typeof first !== 'boolean') return BAIL;
    if (first === decisive) return decisive;
    const second = right(scope);
    return typeof second === 'boolean' ? second : BAIL;
  };
}
