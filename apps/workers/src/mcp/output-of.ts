import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type ArtifactRef, type Json, PermanentError, type ToolContext } from '@pawl/tool-sdk';
import { plainReference } from '../tools/artifact-reference.ts';

type Content = CallToolResult['content'][number];

/** As for the answers of HTTP tools: more is not a value. In UTF-16 units of JSON text. */
const MOST_UNITS = 4 * 1024 * 1024;
/** Largest picture, sound or file, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * What a call gave: the structured content where there is some, else the content, its bytes as artifacts.
 *
 * @throws {PermanentError} `mcp_tool_failed` with what the server said; `response_too_large`, `unsafe_integer`
 */
export async function outputOf(ctx: ToolContext, tool: string, result: CallToolResult): Promise<Json> {
  if (result.isError) throw toldFailure(tool, result);
  const { structuredContent } = result;
  const value = (structuredContent ?? { content: await contentOf(ctx, tool, result.content) }) as Json;
  const units = JSON.stringify(value).length;
  if (units > MOST_UNITS)
    throw new PermanentError({
      code: 'response_too_large',
      message: `Tool ${tool} answered with ${units} characters; ${MOST_UNITS} can become a value. Ask it for less.`,
    });
  if (structuredContent) refuseUnsafe(tool, value, '');
  return value;
}

/** The server answered, so the outcome is known: the call failed, and is not made again. */
function toldFailure(tool: string, { content }: CallToolResult): PermanentError {
  const said = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return new PermanentError({
    code: 'mcp_tool_failed',
    message: said.trim() === '' ? `Tool ${tool} failed and did not say why.` : said,
  });
}

async function contentOf(ctx: ToolContext, tool: string, content: readonly Content[]): Promise<Json> {
  const parts: Json[] = [];
  for (const [index, part] of content.entries()) parts.push(await partOf(ctx, `${tool}-${index + 1}`, part));
  return parts;
}

async function partOf(ctx: ToolContext, name: string, part: Content): Promise<Json> {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
    case 'audio':
      return { type: part.type, artifact: await keep(ctx, name, part.mimeType, part.data) };
    case 'resource_link': {
      const { uri, title, description, mimeType } = part;
      return plain({ type: 'resource_link', uri, name: part.name, title, description, mimeType });
    }
    case 'resource': {
      const { resource } = part;
      const { uri, mimeType = 'application/octet-stream' } = resource;
      if ('text' in resource)
        return plain({ type: 'resource', uri, mimeType: resource.mimeType, text: resource.text });
      return {
        type: 'resource',
        uri,
        artifact: await keep(ctx, lastOf(uri) ?? name, mimeType, resource.blob),
      };
    }
  }
}

/** Bytes are kept beside the value, which only refers to them. */
async function keep(ctx: ToolContext, name: string, mediaType: string, base64: string): Promise<ArtifactRef> {
  const data = Buffer.from(base64, 'base64');
  if (data.byteLength > MOST_BYTES)
    throw new PermanentError({
      code: 'response_too_large',
      message: `${name} has ${data.byteLength} bytes; ${MOST_BYTES} can become an artifact.`,
    });
  return plainReference(await ctx.artifacts.put({ name, mediaType, data }));
}

/** The name of a file behind an address; never a path. */
const lastOf = (uri: string): string | undefined =>
  /([^/\\?#]{1,200})$/.exec(uri.replace(/[?#].*$/, ''))?.[1];

const plain = (value: Record<string, unknown>): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Numbers are never rounded: what JSON.parse made of a longer integer is not what the server wrote. Larger than this it is no integer. */
const LARGEST_WRITTEN = 1e21;

function refuseUnsafe(tool: string, value: Json, pointer: string): void {
  if (typeof value === 'number') {
    if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < LARGEST_WRITTEN)
      throw new PermanentError({
        code: 'unsafe_integer',
        message: `Tool ${tool} answered with an integer beyond ±(2^53−1) at ${pointer}, which would be rounded. Have it written as text.`,
      });
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value))
      refuseUnsafe(tool, part, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}
