/**
 * Settings that keep the mapper and its query builder from writing to standard output, which belongs to the command that
 * runs (`--json` for one).
 *
 * @param log told instead
 */
export function quietLogging(log: (line: string) => void) {
  const tell = (message: unknown) => log(String(message));
  return {
    mapper: { logger: log, colors: false },
    queryBuilder: { log: { debug: tell, warn: tell, error: tell, deprecate: tell } },
  } as const;
}
