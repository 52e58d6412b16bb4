import type { Json, JsonObject, JsonSchema } from '../json.ts';
import { type ApprovalNode, bodyOf, type NodeConfig, type Template } from './document.ts';

/** What is known of registered tools, by `<name>@<version>`. */
export type ToolOutputs = ReadonlyMap<string, { readonly output?: JsonSchema | undefined }>;

/** What a node is known to give, as far as its kind and its settings say; undefined: nobody knows before it ran. */
export function outputSchemaOf(node: NodeConfig, tools: ToolOutputs): JsonSchema | undefined {
  switch (node.kind) {
    case 'llm':
      return node.output?.schema ?? TEXT;
    case 'agent':
      if (node.output?.value !== undefined) return schemaOfTemplate(node.output.value);
      return node.output?.schema ?? TEXT;
    case 'tool':
      return tools.get(node.tool)?.output;
    case 'transform':
      return schemaOfTemplate(node.value);
    case 'switch':
      return object({ ports: { type: 'array', items: TEXT } });
    case 'join':
      return object({ outputs: { type: 'object' }, skipped: { type: 'array', items: TEXT } });
    case 'approval':
      return answerSchema(node);
    case 'wait':
      return node.signal
        ? object({ name: TEXT, key: TEXT, payload: {}, id: TEXT, by: TEXT, sentAt: TEXT })
        : object({ until: TEXT, at: TEXT });
    case 'emit':
      return object({ signal: TEXT });
    case 'map':
      return { type: 'array', items: bodySchema(node, tools) ?? true };
    case 'loop':
      return bodySchema(node, tools);
    case 'code':
    case 'flow':
      return undefined;
  }
}

const TEXT: JsonObject = { type: 'string' };

const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

const answerSchema = ({ form }: ApprovalNode): JsonSchema =>
  object({
    decision: { enum: ['approved', 'rejected'] },
    values: (form as Json | undefined) ?? {},
    by: TEXT,
    at: TEXT,
    reason: TEXT,
  });

/** Of one item or turn: its own template, else its only leaf, else its leaves by their ids. */
function bodySchema(node: NodeConfig, tools: ToolOutputs): JsonSchema | undefined {
  if ('output' in node && node.output !== undefined) return schemaOfTemplate(node.output as Template);
  const { nodes = [], edges = [] } = bodyOf(node) ?? {};
  const leaves = nodes.filter(({ id }) => edges.every(({ from }) => from !== id));
  const [only, ...others] = leaves;
  if (only && others.length === 0) return outputSchemaOf(only, tools);
  return object(
    Object.fromEntries(leaves.map((leaf) => [leaf.id, (outputSchemaOf(leaf, tools) ?? {}) as Json])),
  );
}

/** What is known of a template before it is filled: its members, and the types of what is no expression. */
function schemaOfTemplate(template: Template, depth = 0): JsonSchema | undefined {
  if (template === null) return { type: 'null' };
  if (typeof template === 'string') return /^\s*\{\{[\s\S]*\}\}\s*$/.test(template) ? undefined : TEXT;
  if (typeof template !== 'object') return { type: typeof template };
  if (Array.isArray(template)) return { type: 'array' };
  if (depth > 8) return { type: 'object' };
  const members = Object.entries(template as JsonObject).map(([name, inner]) => [
    name,
    (schemaOfTemplate(inner, depth + 1) ?? {}) as Json,
  ]);
  return object(Object.fromEntries(members));
}
