import { type Issue, PROBLEMS, type ProblemCode } from '@pawl/api';
import type { Role } from '@pawl/dag-core';

/** An error that a request is answered with. `members` go into the problem document beside the standard ones. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly code: ProblemCode;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    sentence: string,
    more: { members?: Record<string, unknown>; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(sentence, { cause: more.cause });
    this.code = code;
    this.members = more.members ?? {};
    this.headers = more.headers ?? {};
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

const megabytes = (bytes: number) => `${Number((bytes / 1024 / 1024).toFixed(2))} MB (${bytes} bytes)`;
const first = (issues: readonly Issue[]) =>
  issues[0] && `${issues[0].pointer || 'the top'}: ${issues[0].message}`;

/** Every sentence the server itself answers with: the thing, what was expected, the way out. */
export const problems = {
  bodyMalformed: (reason: string) =>
    new HttpProblem(
      'body_malformed',
      `The request body is not JSON: ${reason}. Expected one JSON value in UTF-8; correct the text at that place and send it again.`,
    ),
  bodyTooLarge: (limitBytes: number) =>
    new HttpProblem(
      'body_too_large',
      `The request body is larger than the limit of ${megabytes(limitBytes)}; nothing was stored. Keep large data outside and pass a reference to it.`,
      { members: { limitBytes } },
    ),
  mediaTypeUnsupported: (given: string | undefined) =>
    new HttpProblem(
      'media_type_unsupported',
      `The request body is ${given ? `of type ${given.slice(0, 100)}` : 'of no stated type'}: expected JSON; send it with Content-Type: application/json and without compression.`,
    ),
  bytesNotPlain: (given: string) =>
    new HttpProblem(
      'media_type_unsupported',
      `The upload is ${given}: expected the bytes of the file alone; send them as the body, with their own media type in Content-Type and without compression.`,
    ),
  uploadInterrupted: (bytes: number, cause?: unknown) =>
    new HttpProblem(
      'upload_interrupted',
      `The upload broke off after ${bytes} bytes: expected the whole body without a pause of a minute; nothing was stored, send it again.`,
      { headers: { connection: 'close' }, cause },
    ),
  rangeNotSatisfiable: (range: string, bytes: number) =>
    new HttpProblem(
      'range_not_satisfiable',
      `The range ${range.slice(0, 100)} lies outside the content, which has ${bytes} bytes: expected one that begins before its end; ask for less, or for all without Range.`,
      { headers: { 'content-range': `bytes */${bytes}` } },
    ),
  bodyInvalid: (issues: readonly Issue[]) =>
    new HttpProblem(
      'body_invalid',
      `The request body does not fit this address (${first(issues)}). Correct each place in issues; /v1/openapi.json describes what is expected.`,
      { members: { issues } },
    ),
  bodyRefused: (code: ProblemCode, issues: readonly Issue[]) =>
    new HttpProblem(code, `The request body is refused: ${issues[0]?.message ?? PROBLEMS[code].title}.`, {
      members: { issues },
    }),
  queryInvalid: (issues: readonly Issue[]) =>
    new HttpProblem(
      'query_invalid',
      `The query does not fit this address (${first(issues)}). Correct each parameter in issues; /v1/openapi.json lists them.`,
      { members: { issues } },
    ),
  headerInvalid: (issues: readonly Issue[]) =>
    new HttpProblem(
      'header_invalid',
      `A request header does not have the expected form (${first(issues)}). Correct each header in issues; /v1/openapi.json describes them.`,
      { members: { issues } },
    ),
  keyMissing: () =>
    new HttpProblem(
      'api_key_missing',
      'Nobody is signed in and the request carries no API key: expected a session or the header Authorization: Bearer pawl_…; make a key with `pawl key create`.',
      { headers: { 'www-authenticate': 'Bearer' } },
    ),
  keyInvalid: () =>
    new HttpProblem(
      'api_key_invalid',
      'The API key in Authorization is malformed, unknown or revoked: expected Bearer pawl_… with a key in force; make one with `pawl key create`.',
      { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
    ),
  sessionEnded: () =>
    new HttpProblem('session_ended', 'The session has ended: expected one in force; sign in again.', {
      headers: { 'www-authenticate': 'Bearer' },
    }),
  signInFailed: () =>
    new HttpProblem(
      'sign_in_failed',
      'Nobody is signed in: name and password, or the key, do not fit. Expected both as an admin gave them; ask one for a new password.',
    ),
  signInsSlowed: (retryAfterMs: number) =>
    new HttpProblem(
      'sign_ins_slowed',
      `Too many tries to sign in: expected a pause of ${Math.ceil(retryAfterMs / 1_000)} s; nothing was looked at, try again after it.`,
      { members: { retryAfterMs } },
    ),
  originNotAllowed: () =>
    new HttpProblem(
      'origin_not_allowed',
      'The request has the cookie of a session but does not come from a page of this address: expected the designer as it is served here; programs send an API key.',
    ),
  roleInsufficient: (role: Role, needed: Role) =>
    new HttpProblem(
      'role_insufficient',
      `The role ${role} may not do this: expected ${needed}${needed === 'admin' ? '' : ' or more'}; an admin of the workspace can give it.`,
      { members: { role, needed } },
    ),
  passwordWrong: () =>
    new HttpProblem(
      'password_wrong',
      'The password was not changed: expected the current one; an admin can set a new one without it.',
    ),
  passwordNotYours: () =>
    new HttpProblem(
      'password_not_yours',
      'There is no password to change: expected a user who signed in with one; keys are made anew instead.',
    ),
  ownAccess: (what: 'role' | 'user' | 'key') =>
    new HttpProblem(
      'own_access',
      `Nobody takes away their own access, and this is your ${what}: expected another admin to do it, or \`pawl user\` and \`pawl key\` beside the database.`,
    ),
  signatureInvalid: (reason: string) =>
    new HttpProblem(
      'signature_invalid',
      `The delivery is refused: ${reason}. Expected HMAC-SHA256 over the bytes that are sent, with a secret in force; a new secret can be made with \`pawl webhook rotate\`.`,
    ),
  hostNotAllowed: () =>
    new HttpProblem(
      'host_not_allowed',
      'The request has no API key and does not come straight from this machine: expected the host localhost, 127.0.0.1 or [::1], no proxy and no foreign web page; use such an address, or send a key.',
    ),
  routeNotFound: (method: string, path: string) =>
    new HttpProblem(
      'route_not_found',
      `There is no address ${path.slice(0, 200)} for ${method}: expected one of those that /v1/openapi.json lists.`,
    ),
  methodNotAllowed: (method: string, path: string, allowed: readonly string[]) =>
    new HttpProblem(
      'method_not_allowed',
      `The address ${path.slice(0, 200)} does not take ${method}: expected ${allowed.join(' or ')}.`,
      { headers: { allow: allowed.join(', ') } },
    ),
  notFound: (code: ProblemCode & `${string}_not_found`, what: string, where: string) =>
    new HttpProblem(code, `There is no ${what} in this workspace. ${where} lists those there are.`),
  ifMatchMissing: (flow: string) =>
    new HttpProblem(
      'if_match_missing',
      `The draft of flow ${flow} cannot be saved without a base: expected the header If-Match: "<revision>"; get the flow, whose ETag is the revision, and save on that.`,
    ),
  flowNameMismatch: (address: string, document: string) =>
    new HttpProblem(
      'flow_name_mismatch',
      `The document is named ${document} but the address names ${address}: expected the same name; correct one of them, or create a flow ${document}.`,
    ),
  storeUnavailable: (cause: unknown) =>
    new HttpProblem(
      'store_unavailable',
      'The database does not answer at the moment: expected it to be reachable; try again shortly, /ready shows when it is back.',
      { cause },
    ),
  shuttingDown: () =>
    new HttpProblem(
      'shutting_down',
      'This engine is stopping and takes no new requests: expected another one to answer; try again shortly.',
      { headers: { connection: 'close' } },
    ),
  internalError: (cause: unknown) =>
    new HttpProblem(
      'internal_error',
      'The engine failed at this request, which is a defect of it and not of the request: look for the requestId in its log, and try again.',
      { cause },
    ),
};
