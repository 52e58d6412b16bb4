import jsonata from 'jsonata';

/** A node of the JSONata syntax tree, as far as this package looks at it. */
export interface Ast {
  readonly type: string;
  readonly value?: unknown;
  /** Offset just past the token. */
  readonly position?: number;
  readonly steps?: readonly Ast[];
  readonly stages?: readonly Ast[];
  readonly predicate?: readonly Ast[];
  readonly group?: { readonly lhs: readonly (readonly [Ast, Ast])[] };
  readonly expr?: Ast;
  readonly focus?: string;
  readonly keepSingletonArray?: boolean;
  readonly condition?: Ast;
  readonly then?: Ast;
  readonly else?: Ast;
  readonly procedure?: Ast;
  readonly arguments?: readonly Ast[];
  readonly lhs?: Ast | readonly (readonly [Ast, Ast])[];
  readonly rhs?: Ast;
  readonly [key: string]: unknown;
}

export type ReadExpression =
  | { readonly ast: Ast; readonly problem?: undefined }
  | { readonly ast?: undefined; readonly problem: { readonly message: string; readonly position: number } };

/** Longest expression that is read, in UTF-16 units (X8). */
const MAX_EXPRESSION_LENGTH = 100_000;

/** Parses JSONata; a syntax error comes back with its offset in `source`. */
export function readExpression(source: string): ReadExpression {
  if (source.trim() === '')
    return { problem: { message: 'is empty; write an expression between the braces', position: 0 } };
  if (source.length > MAX_EXPRESSION_LENGTH) {
    return { problem: { message: `is longer than ${MAX_EXPRESSION_LENGTH} characters`, position: 0 } };
  }
  try {
    return { ast: jsonata(source).ast() as unknown as Ast };
  } catch (error) {
    return { problem: describe(error, source) };
  }
}

function describe(error: unknown, source: string): { message: string; position: number } {
  if (error instanceof RangeError) return { message: 'is nested too deeply', position: 0 };
  const { message, position } = error as { message?: string; position?: number };
  return {
    message: `does not parse: ${message ?? String(error)}`,
    position: Math.min(Math.max(position ?? 0, 0), source.length),
  };
}
