import { defineTool, PermanentError } from '@pawl/tool-sdk';
import { z } from 'zod';
import { decodeText } from './decode-text.ts';

/** Larger content does not become a value; tools that stream take the artifact itself. */
const MAX_BYTES = 16 * 1024 * 1024;

/** `artifact.read@1`: the content of an artifact as text or base64. */
export const artifactRead = defineTool({
  name: 'artifact.read',
  version: '1',
  title: 'Read an artifact',
  description: 'Reads an artifact of the workspace, made by a run or uploaded, as text or as base64.',
  effect: 'pure',
  input: z.strictObject({
    artifact: z
      .looseObject({ artifactId: z.string() })
      .describe('A reference, as tools and uploads return it; artifactId is enough.'),
    encoding: z.enum(['utf8', 'base64']).default('utf8'),
    charset: z.string().default('utf-8').describe('Of text, for instance gbk.'),
  }),
  output: z.strictObject({
    encoding: z.enum(['utf8', 'base64']),
    bytes: z.int().nonnegative().describe('Size of the content.'),
    text: z.string().describe('The text, or the base64 of the bytes.'),
  }),
  async execute(ctx, { artifact: { artifactId }, encoding, charset }) {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of ctx.artifacts.read({ artifactId })) {
      ctx.heartbeat();
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) throw tooLarge(artifactId);
      chunks.push(chunk);
    }
    const content = Buffer.concat(chunks);
    const text =
      encoding === 'base64'
        ? content.toString('base64')
        : decodeText(content, charset, `Artifact ${artifactId}`);
    return { encoding, bytes, text };
  },
});

const tooLarge = (artifactId: string): PermanentError =>
  new PermanentError({
    code: 'artifact_too_large',
    message: `Artifact ${artifactId} has more than ${MAX_BYTES} bytes, which is the most that becomes a value. Use a tool that takes the artifact itself.`,
    detail: { limit: MAX_BYTES },
  });
