import { defineTool } from '@pawl/tool-sdk';
import { z } from 'zod';
import { artifactOutput, plainReference } from './artifact-reference.ts';
import { decodeContent } from './content.ts';

/** `artifact.write@1`: keeps content as an artifact of the run and returns the reference to it. */
export const artifactWrite = defineTool({
  name: 'artifact.write',
  version: '1',
  title: 'Keep an artifact',
  description:
    'Stores text or bytes as an artifact. The output is the reference that other nodes and people use.',
  effect: 'idempotent',
  input: z.strictObject({
    name: z.string().min(1).max(200).describe('For instance report.md.'),
    mediaType: z
      .string()
      .regex(/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(\s*;.*)?$/i, 'must look like text/markdown')
      .default('text/plain'),
    content: z.string().describe('The text, or the base64 of the bytes.'),
    encoding: z.enum(['utf8', 'base64']).default('utf8'),
  }),
  output: artifactOutput,
  async execute(ctx, { name, mediaType, content, encoding }) {
    const data = decodeContent(content, encoding, '/content');
    return plainReference(await ctx.artifacts.put({ name, mediaType, data }));
  },
});
