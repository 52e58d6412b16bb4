/** Passes an error on. */
export type TroubleSink = (trouble: unknown) => void;

/**
 * Wraps the owner's listener: the same kind of trouble is passed on at most once per second, because a client that
 * reconnects may fail hundreds of times while its server starts. A listener that throws does no harm.
 */
export function troubleSink(listener: ((trouble: Error) => void) | undefined): TroubleSink {
  const lastAt = new Map<string, number>();
  return (trouble) => {
    const error = trouble instanceof Error ? trouble : new Error(String(trouble));
    const kind = `${error.name} ${(error as { code?: unknown }).code ?? error.message.slice(0, 60)}`;
    const now = Date.now();
    if (now - (lastAt.get(kind) ?? 0) < 1_000) return;
    if (lastAt.size > 100) lastAt.clear();
    lastAt.set(kind, now);
    try {
      (listener ?? writeLine)(error);
    } catch {}
  };
}

function writeLine(error: Error): void {
  process.stderr.write(`queue: ${error.message || error.name}\n`);
}
