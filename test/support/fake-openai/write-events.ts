import type { ServerResponse } from 'node:http';

/** Writes an event stream, cut at the byte positions that are asked for, each piece on its own way through the network. */
export async function writeEvents(
  response: ServerResponse,
  events: readonly string[],
  borders: 'every-byte' | readonly number[] | undefined,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.socket?.setNoDelay(true);
  const bytes = Buffer.from(events.join(''), 'utf8');
  for (const piece of cut(bytes, borders)) {
    if (response.destroyed) return;
    await new Promise((resolve) => response.write(piece, resolve));
    // The reader gets its turn, so that pieces are not joined again on the way.
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

function cut(bytes: Buffer, borders: 'every-byte' | readonly number[] | undefined): Buffer[] {
  if (borders === 'every-byte') return Array.from(bytes, (_byte, index) => bytes.subarray(index, index + 1));
  const places = [0, ...(borders ?? []).filter((at) => at > 0 && at < bytes.length), bytes.length];
  return places.slice(1).map((to, index) => bytes.subarray(places[index], to));
}
