import { ApiError, EngineUnreachableError, UnexpectedReplyError } from '@pawl/api';
import { CommanderError } from 'commander';
import { CliError, type DocumentIssue, EXIT, type ExitCode } from './errors.ts';
import type { Io } from './io.ts';

export interface Failed {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly issues: readonly DocumentIssue[];
}

/** What a thrown error means to the user of the command line; undefined when commander only showed its help. */
export function describeFailure(error: unknown): Failed | undefined {
  if (error instanceof CommanderError) return describeCommander(error);
  if (error instanceof CliError) {
    return { exitCode: error.exitCode, code: error.code, message: error.message, issues: issuesOf(error) };
  }
  if (error instanceof ApiError) {
    const issues = error.problem.issues ?? [];
    return { exitCode: exitCodeOfStatus(error.status), code: error.code, message: error.message, issues };
  }
  if (error instanceof EngineUnreachableError || error instanceof UnexpectedReplyError) {
    return { exitCode: EXIT.unreachable, code: error.code, message: error.message, issues: [] };
  }
  const { code, message } = error as { code?: unknown; message?: unknown };
  return {
    exitCode: EXIT.failed,
    code: typeof code === 'string' ? code : 'unexpected',
    message: `${String(message || code || error).trim()} (--verbose shows where this comes from)`,
    issues: [],
  };
}

/** Tells the user on standard error; with `--json` as one object. */
export function reportFailure(
  failed: Failed,
  error: unknown,
  how: { readonly io: Io; readonly json: boolean; readonly verbose: boolean },
): void {
  const { io } = how;
  if (how.json) {
    const { code, message, issues } = failed;
    io.err(`${JSON.stringify({ error: { code, message, ...(issues.length > 0 ? { issues } : {}) } })}\n`);
  } else if (failed.exitCode !== EXIT.interrupted) {
    io.err(`${io.colours.red('error')} ${failed.message}\n`);
    for (const issue of failed.issues) io.err(`  ${issueLine(issue, io)}\n`);
  }
  if (how.verbose && error instanceof Error) io.err(`${error.stack}\n${causes(error)}`);
}

/** `/nodes/2/prompt  expression_unknown_node  The sentence. The hint.` */
export function issueLine(issue: DocumentIssue, io: Io, place?: string): string {
  const where = [place, issue.pointer || '/'].filter(Boolean).join(' ');
  return `${io.colours.cyan(where)}  ${io.colours.yellow(issue.code)}  ${issue.message}${issue.hint ? ` ${issue.hint}` : ''}`;
}

function describeCommander(error: CommanderError): Failed | undefined {
  // Help and version were asked for and shown; `commander.help` is help instead of a missing subcommand.
  if (error.exitCode === 0) return undefined;
  const message = error.message.replace(/^error: /, '').replace(/\n.*/s, '');
  return { exitCode: EXIT.usage, code: 'usage', message, issues: [] };
}

function exitCodeOfStatus(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.unauthorized;
  if (status === 404) return EXIT.notFound;
  if (status === 409 || status === 410 || status === 428) return EXIT.conflict;
  if (status === 503) return EXIT.unreachable;
  return status < 500 ? EXIT.refused : EXIT.failed;
}

function issuesOf(error: CliError): readonly DocumentIssue[] {
  return (error as { issues?: readonly DocumentIssue[] }).issues ?? [];
}

function causes(error: Error): string {
  const { cause } = error;
  return cause instanceof Error ? `caused by ${cause.stack}\n${causes(cause)}` : '';
}
