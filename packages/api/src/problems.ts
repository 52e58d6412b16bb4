/**
 * Every error the HTTP API can answer, once (RFC 9457). The key is the stable `code`: never renamed, never reused.
 * `docs` is the line of docs/guide/errors.md; a test holds code, status and page together in both directions.
 */
export const PROBLEMS = {
  body_malformed: {
    status: 400,
    title: 'The request body is not JSON',
    docs: 'The body could not be read as JSON (RFC 8259, UTF-8). `detail` gives the position. Correct the text there and send it again.',
  },
  query_invalid: {
    status: 400,
    title: 'A query parameter is not valid',
    docs: 'A parameter after `?` is unknown, missing or of the wrong form; `issues` lists each. Unknown names are refused so that a misspelt filter is not ignored.',
  },
  cursor_invalid: {
    status: 400,
    title: 'The cursor is not one of ours',
    docs: 'A cursor is the `nextCursor` of the page before, unchanged and with the same filters. Leave it out to start at the first page.',
  },
  header_invalid: {
    status: 400,
    title: 'A request header is not valid',
    docs: '`If-Match`, `Idempotency-Key` or `Last-Event-ID` has the wrong form; `issues` names the header and what it must hold.',
  },
  api_key_missing: {
    status: 401,
    title: 'Nobody is signed in, and there is no API key',
    docs: 'Send `Authorization: Bearer pawl_…`, or sign in with a browser. Make a key with `pawl key create`. Requests without either are accepted from the same machine under `npm start` only.',
  },
  api_key_invalid: {
    status: 401,
    title: 'The API key is not valid',
    docs: 'The key is malformed, unknown or revoked. Check that it was copied whole, or make a new one with `pawl key create`.',
  },
  session_ended: {
    status: 401,
    title: 'The session has ended',
    docs: 'It was not used for too long, reached its end, or somebody ended it: by signing out, with a new password, or by removing the user or the key. Sign in again.',
  },
  sign_in_failed: {
    status: 401,
    title: 'Name and password, or the key, do not fit',
    docs: 'Nobody was signed in. It is not told which of them is wrong, nor whether there is such a user. An admin can set a new password.',
  },
  signature_invalid: {
    status: 401,
    title: 'The delivery is not signed as it should be',
    docs: 'A header of the signature is missing, the signature is not that of these bytes under a secret in force, or the timestamp is too far from now; `detail` says which. Sign the bytes of the body as they are sent; the guide about triggers shows how.',
  },
  host_not_allowed: {
    status: 403,
    title: 'Requests without a key must name this machine',
    docs: 'A request without a key came from a web page of another origin, through a proxy, or under a host name other than `localhost`, `127.0.0.1` or `[::1]`. Use one of those, or send a key.',
  },
  origin_not_allowed: {
    status: 403,
    title: 'A session works from its own pages only',
    docs: 'A request with the cookie of a session came from a page of another origin, or does not say from where. Programs send an API key instead. Behind a proxy, see that it hands on the host it was asked for, or name the proxy in `PAWL_TRUST_PROXY`.',
  },
  role_insufficient: {
    status: 403,
    title: 'The role may not do this',
    docs: '`needed` is the least role that may, `role` the one of who asked. An admin of the workspace can give another role.',
  },
  password_wrong: {
    status: 403,
    title: 'The current password is wrong',
    docs: 'A new password needs the current one. Nothing was changed. An admin can set a new password.',
  },
  answer_not_allowed: {
    status: 403,
    title: 'The question is for others',
    docs: '`who` lists the names of the keys and users that may answer. Ask one of them.',
  },
  route_not_found: {
    status: 404,
    title: 'There is no such address',
    docs: 'The path is not part of the API. `/v1/openapi.json` lists every path.',
  },
  flow_not_found: {
    status: 404,
    title: 'There is no such flow',
    docs: 'No flow of this name is in the workspace of the key. `GET /v1/flows` lists them.',
  },
  version_not_found: {
    status: 404,
    title: 'There is no such version',
    docs: 'The flow has no version with this id. `GET /v1/flows/{flow}/versions` lists them.',
  },
  run_not_found: {
    status: 404,
    title: 'There is no such run',
    docs: 'No run with this id is in the workspace of the key. `GET /v1/runs` lists them.',
  },
  node_run_not_found: {
    status: 404,
    title: 'There is no such node run',
    docs: 'The run has no node run with this path (yet). `GET /v1/runs/{runId}/node-runs` lists those that were touched.',
  },
  question_not_found: {
    status: 404,
    title: 'There is no such question',
    docs: 'No question with this id was asked in the workspace of the key. `GET /v1/inbox` lists those that are open.',
  },
  effect_not_found: {
    status: 404,
    title: 'There is no such effect',
    docs: 'No effect was sent at this place of a run in the workspace of the key, or its receipt has been dropped. `GET /v1/effects` lists them.',
  },
  value_not_found: {
    status: 404,
    title: 'There is no such value',
    docs: 'The run has no event at this place of its journal, or the event holds no value of this name. `GET /v1/runs/{runId}/events` has both.',
  },
  artifact_not_found: {
    status: 404,
    title: 'There is no such artifact',
    docs: 'No artifact with this id is in the workspace of the key. `GET /v1/runs/{runId}/artifacts` lists those of a run.',
  },
  schedule_not_found: {
    status: 404,
    title: 'There is no such schedule',
    docs: 'No schedule of this name is in the workspace of the key. `GET /v1/schedules` lists them.',
  },
  credential_not_found: {
    status: 404,
    title: 'There is no such credential',
    docs: 'The workspace has no credential of this name. `GET /v1/credentials` lists those there are.',
  },
  tool_not_found: {
    status: 404,
    title: 'There is no such tool',
    docs: 'No worker has offered a tool of this name and version. `GET /v1/tools` lists those there are; workers tell what they offer when they start.',
  },
  limit_not_found: {
    status: 404,
    title: 'There is no such limit',
    docs: 'The workspace of the key has set no limit with exactly this target. `GET /v1/limits` lists them; those of everybody are the operator’s.',
  },
  webhook_not_found: {
    status: 404,
    title: 'There is no such webhook',
    docs: 'No webhook of this name is in the workspace of the key, or none with this id takes deliveries: it was removed or switched off. `GET /v1/webhooks` lists them.',
  },
  user_not_found: {
    status: 404,
    title: 'There is no such user',
    docs: 'No user of this name is in the workspace. `GET /v1/users` lists them.',
  },
  key_not_found: {
    status: 404,
    title: 'There is no such key',
    docs: 'No key with this id is in force in the workspace. `GET /v1/keys` lists them.',
  },
  callback_unknown: {
    status: 404,
    title: 'The address takes no callback',
    docs: 'The address is not one that was made here, or its run has been dropped. A tool hands over the address of its callback; send to it exactly as it is.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The address does not take this method',
    docs: 'The path exists with other methods; the `Allow` header and the sentence name them.',
  },
  upload_interrupted: {
    status: 408,
    title: 'The upload did not arrive whole',
    docs: 'The connection broke, or nothing came for a minute. Nothing was stored. Send the upload again from its beginning.',
  },
  flow_exists: {
    status: 409,
    title: 'A flow of this name exists',
    docs: 'Flow names are unique in a workspace. Save the draft of the existing flow instead, or choose another name.',
  },
  schedule_exists: {
    status: 409,
    title: 'A schedule of this name exists',
    docs: 'Schedule names are unique in a workspace. Change the existing one instead, or choose another name.',
  },
  webhook_exists: {
    status: 409,
    title: 'A webhook of this name exists',
    docs: 'Webhook names are unique in a workspace. Change the existing one instead, or choose another name.',
  },
  user_exists: {
    status: 409,
    title: 'A user of this name exists',
    docs: 'Names of users are unique in a workspace. Change the existing one instead, or choose another name.',
  },
  credentials_off: {
    status: 409,
    title: 'There is no key to seal credentials with',
    docs: 'The engine has no `PAWL_SECRET_KEY`, so nothing was stored. Give engine and workers 32 random bytes as that, and start them again; secrets of the environment go on as before.',
  },
  own_access: {
    status: 409,
    title: 'Nobody takes away their own access',
    docs: 'Who asks cannot lower the own role, remove the own user or revoke the own key: nobody might be left who can. Another admin can, or `pawl user` and `pawl key` beside the database.',
  },
  password_not_yours: {
    status: 409,
    title: 'Who asks has no password',
    docs: 'Only users have passwords; keys and requests of the machine itself have none.',
  },
  draft_conflict: {
    status: 409,
    title: 'The draft was changed meanwhile',
    docs: '`If-Match` names an older revision. `current` holds the stored document, `yours` what was sent: merge them and save with `currentRevision`.',
  },
  flow_paused: {
    status: 409,
    title: 'The flow is paused',
    docs: 'Somebody paused the flow: it starts no runs, by whatever trigger, until it is resumed. `GET /v1/flows/{flow}` says since when and by whom.',
  },
  flow_not_published: {
    status: 409,
    title: 'The flow has no published version',
    docs: 'A run needs a version. Publish the flow, or start the run with `version`.',
  },
  dedupe_in_progress: {
    status: 409,
    title: 'The first start with this key is not finished',
    docs: 'Another request with the same `Idempotency-Key` is being admitted at this moment. Send the same request again after `Retry-After` seconds; it will answer the same run.',
  },
  run_not_open: {
    status: 409,
    title: 'The run is finished',
    docs: 'A finished run never changes. Start a new run instead.',
  },
  run_not_pausable: {
    status: 409,
    title: 'The run cannot be paused',
    docs: 'The run has ended, is being cancelled, or undoes its effects. `GET /v1/runs/{runId}` says which.',
  },
  run_not_resumable: {
    status: 409,
    title: 'The run cannot be resumed',
    docs: 'Nobody holds the run up. A run that waits for budget goes on when its limits are raised, one that waits after a failure when it is retried.',
  },
  run_not_retryable: {
    status: 409,
    title: 'Nothing in the run waits for a retry',
    docs: 'Only a paused run, or a node run that waits for a person after a failure, can be retried. `waitingFor` of the run says what it waits for.',
  },
  node_run_not_settleable: {
    status: 409,
    title: 'The node run does not wait for a decision',
    docs: 'Only an uncertain node run, or one that is paused on a failure, can be settled. The first decision wins; a stored one is in `decision`.',
  },
  question_answered: {
    status: 409,
    title: 'The question was answered before',
    docs: 'Each question has one answer, the first. It is in `answer`: what was decided, by whom and when.',
  },
  decision_not_offered: {
    status: 409,
    title: 'The question does not take this decision',
    docs: '`offered` lists what may be decided about it. Approvals take `approved` and `rejected`; effects and failures the others.',
  },
  effect_may_be_sent: {
    status: 409,
    title: 'The effect may still be sent',
    docs: 'Nobody can say yet that it did not happen, nor undo it: the worker in `workerId` is not proven to have ended. `until`, where it is there, says from when on that is certain; `hint` says what else there is to do.',
  },
  arguments_not_editable: {
    status: 409,
    title: 'The node run cannot be tried with other arguments',
    docs: '`reason` is `no_arguments` (neither a call of a tool nor a drawn model call) or `may_have_happened`: with the arguments it had, the effect may have happened. Retry it as it was, or settle it.',
  },
  budget_not_raised: {
    status: 409,
    title: 'The new limits are below what is used',
    docs: 'A limit must lie above what the run has spent and reserved, else it would stop again at once. `budget` of the run shows both.',
  },
  callback_late: {
    status: 409,
    title: 'The call does not wait for a callback any more',
    docs: 'It has ended, or its deadline has passed. What was said is kept as evidence beside it; for an uncertain call a person may adopt it.',
  },
  question_closed: {
    status: 410,
    title: 'The question is closed',
    docs: 'Nobody answered it in time: its deadline decided, or its run was cancelled or has ended. The run shows what became of it.',
  },
  body_too_large: {
    status: 413,
    title: 'The request body is too large',
    docs: 'The body is above the limit in `limitBytes` (by default 20 MB, for uploads of artifacts 1 GB); nothing was stored. Keep large data outside and pass a reference.',
  },
  signal_too_large: {
    status: 413,
    title: 'The payload of the signal is too large',
    docs: 'A signal carries at most 256 KB (`limitBytes`); nothing was sent. Write the value as an artifact and send its reference.',
  },
  media_type_unsupported: {
    status: 415,
    title: 'The media type is not supported',
    docs: 'Bodies are JSON: send `Content-Type: application/json` (UTF-8, not compressed). Uploads of artifacts take every type but forms, and no compression: send the bytes alone.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The range lies outside the content',
    docs: 'The `Range` begins behind the last byte; `Content-Range` of the answer has the size. Ask for less, or for all without `Range`.',
  },
  body_invalid: {
    status: 422,
    title: 'The request body does not fit',
    docs: 'The body is JSON but not of the form this address takes; `issues` lists each place with a JSON pointer. Unknown members are refused.',
  },
  callback_invalid: {
    status: 422,
    title: 'The result does not fit the tool',
    docs: 'The result is not of the form that the tool declares as its output; `issues` lists each place with a JSON pointer. Nothing was recorded: send it again, corrected.',
  },
  unsafe_integer: {
    status: 422,
    title: 'An integer is too large to be kept exactly',
    docs: 'Integers beyond ±(2^53−1) would be rounded, so they are refused with their pointer. Send them as strings, or set `bigIntegers: strings` in the flow.',
  },
  number_out_of_range: {
    status: 422,
    title: 'A number is too large',
    docs: 'A number such as `1e400` does not fit a double and would become infinite; `issues` has its pointer. Send it as a string.',
  },
  nesting_too_deep: {
    status: 422,
    title: 'The body is nested too deep',
    docs: 'Lists and objects may be nested 1,000 deep. Flatten the value.',
  },
  reserved_key: {
    status: 422,
    title: 'A member name is not allowed',
    docs: 'Names such as `__proto__` are refused anywhere in a body, with their pointer. Rename the member.',
  },
  test_node_unknown: {
    status: 422,
    title: 'The draft has no such node to test',
    docs: 'The draft as it is saved has no node with the id in `part`. Save it first, or name another node; inner nodes are named like all others.',
  },
  test_runs_nothing: {
    status: 422,
    title: 'The test would run nothing',
    docs: 'Everything that was to be tried is off, or needs a node that does not run (`because`). Let that node run, or give an output for it.',
  },
  effects_undecided: {
    status: 422,
    title: 'The test would call what must not be repeated',
    docs: '`nodes` lists the nodes of the part whose tools are non-repeatable. Name each in `allow` or in `off`, or give an output for it in `outputs`. Nothing was started.',
  },
  test_output_missing: {
    status: 422,
    title: 'A recorded output is not there',
    docs: 'The run named in `outputs` is no run of this flow, or the node did not succeed in it. `GET /v1/runs/{runId}/node-runs` lists what it has.',
  },
  test_outputs_too_large: {
    status: 422,
    title: 'The outputs of the test are too large',
    docs: 'All outputs of one test together may have 8 MB of JSON text. Give fewer, or smaller ones.',
  },
  test_invalid: {
    status: 422,
    title: 'What is tested is not finished',
    docs: '`issues` lists the problems of the nodes that would run, each with its JSON pointer in the draft. The rest of the draft may be unfinished.',
  },
  arguments_invalid: {
    status: 422,
    title: 'The arguments do not fit the tool',
    docs: '`issues` lists each place in the arguments with a JSON pointer. Nothing was called.',
  },
  flow_invalid: {
    status: 422,
    title: 'The flow cannot be published',
    docs: '`issues` lists every problem of the document at once, each with code and JSON pointer. Correct them and publish again.',
  },
  flow_name_mismatch: {
    status: 422,
    title: 'The document has another name',
    docs: 'The `name` in the document must be the name in the address. Flows are not renamed by saving; create one with the new name.',
  },
  answer_invalid: {
    status: 422,
    title: 'The values do not fit the form',
    docs: 'What was filled in does not match the form of the question; `issues` lists each place with a JSON pointer. The question stays open.',
  },
  input_invalid: {
    status: 422,
    title: 'The input does not fit the flow',
    docs: 'The run input does not match the input schema of the version; `issues` lists each place with a JSON pointer. No run was started.',
  },
  schedule_invalid: {
    status: 422,
    title: 'The schedule cannot be used',
    docs: 'Its cron expression, time zone or input is wrong; `issues` lists each place with a JSON pointer. Nothing was changed.',
  },
  backfill_invalid: {
    status: 422,
    title: 'The range cannot be backfilled',
    docs: 'The range is empty, in the future, more than 366 days back, or names more than 1,000 slots; `reason` says which. Nothing was queued.',
  },
  signal_conflict: {
    status: 422,
    title: 'The id was used for another signal',
    docs: 'A signal with this id and another name, key, payload or run was sent before. Use a new id for a new signal. Ids are kept 7 days.',
  },
  dedupe_conflict: {
    status: 422,
    title: 'The key was used for another request',
    docs: 'The `Idempotency-Key` belongs to a start with another body (`runId` names that run). Use a new key for a new request. Keys are kept 24 hours per flow.',
  },
  if_match_missing: {
    status: 428,
    title: 'If-Match is needed',
    docs: 'Saving a draft needs `If-Match: "<revision>"` with the revision the change is based on, so that nobody’s work is overwritten.',
  },
  queue_full: {
    status: 429,
    title: 'Too much work is waiting',
    docs: 'The queue, or the runs of the workspace that wait to start, are as many as the engine takes; nothing was started. Try again after `Retry-After` seconds, or add workers.',
  },
  signals_full: {
    status: 429,
    title: 'Too many signals of this name are kept',
    docs: 'As many signals of this name as `limit` says were sent and nobody has waited for them; this one was not kept. Start what waits for them, or try again after `Retry-After` seconds.',
  },
  sign_ins_slowed: {
    status: 429,
    title: 'Too many tries to sign in',
    docs: 'Too many tries failed for this name or from this address, or too many are under way. Nothing was looked at: try again after `Retry-After` seconds.',
  },
  internal_error: {
    status: 500,
    title: 'Something failed inside the engine',
    docs: 'A defect. Nothing more is told here; the log has the cause under the `requestId`. A start with an `Idempotency-Key` can be sent again safely.',
  },
  store_unavailable: {
    status: 503,
    title: 'The database cannot be reached',
    docs: 'The engine runs but its database does not answer. Try again after `Retry-After` seconds; `/ready` shows when it is back.',
  },
  shutting_down: {
    status: 503,
    title: 'The engine is stopping',
    docs: 'This process takes no new requests. Try again; another engine, or this one after its start, will answer.',
  },
} as const satisfies Record<string, ProblemEntry>;

/** One line of the catalogue. */
export interface ProblemEntry {
  readonly status: number;
  readonly title: string;
  readonly docs: string;
}
export type ProblemCode = keyof typeof PROBLEMS;

/** The `type` member of a problem: a URN, because the documentation of a deployment has no public address. */
export const problemType = (code: ProblemCode): string => `urn:pawl:problem:${code}`;

/** True for a code of the catalogue (an own key, so that `constructor` is none). */
export const isProblemCode = (code: unknown): code is ProblemCode =>
  typeof code === 'string' && Object.hasOwn(PROBLEMS, code);
