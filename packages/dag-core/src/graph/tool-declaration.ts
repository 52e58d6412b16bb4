import type { JsonSchema } from '../json.ts';
import type { EffectClass } from '../state/status.ts';
import type { FoundFlow } from './flow-ref.ts';

/** What publish needs to know about a registered tool; the tool SDK has the richer thing. */
export interface ToolDeclaration {
  readonly name: string;
  readonly version: string;
  readonly effect: EffectClass;
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  /** It can undo what it did. */
  readonly compensates?: boolean;
  /** How long its results are kept; absent: they are not. */
  readonly cacheTtlMs?: number;
}

/** What is registered; what is absent is not checked. */
export interface Registered {
  readonly tools?: ReadonlyMap<string, ToolDeclaration>;
  readonly models?: (id: string) => boolean;
  /** What the `flow` nodes of the document name, as they write it. */
  readonly flows?: ReadonlyMap<string, FoundFlow>;
}
