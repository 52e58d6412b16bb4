import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { HttpError, NotAppliedError, PermanentError, parseRetryAfter, TransientError } from '@pawl/tool-sdk';
import { z } from 'zod';
import type { CallUnderWay } from './call-under-way.ts';

/** Errors by which a server says that it did not begin. */
const REFUSALS: readonly number[] = [
  ErrorCode.ParseError,
  ErrorCode.InvalidRequest,
  ErrorCode.MethodNotFound,
  ErrorCode.InvalidParams,
];

/** RFC 6585 and RFC 8470: the service says that it did not look at the request. */
const NEVER_APPLIED: readonly number[] = [425, 429];

/** A call that ended in an error. */
export interface FailedCall {
  readonly tool: string;
  readonly call: CallUnderWay;
  readonly signal: AbortSignal;
  /** A text without what the server was given (V13). */
  plain(text: string): string;
}

/**
 * What an error of the SDK proves about a call, in the words of the tool SDK.
 *
 * Errors of the network are handed on: the table of failures knows them. Nothing here may claim that a call that was sent did not
 * happen, unless the server said so.
 */
export function callError(failed: FailedCall, error: unknown): unknown {
  const { tool, call, signal } = failed;
  if (signal.aborted) return signal.reason;
  if (call.isBroken) return lost(tool, error);
  if (error instanceof McpError) return protocolError(failed, error);
  if (error instanceof StreamableHTTPError) return httpError(failed, error);
  if (error instanceof z.core.$ZodError) return notAResult(tool, error);
  // Of the SDK, before it hands anything to the transport.
  if (error instanceof Error && error.message === 'Not connected') return away(tool);
  return error;
}

/** Nothing was sent: the server is away. */
const away = (tool: string): NotAppliedError =>
  new NotAppliedError({
    code: 'mcp_server_away',
    message: `Tool ${tool} was not called: its MCP server is away. It is called when the server is back.`,
  });

/** The call was sent, and nobody will say how it ended. */
const lost = (tool: string, cause: unknown): TransientError =>
  new TransientError({
    code: 'connection_lost',
    message: `The connection to the MCP server of ${tool} broke before it answered.`,
    cause,
  });

/** The server answered, so the call was made; only what it answered is wrong. */
const notAResult = (tool: string, cause: unknown): PermanentError =>
  new PermanentError({
    code: 'mcp_result_invalid',
    message: `The MCP server of ${tool} answered with something that is no result by the protocol.`,
    cause,
  });

function protocolError({ tool, plain }: FailedCall, error: McpError): unknown {
  if (error.code === ErrorCode.ConnectionClosed) return lost(tool, error);
  const said = plain(error.message.replace(/^MCP error -?\d+: /, ''));
  const told = {
    message: `The MCP server refused ${tool}: ${said}`,
    detail: { code: error.code },
    cause: error,
  };
  return REFUSALS.includes(error.code)
    ? new PermanentError({ code: 'mcp_refused', ...told })
    : new TransientError({ code: 'mcp_error', ...told });
}

function httpError({ tool, call, plain }: FailedCall, error: StreamableHTTPError): unknown {
  const said = plain(error.message.replace(/^Streamable HTTP error: (Error POSTing to endpoint: )?/, ''));
  const { code: status = -1 } = error;
  // By the protocol: the session is gone, and a new one must be opened.
  if (status === 404) return away(tool);
  if (NEVER_APPLIED.includes(status))
    return new NotAppliedError({
      code: `http_${status}`,
      message: `The MCP server of ${tool} did not look at the call: ${said}`,
      ...retryAfter(call),
    });
  // It answered with something else than the protocol's answer; what it did, nobody knows.
  if (status < 300)
    return new TransientError({
      code: 'mcp_error',
      message: `The MCP server of ${tool}: ${said}`,
      cause: error,
    });
  return new HttpError(status, call.refusedWith ?? new Headers(), said);
}

function retryAfter({ refusedWith }: CallUnderWay): { retryAfterMs?: number } {
  const ms = refusedWith && parseRetryAfter(refusedWith, Date.now());
  return ms === undefined ? {} : { retryAfterMs: ms };
}
