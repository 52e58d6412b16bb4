import {
  type FlowGraph,
  type Json,
  type JsonObject,
  type JsonSchema,
  type NodeRunMore,
  parsePath,
  validateInput,
  whyNotEditable,
} from '@pawl/dag-core';
import type { Orm } from '../entities/orm.ts';
import { StoreError } from '../errors.ts';
import { findDeclaration } from '../sql/catalog.ts';
import type { InboxQuestion } from './inbox-shapes.ts';

interface Retry {
  readonly decision: 'retry';
  readonly values?: Json;
}

/**
 * A retry whose arguments, if there are any, fit what is called (T19). Workers look again, and at secrets.
 *
 * @throws {StoreError} `arguments_not_editable`, `answer_invalid` with a pointer for each place
 */
export async function checkedRetry(
  { orm, graph }: { readonly orm: Orm; readonly graph: FlowGraph },
  { question, runId, path, nodeKind: kind }: InboxQuestion,
  answer: Retry,
): Promise<Retry> {
  const { values } = answer;
  if (values === undefined) return answer;
  const more = await moreOf(orm, runId, path);
  const reason = whyNotEditable(graph, { path, kind, ...(more && { more }) });
  if (reason) throw new StoreError('arguments_not_editable', { runId, path, reason });
  const { issues } = validateInput(await schemaOf(orm, graph, path), withoutSecrets(values));
  if (issues.length > 0) throw new StoreError('answer_invalid', { question, issues });
  return answer;
}

async function moreOf({ pool }: Orm, runId: string, path: string): Promise<NodeRunMore | undefined> {
  const { rows } = await pool.query<{ more: NodeRunMore | null }>(
    'select more from node_run where run_id = $1 and path = $2',
    [runId, path],
  );
  return rows[0]?.more ?? undefined;
}

/** What a model can be asked. */
const PROMPT: JsonSchema = {
  type: 'object',
  required: ['messages'],
  properties: {
    messages: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['role', 'content'],
        properties: {
          role: { enum: ['system', 'user', 'assistant'] },
          content: { type: 'string' },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

/** Of a tool: as a worker declared it; nothing when none did, then the worker alone decides. An agent's flow gives the rest. */
async function schemaOf({ pool }: Orm, graph: FlowGraph, path: string): Promise<JsonSchema | undefined> {
  const target = parsePath(graph, path);
  const config = target?.node.config;
  if (config?.kind !== 'tool') return PROMPT;
  const declared = (await findDeclaration(pool, 'tool', config.tool)) as
    | { inputSchema?: JsonSchema }
    | undefined;
  const schema = declared?.inputSchema;
  return target?.call === undefined ? schema : openSchema(schema, Object.keys((config.args ?? {}) as object));
}

/** What is left of the arguments of an agent's tool without those that the flow gives. */
function openSchema(schema: JsonSchema | undefined, given: readonly string[]): JsonSchema | undefined {
  if (typeof schema !== 'object') return schema;
  const { required, ...rest } = schema as JsonObject;
  const left = ((required ?? []) as string[]).filter((name) => !given.includes(name));
  return { ...rest, required: left } as JsonSchema;
}

/** A reference to a secret stands for a text. */
function withoutSecrets(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value.$secret === 'string' && Object.keys(value).length === 1) return 'secret';
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutSecrets(inner)]));
}
