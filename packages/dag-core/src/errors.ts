/** Stable codes of {@link ExpressionError} (X8). */
export type ExpressionErrorCode =
  | 'expression_syntax'
  | 'expression_empty'
  | 'expression_failed'
  | 'expression_timeout'
  | 'expression_too_deep'
  | 'expression_too_large'
  | 'expression_not_json'
  | 'expression_forbidden';

/** Where an expression stands: pointer of the string inside its template, and the expression's own text. */
export interface ExpressionPlace {
  readonly pointer: string;
  readonly source: string;
}

/** An expression could not be read or gave no usable value. Permanent: the same data gives the same error. */
export class ExpressionError extends Error {
  readonly code: ExpressionErrorCode;
  readonly pointer: string;
  /** Offset in the string that holds the expression, in UTF-16 units, where it is known. */
  readonly position?: number;

  constructor(code: ExpressionErrorCode, place: ExpressionPlace, problem: string, position?: number) {
    const where = place.pointer === '' ? '' : ` at ${place.pointer}`;
    super(`Expression {{ ${shorten(place.source, 200)} }}${where} ${shorten(problem, 1_000)}`);
    this.name = 'ExpressionError';
    this.code = code;
    this.pointer = place.pointer;
    this.position = position;
  }
}

/** Cuts long text for a sentence, never through a surrogate pair. */
function shorten(text: string, units: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= units) return trimmed;
  return `${trimmed.slice(0, units).replace(/[\ud800-\udbff]$/, '')}…`;
}
