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
  // The line that has begun, in pieces: a long line (an output of 60 MB is one) must not be looked through again per chunk.
  let begun: string[] = [];
  let isCarriageReturnHeld = false;
  let frame: string[] = [];
  for await (const chunk of body) {
    onBytes();
    let text: string = (isCarriageReturnHeld ? '\r' : '') + decoder.decode(chunk, { stream: true });
    // A CR at the very end may be half of a CRLF: it waits for the next chunk.
    isCarriageReturnHeld = text.endsWith('\r');
    if (isCarriageReturnHeld) text = text.slice(0, -1);
    const ends = text.split(/\r\n|\n|\r/);
    const rest = ends.pop()!;
    for (const end of ends) {
      const line = begun.join('') + end;
      begun = [];
      if (line !== '') {
        frame.push(line);
        continue;
      }
      const complete = frameOf(frame);
      frame = [];
      if (complete) yield complete;
    }
    begun.push(rest);
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
