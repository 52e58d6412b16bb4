import type { ScopeRoot } from '../expression/scope.ts';
import type { KindName, NodeConfig, RetryPolicy, Template } from '../graph/document.ts';
import type { JsonObject, JsonSchema } from '../json.ts';

/** The port of an edge that names none. */
export const NORMAL_PORT = '';
/** The port that goes live with the failure as value, on nodes with `onError: { do: continue }` (K4). */
export const ERROR_PORT = 'error';
/** The port of a switch when no case holds. */
export const DEFAULT_PORT = 'default';

/** The port of a wait for a signal that did not come in time. */
export const TIMEOUT_PORT = 'timeout';
/** The port of an approval that was rejected. */
export const REJECTED_PORT = 'rejected';

/** What repeating a node of this kind does: `tool` means "as the tool declares" (semantics §2). */
export type KindEffect = 'pure' | 'idempotent' | 'model' | 'tool' | 'container';

/** A field of a node that holds a template or an expression. */
export interface TemplateField {
  /** JSON pointer inside the node's configuration. */
  readonly pointer: string;
  readonly template: Template;
  /** `expression`: bare JSONata; `text`: always rendered as text; `value`: keeps its type. */
  readonly as: 'value' | 'text' | 'expression';
  /** `secrets.NAME` may be read here. */
  readonly allow?: 'secrets';
  /** Roots that exist for this field only. */
  readonly reads?: readonly ScopeRoot[];
  /** Yielding nothing is fine. */
  readonly optional?: boolean;
  /** `item`: filled once per item of the map or turn of the loop, after its body ran. Default `node`: filled before the node runs. */
  readonly scope?: 'node' | 'item';
  /** What the value must be, as far as the kind itself knows. */
  readonly schema?: JsonSchema;
}

/** Everything the core needs to know about one kind of node. Pure: same arguments, same answer. */
export interface Kind<Config extends NodeConfig = NodeConfig> {
  readonly name: Config['kind'];
  /** True when an executor of the workers runs it; the others are settled by the engine's own rules. */
  readonly dispatches: boolean;
  /** JSON Schema of the fields that only this kind has. */
  readonly fields: { readonly properties: JsonObject; readonly required: readonly string[] };
  readonly defaultRetry: Required<RetryPolicy>;
  effect(config: Config): KindEffect;
  /** Ports the node has by its kind; `portsOf` adds the error port. */
  ports(config: Config): readonly string[];
  templates(config: Config): readonly TemplateField[];
}

/** The configuration that belongs to a kind's name. */
export type ConfigOf<K extends KindName> = Extract<NodeConfig, { kind: K }>;
