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
