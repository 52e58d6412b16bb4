/** One frame of an event stream. `id` is absent when the frame sets none. */
export interface SseFrame {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

/**
 * Reads an event stream (WHATWG) from bytes that may be cut anywhere, also inside a character or a line end.
 * `onBytes` is called for whatever arrives, comments included: the sign of life of a silent run.
 */
export async function* readFrames(
  body: AsyncIterable<Uint8Array>,
  onBytes: () => void = () => {},
): AsyncGenerator<SseFrame> {
  const decoder = new TextDecoder();
  let rest = '';
  let frame: string[] = [];
  for await (const chunk of body) {
    onBytes();
    rest += decoder.decode(chunk, { stream: true });
    // A CR at the very end may be half of a CRLF: it waits for the next chunk.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    for (const line of lines) {
      if (line !== '') {
        frame.push(line);
        continue;
      }
      const complete = frameOf(frame);
      frame = [];
      if (complete) yield complete;
    }
  }
}

function frameOf(lines: readonly string[]): SseFrame | undefined {
  let event = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon === 0) continue;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id') id = value;
  }
  if (data.length === 0) return undefined;
  return { event, data: data.join('\n'), ...(id === undefined ? {} : { id }) };
}
