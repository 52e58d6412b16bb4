import { failureText, type Json, type ToolFailure } from '@pawl/tool-sdk';

/** Codes of failures of code nodes; stable. */
export type CodeFailureCode =
  | 'code_syntax'
  | 'code_no_default'
  | 'code_error'
  | 'code_result'
  | 'code_timeout'
  | 'code_memory'
  | 'code_stack'
  | 'code_never_settles';

/** Why a code node failed, with its place in the source (counted from 1) where there is one. */
export interface CodeProblem {
  readonly code: CodeFailureCode;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** Thrown by `runCode`; `failure` is what goes into the journal. Only a timeout is worth another try. */
export class CodeFailure extends Error {
  override readonly name = 'CodeFailure';
  readonly code: CodeFailureCode;
  readonly failure: ToolFailure;

  constructor(problem: CodeProblem) {
    const { line, column } = problem;
    const place =
      line === undefined ? '' : ` (line ${line}${column === undefined ? '' : `, column ${column}`})`;
    super(failureText(`${problem.message}${place}`, []));
    this.code = problem.code;
    const detail: Json | undefined =
      line === undefined ? undefined : { line, ...(column === undefined ? {} : { column }) };
    this.failure = {
      code: problem.code,
      message: this.message,
      class: problem.code === 'code_timeout' ? 'timed_out' : 'permanent',
      ...(detail === undefined ? {} : { detail }),
    };
  }
}
