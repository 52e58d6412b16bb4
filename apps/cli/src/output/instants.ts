import { UsageError } from '../errors.ts';

/** An instant given as an option, as the API takes it. @throws {UsageError} */
export function instantOption(text: string): string {
  const at = Date.parse(text);
  if (Number.isNaN(at))
    throw new UsageError(`"${text}" is no instant: expected one like 2026-01-31T12:00:00Z.`);
  return new Date(at).toISOString();
}
