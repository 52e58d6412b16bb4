import { joinDeltas } from '../deltas.ts';
import { wholeCodePointsUntil } from '../tokens.ts';

/** What a stretch of waiting needs; `wait` rejects as soon as the signal is aborted. */
export interface StreamPlan {
  readonly totalMs: number;
  readonly signal: AbortSignal;
  readonly onDelta?: (text: string) => void;
  readonly onFirst: () => void;
}

const CHUNK_UNITS = 48;
const MOST_CHUNKS = 64;

/** Hands out a text in pieces over `totalMs`; a third of the time passes before the first one. Never cuts a code point. */
export async function streamText(text: string, plan: StreamPlan): Promise<void> {
  const pieces = plan.onDelta === undefined ? [] : piecesOf(text);
  const deltas = joinDeltas(plan.onDelta ?? (() => undefined));
  await wait(pieces.length === 0 ? plan.totalMs : plan.totalMs / 3, plan.signal);
  const pause = pieces.length < 2 ? 0 : (plan.totalMs * 2) / 3 / (pieces.length - 1);
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await wait(pause, plan.signal);
    if (index === 0) plan.onFirst();
    deltas.push(piece);
  }
}

function piecesOf(text: string): string[] {
  const size = Math.max(CHUNK_UNITS, Math.ceil(text.length / MOST_CHUNKS));
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const to = wholeCodePointsUntil(text, Math.min(text.length, from + size));
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

/** Waits; no timer at all for 0 ms. Rejects with the signal's reason when it is or becomes aborted. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason);
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}
