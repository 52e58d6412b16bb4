/**
 * The body of an answer, at most `maxBytes` of it after decompression; the rest is not read.
 *
 * @returns `isCut` when there was more
 */
export async function readBody(
  response: Response,
  maxBytes: number,
): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bodyParts(response)) {
    parts.push(part);
    length += part.byteLength;
    if (length > maxBytes) return { bytes: Buffer.concat(parts).subarray(0, maxBytes), isCut: true };
  }
  return { bytes: Buffer.concat(parts), isCut: false };
}

/** The body piece by piece; leaving early closes the connection. */
export async function* bodyParts(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
