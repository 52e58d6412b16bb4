// Catches: a character or a line broken by where the network cut the bytes (C41).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFrames, type SseFrame } from '../src/client/sse-parser.ts';

async function* cut(text: string, places: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let from = 0;
  for (const place of [
    ...places.map((each) => each % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ]) {
    yield bytes.slice(from, place);
    from = place;
  }
}
async function parse(text: string, places: readonly number[] = []): Promise<SseFrame[]> {
  const frames: SseFrame[] = [];
  for await (const frame of readFrames(cut(text, places))) frames.push(frame);
  return frames;
}

const stream =
  'retry: 1000\n\n: keep-alive\n\nid: 7\nevent: journal\ndata: {"a":"北京 🌍 naïve"}\n\nevent: end\ndata: {}\n\n';
const frames = [
  { event: 'journal', data: '{"a":"北京 🌍 naïve"}', id: '7' },
  { event: 'end', data: '{}' },
];

describe('an event stream', () => {
  it('gives the same frames wherever its bytes are cut, with any line ends', async () => {
    const lineEnds = fc.constantFrom('\n', '\r\n', '\r');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), lineEnds, async (places, lineEnd) => {
        // A final CR cannot be told from half a CRLF, so something follows it.
        const text = `${stream.replaceAll('\n', lineEnd)}: after\n`;
        expect(await parse(text, places)).toEqual(frames);
      }),
    );
  });

  it('one byte at a time: no replacement character', async () => {
    const places = Array.from({ length: new TextEncoder().encode(stream).length }, (_, index) => index);
    expect(await parse(stream, places)).toEqual(frames);
  });

  it('joins data lines, takes a missing space and ignores comments and unknown fields', async () => {
    expect(await parse('data:one\ndata: two\n:x\nother: y\ndata\n\n')).toEqual([
      { event: 'message', data: 'one\ntwo\n' },
    ]);
  });

  it('an unfinished frame is not a frame', async () => {
    expect(await parse('id: 1\ndata: {"cut')).toEqual([]);
  });

  it('tells of bytes that hold no frame', async () => {
    let heard = 0;
    for await (const _ of readFrames(cut(': keep-alive\n\n', []), () => heard++)) expect.unreachable();
    expect(heard).toBe(1);
  });
});
