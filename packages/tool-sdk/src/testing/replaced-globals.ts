// The globals that a tool might use past its context are replaced while it runs, so that the kit sees it.

/** Runs with another `fetch` for the whole process. */
export async function withFetch<T>(replacement: typeof globalThis.fetch, run: () => Promise<T>): Promise<T> {
  const original = globalThis.fetch;
  globalThis.fetch = replacement;
  try {
    return await run();
  } finally {
    globalThis.fetch = original;
  }
}

/** Runs with the clock of the process set forward, so that an output that depends on it shows. */
export async function withClockAhead<T>(aheadMs: number, run: () => Promise<T>): Promise<T> {
  const original = globalThis.Date;
  globalThis.Date = new Proxy(original, {
    construct: (target, args, self) =>
      Reflect.construct(target, args.length === 0 ? [original.now() + aheadMs] : args, self),
    apply: () => new original(original.now() + aheadMs).toString(),
    get: (target, key) => (key === 'now' ? () => original.now() + aheadMs : Reflect.get(target, key)),
  });
  try {
    return await run();
  } finally {
    globalThis.Date = original;
  }
}
