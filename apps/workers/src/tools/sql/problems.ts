import { PermanentError, ToolError, TransientError } from '@pawl/tool-sdk';

/** SQLSTATEs that another try may not meet (PostgreSQL, appendix A): whole classes, then single codes. */
const TRANSIENT_CLASSES: readonly string[] = ['08', '53', '57', '58'];
const TRANSIENT: readonly string[] = ['40001', '40003', '40P01', '55P03', '55006', '25P03'];
const STATEMENT_CANCELLED = '57014';

interface ServerError {
  readonly code: string;
  readonly message: string;
  readonly position?: string;
  readonly hint?: string;
}

const isOfServer = (error: unknown): error is ServerError => {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && typeof severity === 'string';
};

/**
 * What the server said, as an error of the tool. The details of a server's error hold values of rows and are left out; errors
 * of the network are handed on for the one failure table.
 *
 * @param connection as flows call it
 */
export function sqlProblem(error: unknown, connection: string): unknown {
  if (ToolError.is(error)) return error;
  const name = `SQL connection ${JSON.stringify(connection)}`;
  if (!isOfServer(error)) return lostConnection(error, name);
  const { code, message, position, hint } = error;
  const where = position === undefined ? '' : `, at character ${position}`;
  const sentence = `${name}: ${message} (SQLSTATE ${code}${where}).${hint === undefined ? '' : ` ${hint}`}`;
  const detail = { sqlState: code };
  if (code === STATEMENT_CANCELLED)
    return new TransientError({ code: 'sql_timed_out', message: sentence, detail, cause: error });
  const isTransient = TRANSIENT.includes(code) || TRANSIENT_CLASSES.includes(code.slice(0, 2));
  if (isTransient)
    return new TransientError({ code: 'sql_unavailable', message: sentence, detail, cause: error });
  if (code === '25006') {
    const message = `${name}: ${error.message}. sql.query only reads; use sql.upsert to write.`;
    return new PermanentError({ code: 'sql_read_only', message, detail, cause: error });
  }
  return new PermanentError({ code: 'sql_refused', message: sentence, detail, cause: error });
}

/** The driver's own words for a connection that went away or never came have no code. */
function lostConnection(error: unknown, name: string): unknown {
  const { message } = (error ?? {}) as { message?: unknown };
  const isLost =
    typeof message === 'string' &&
    /^Connection terminated|^timeout exceeded when trying to connect|^Client has encountered a connection error/.test(
      message,
    );
  if (!isLost) return error;
  return new TransientError({ code: 'sql_connection_lost', message: `${name}: ${message}.`, cause: error });
}
