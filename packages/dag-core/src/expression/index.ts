export { ExpressionError, type ExpressionErrorCode, type ExpressionPlace } from '../errors.ts';
export {
  type CompiledTemplate,
  type CompileOptions,
  compileExpression,
  compileTemplate,
  type EvaluateOptions,
} from './compile-template.ts';
export { quoteName } from './find-references.ts';
export type {
  ExpressionEnv,
  NodeView,
  Reference,
  Scope as ExpressionScope,
  ScopeRoot,
  TemplateIssue,
} from './scope.ts';
export { splitTemplate } from './split-template.ts';
