// Would catch: a number that was rounded on its way, a value that no journal takes, bytes that travel as text.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { createTestContext } from '@pawl/tool-sdk/testing';
import { describe, expect, it } from 'vitest';
import { outputOf } from '../../../src/mcp/output-of.ts';

async function read(result: Partial<CallToolResult>) {
  const { ctx, seen } = createTestContext();
  return { output: await outputOf(ctx, 'mcp.shop.get', { content: [], ...result }), seen };
}

describe('what a call of an MCP tool gave', () => {
  it('when there is structured content it is the output, alone', async () => {
    const { output } = await read({
      content: [{ type: 'text', text: '{}' }],
      structuredContent: { a: [1, 1e300] },
    });
    expect(output).toEqual({ a: [1, 1e300] });
  });

  it('when an integer was too long to be read exactly, it is refused with its place', async () => {
    const structuredContent = JSON.parse('{"a/b":[{"id":9007199254740993}]}');
    await expect(read({ structuredContent })).rejects.toMatchObject({
      code: 'unsafe_integer',
      message: expect.stringContaining('/a~1b/0/id'),
    });
  });

  it('when a resource has bytes it becomes an artifact of its name; its text and links stay', async () => {
    const { output, seen } = await read({
      content: [
        {
          type: 'resource',
          resource: { uri: 'file:///a/b.pdf?x=1', mimeType: 'application/pdf', blob: 'JVBERi0=' },
        },
        { type: 'resource', resource: { uri: 'note://1', text: 'hello' } },
        { type: 'resource_link', uri: 'https://example.com/', name: 'page' },
      ],
    });
    expect(output).toEqual({
      content: [
        {
          type: 'resource',
          uri: 'file:///a/b.pdf?x=1',
          artifact: expect.objectContaining({ name: 'b.pdf', mediaType: 'application/pdf', bytes: 5 }),
        },
        { type: 'resource', uri: 'note://1', text: 'hello' },
        { type: 'resource_link', uri: 'https://example.com/', name: 'page' },
      ],
    });
    expect(seen.artifacts).toHaveLength(1);
  });

  it('when it is larger than a value may be, the call failed and says by how much', async () => {
    const text = 'x'.repeat(5 * 1024 * 1024);
    await expect(read({ content: [{ type: 'text', text }] })).rejects.toMatchObject({
      kind: 'permanent',
      code: 'response_too_large',
    });
  });

  it('when the server says that it failed, its words are why', async () => {
    await expect(read({ isError: true, content: [{ type: 'text', text: 'No.' }] })).rejects.toMatchObject({
      code: 'mcp_tool_failed',
      message: 'No.',
    });
    await expect(read({ isError: true })).rejects.toThrowError('did not say why');
  });
});
