import { vi } from 'vitest';

/** Waits until a check passes. Milliseconds on an idle machine; a busy one must not fail it. */
export const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000 });
