import type { CallToolResult, Tool as McpTool, Progress } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '@pawl/dag-core';
import {
  defineTool,
  type Json,
  type JsonSchema,
  scrubJson,
  scrubSecrets,
  type Tool,
  type ToolContext,
} from '@pawl/tool-sdk';
import { callError } from './call-error.ts';
import { CallUnderWay } from './call-under-way.ts';
import type { Connection } from './connection.ts';
import type { Judged } from './judge-tool.ts';
import { outputOf } from './output-of.ts';
import { translateSchema } from './translate-schema.ts';

/** Longest title, and longest description, that is shown, in UTF-16 units. */
const LONGEST = { title: 200, description: 20_000 };

/** What a tool without an output schema gives. */
const CONTENT: JsonSchema = {
  type: 'object',
  required: ['content'],
  properties: {
    content: {
      type: 'array',
      description: 'What the server answered, part by part: texts as they are, bytes as artifacts.',
      items: {
        type: 'object',
        required: ['type'],
        properties: {
          type: { enum: ['text', 'image', 'audio', 'resource', 'resource_link'] },
          text: { type: 'string' },
          uri: { type: 'string' },
          artifact: { type: 'object' },
        },
      },
    },
  },
};

export interface ToolParts {
  readonly server: string;
  /** As flows name it. */
  readonly name: string;
  readonly listed: McpTool;
  readonly judged: Judged;
  readonly connection: Connection;
  /** Member of `_meta` that carries the key. */
  readonly keyName: string;
  /** What the server was given and must not come back from it (V13). */
  readonly secrets: readonly string[];
  /** Right before a call is sent; throws when this worker may not send it any more (V3). */
  demandLease(): Promise<void>;
  /** A call did not go as it should: the server should be looked at. */
  onTrouble(): void;
}

/**
 * A tool of a server as a tool of this worker's.
 *
 * @throws {ToolDefinitionError} when its input schema cannot be used. An output schema that cannot is left out: it only checks.
 */
export function makeTool(parts: ToolParts): Tool {
  const { server, name, listed, judged } = parts;
  const { title, description, inputSchema, outputSchema, annotations } = listed;
  const define = (output: JsonSchema) =>
    defineTool({
      name,
      version: '1',
      title: (title ?? annotations?.title ?? listed.name).slice(0, LONGEST.title),
      description: (description ?? '').slice(0, LONGEST.description),
      effect: judged.effect,
      input: translateSchema(inputSchema as JsonObject),
      output,
      execute: (ctx, args) => call(parts, ctx, args),
    });
  const tool = outputSchema ? defineOr(define, translateSchema(outputSchema as JsonObject)) : define(CONTENT);
  const { effect: _, ...told } = judged;
  const mcp = JSON.parse(JSON.stringify({ server, tool: listed.name, ...told })) as JsonObject;
  return { ...tool, declaration: () => ({ ...tool.declaration(), mcp }) };
}

function defineOr(define: (output: JsonSchema) => Tool, output: JsonSchema): Tool {
  try {
    return define(output);
  } catch {
    return define(true);
  }
}

/** Makes one call. The key goes along: the same for every attempt, so that a server that keeps keys does the work once (V4). */
async function call(parts: ToolParts, ctx: ToolContext, args: Json): Promise<Json> {
  const { name, secrets, demandLease } = parts;
  await demandLease();
  const result = await send(parts, ctx, args);
  return outputOf(ctx, name, scrubJson(result as Json, secrets) as CallToolResult);
}

async function send(parts: ToolParts, ctx: ToolContext, args: Json): Promise<CallToolResult> {
  const { name, listed, connection, keyName, secrets, onTrouble } = parts;
  const underWay = new CallUnderWay(ctx.signal);
  const params = {
    name: listed.name,
    arguments: args as JsonObject,
    _meta: { [keyName]: ctx.idempotencyKey },
  };
  try {
    return await connection.call(params, underWay, (progress) => tell(ctx, progress));
  } catch (error) {
    if (!ctx.signal.aborted) onTrouble();
    const plain = (text: string) => scrubSecrets(text, secrets);
    throw callError({ tool: name, call: underWay, signal: ctx.signal, plain }, error);
  }
}

/** A server that does not know how much there is to do tells how much is done; no share follows from that. */
function tell(ctx: ToolContext, { progress, total, message }: Progress): void {
  if (total === undefined || total <= 0) return;
  ctx.progress(Math.min(1, Math.max(0, progress / total)), message);
}
