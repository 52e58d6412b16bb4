/** Joins the pieces of a stream and hands them on in whole code points (C41). */
export interface DeltaJoiner {
  push(piece: string): void;
  /** Hands on what was held back and returns the whole text. */
  end(): string;
}

/**
 * Some servers cut a surrogate pair in two; its first half waits for the second. Errors of `onDelta` are no errors of
 * the call: a paid answer must not be lost because a watcher failed.
 */
export function joinDeltas(onDelta: (text: string) => void): DeltaJoiner {
  const pieces: string[] = [];
  let held = '';
  const hand = (text: string) => {
    if (text === '') return;
    try {
      onDelta(text);
    } catch {
      // Deltas are ephemeral; the recorded outcome is what counts.
    }
  };
  return {
    push(piece) {
      pieces.push(piece);
      const text = held + piece;
      const last = text.charCodeAt(text.length - 1);
      const endsInside = last >= 0xd800 && last <= 0xdbff;
      held = endsInside ? text.slice(-1) : '';
      hand(endsInside ? text.slice(0, -1) : text);
    },
    end() {
      hand(held);
      held = '';
      return pieces.join('');
    },
  };
}
