// Which database errors say nothing about the work: they use no attempt, reach no error branch, and the work is sent again.

/** SQLSTATE classes and codes of trouble with the connection or the server, not with the statement. */
const TROUBLE = /^(08|53|57|58|25006|40001|40P01|55P03|XX)/;

/** True when the same statement may well work a moment later: connection lost, server restarting, deadlock, too busy. */
export function isDatabaseTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return TROUBLE.test(code);
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return true; // ECONNREFUSED, ECONNRESET, …
  return /connection|terminat|not queryable|timeout exceeded|read timeout|socket/i.test(error.message);
}

/**
 * Asks until the database answers: for reads, and writes that may be repeated, which the work cannot go on without (C47).
 *
 * @throws whatever is not trouble with the database
 */
export async function throughTrouble<T>(ask: () => Promise<T>): Promise<T> {
  for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1_000)) {
    try {
      return await ask();
    } catch (error) {
      if (!isDatabaseTrouble(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
