import { type Logger, pino } from 'pino';
import { HiddenValues } from './hidden-values.ts';

// Rules kept here: V13 no secret that this process knows leaves it in a log line, whatever a tool, a driver or an error put into it.

export interface LoggerOptions {
  /** `engine`, `worker`. */
  readonly process: string;
  readonly level: string;
  /** Values that must not be shown: a list that stands, or one that grows. */
  readonly secrets: readonly string[] | HiddenValues;
  /** Where lines go; default standard error. */
  readonly destination?: { write(line: string): void };
}

/** The log of a process: JSON lines on standard error. */
export function createLogger({ process: name, level, secrets, destination }: LoggerOptions): Logger {
  const hidden = secrets instanceof HiddenValues ? secrets : new HiddenValues(secrets);
  return pino(
    {
      level,
      base: { process: name, pid: process.pid },
      hooks: { streamWrite: (line) => hidden.scrub(line) },
    },
    destination ?? pino.destination(2),
  );
}
