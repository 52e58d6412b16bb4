export { type Accepted, accepted, isAccepted } from './accepted.ts';
export type {
  AcceptedCall,
  ArtifactInput,
  ArtifactRef,
  PollAnswer,
  ProbeAnswer,
  ToolArtifacts,
  ToolContext,
  ToolLogger,
  UndoAnswer,
} from './context.ts';
export { defineTool, isTool } from './define-tool.ts';
export * from './errors.ts';
export {
  classOfHttpStatus,
  type FailureContext,
  failureOfHttp,
  leavesDoubt,
  type ToolFailure,
  type ToolFailureClass,
  toFailure,
} from './failure-table.ts';
export {
  cutText,
  failureText,
  MAX_MESSAGE_UNITS,
  scrubJson,
  scrubSecrets,
  wellFormed,
} from './failure-text.ts';
export { followRedirects } from './follow-redirects.ts';
export type { Json, JsonObject, JsonSchema } from './json.ts';
export { loadTools } from './load-tools.ts';
export * from './model-provider.ts';
export { bodyParts, readBody } from './read-body.ts';
export { ToolRegistry } from './registry.ts';
export { type HeaderBag, MAX_RETRY_AFTER_MS, parseRetryAfter } from './retry-after.ts';
export { compileSchema, type Parsed, type ParseResult, type SchemaLike, type Unparsed } from './schema.ts';
export { escapePointer, type JsonCheck, MAX_JSON_DEPTH, type NotJson, toJson } from './to-json.ts';
export {
  type DoneEffect,
  EFFECT_CLASSES,
  type EffectClass,
  type MatchRule,
  type Tool,
  type ToolDeclaration,
  type ToolDefinition,
  type ToolMatch,
  type ToolResources,
  type ToolRetry,
  type Undo,
} from './tool.ts';
export { createToolFetch, isSafeMethod, type ToolFetch, type ToolFetchOptions } from './tool-fetch.ts';
