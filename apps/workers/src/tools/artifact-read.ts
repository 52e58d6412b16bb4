import { defineTool } from '@pawl/tool-sdk';
import { z } from 'zod';
import { artifactReference } from './artifact-reference.ts';
import { decodeText } from './decode-text.ts';
import { readArtifact } from './read-artifact.ts';

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
    artifact: artifactReference,
    encoding: z.enum(['utf8', 'base64']).default('utf8'),
    charset: z.string().default('utf-8').describe('Of text, for instance gbk.'),
  }),
  output: z.strictObject({
    encoding: z.enum(['utf8', 'base64']),
    bytes: z.int().nonnegative().describe('Size of the content.'),
    text: z.string().describe('The text, or the base64 of the bytes.'),
  }),
  async execute(ctx, { artifact: { artifactId }, encoding, charset }) {
    const content = await readArtifact(ctx, { artifactId }, MAX_BYTES);
    const text =
      encoding === 'base64'
        ? content.toString('base64')
        : decodeText(content, charset, `Artifact ${artifactId}`);
    return { encoding, bytes: content.byteLength, text };
  },
});
