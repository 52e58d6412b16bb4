import { PermanentError, type ToolContext } from '@pawl/tool-sdk';

/**
 * The bytes of an artifact that is to become part of something; what is larger is not read to its end.
 *
 * @throws {PermanentError} `artifact_too_large`, `artifact_not_found`
 */
export async function readArtifact(
  ctx: ToolContext,
  { artifactId }: { readonly artifactId: string },
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of ctx.artifacts.read({ artifactId })) {
    ctx.heartbeat();
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(artifactId, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (artifactId: string, limit: number): PermanentError =>
  new PermanentError({
    code: 'artifact_too_large',
    message: `Artifact ${artifactId} has more than ${limit} bytes, which is the most that is taken here. Use a tool that streams it, or a smaller one.`,
    detail: { limit },
  });
