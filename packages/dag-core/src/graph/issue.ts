/** A problem as data: for the designer, the API and the CLI alike (G1). */
export interface Issue {
  /** Stable, snake_case; listed in SPEC.md G. */
  readonly code: string;
  /** JSON pointer (RFC 6901) of what is wrong. */
  readonly pointer: string;
  /** Names the thing and what was expected. */
  readonly message: string;
  /** Errors refuse a publish; warnings do not. */
  readonly severity: 'error' | 'warning';
  /** The way out, where one is known. */
  readonly hint?: string;
  /** Of an expression: where in the text at the pointer it is, in UTF-16 units from 0. */
  readonly position?: number;
}

/** An error to be fixed before a publish. */
export const errorAt = (code: string, pointer: string, message: string, hint?: string): Issue =>
  hint === undefined
    ? { code, pointer, message, severity: 'error' }
    : { code, pointer, message, severity: 'error', hint };

/** Something that may be published, and is worth a word with its way out. */
export const warningAt = (code: string, pointer: string, message: string, hint: string): Issue => ({
  code,
  pointer,
  message,
  severity: 'warning',
  hint,
});
