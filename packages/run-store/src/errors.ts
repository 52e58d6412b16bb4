import type { InboxDecision, Json, NodeRunStatus, NotEditable, RunStatus } from '@pawl/dag-core';

/** A problem of a document or a value: where (JSON pointer) and what, in one sentence. */
export interface StoreIssue {
  readonly code: string;
  readonly pointer: string;
  readonly message: string;
  /** The way out, where one is known. */
  readonly hint?: string;
}

const WHY_NOT_EDITABLE: Readonly<Record<NotEditable, string>> = {
  no_arguments:
    'only calls of tools and drawn model calls have arguments to write. Retry it as it was, or settle it with an output.',
  may_have_happened:
    'with the arguments it had, its effect may have happened, and with others it would be a second effect. Retry it as it was, or settle it.',
};

// Every error of this package: its stable code, the values it is made from, and its sentence. Codes are never renamed or reused.
const SENTENCES = {
  flow_not_found: ({ flow }: { flow: string }) =>
    `There is no flow ${flow} in this workspace. List the flows to see their names.`,
  flow_exists: ({ flow }: { flow: string }) =>
    `There already is a flow ${flow} in this workspace. Save its draft instead, or choose another name.`,
  flow_not_published: ({ flow }: { flow: string }) =>
    `Flow ${flow} has no published version to run. Publish its draft first.`,
  flow_paused: ({ flow }: { flow: string }) =>
    `Flow ${flow} is paused and starts no runs. Resume it first: pawl flow resume ${flow}`,
  flow_invalid: ({ flow, issues }: { flow: string; issues: readonly StoreIssue[] }) =>
    `Flow ${flow} cannot be published: ${countOf(issues, 'problem')}. ${firstOf(issues)}`,
  flow_name_mismatch: ({ flow, documentName }: { flow: string; documentName: string }) =>
    `The document says its name is ${documentName}, not ${flow}. Flows are not renamed; create one with the new name instead.`,
  draft_conflict: (values: {
    flow: string;
    expectedRevision: number;
    currentRevision: number;
    current: Json;
    yours: Json;
  }) =>
    `The draft of flow ${values.flow} is at revision ${values.currentRevision}, not ${values.expectedRevision}: somebody saved ` +
    'it in between. Merge the two documents and save again on the current revision.',
  version_not_found: ({ version, flow }: { version: string; flow?: string }) =>
    `There is no version ${version}${flow === undefined ? '' : ` of flow ${flow}`}. List the versions of the flow to see their ids.`,
  run_not_found: ({ runId }: { runId: string }) =>
    `There is no run ${runId} in this workspace. List the runs to see their ids.`,
  run_not_open: ({ runId, status, wish }: { runId: string; status: RunStatus; wish: string }) =>
    `Run ${runId} cannot be ${wish}: it is ${status}, and a finished run never changes again. Start a new run instead.`,
  run_not_pausable: ({ runId, status }: { runId: string; status: RunStatus }) =>
    `Run ${runId} cannot be paused: it is ${status}. Only runs that are under way can be.`,
  run_not_resumable: ({ runId, status }: { runId: string; status: RunStatus }) =>
    `Run ${runId} cannot be resumed: it is ${status}, and nobody holds it up. A run that waits for budget goes on when its limits are raised.`,
  run_not_retryable: ({ runId }: { runId: string }) =>
    `Nothing in run ${runId} waits for a retry. Only node runs that wait for a person after a failure can be tried again; a map whose items were stopped can only be settled.`,
  budget_not_raised: ({ unit, limit, used }: { unit: string; limit: number; used: number }) =>
    `The new limit ${limit} for ${unit} lies below the ${used} the run has spent and reserved: it would stop again at once. Name a higher one.`,
  node_run_not_settleable: ({
    runId,
    path,
    status,
  }: {
    runId: string;
    path: string;
    status: NodeRunStatus;
    /** What was decided before, by whom and when. */
    decision?: { verdict: string; by: string; at: string };
  }) =>
    `Node run ${path} of run ${runId} does not wait for this decision: it is ${status}. Only uncertain and paused node runs can be settled, and a map whose items were stopped not as one that did not happen.`,
  node_run_not_found: ({ runId, path }: { runId: string; path: string }) =>
    `Run ${runId} has no node run at path ${path}. List its node runs to see their paths; those not reached yet are missing.`,
  question_not_found: ({ question }: { question: string }) =>
    `There is no question ${question} in this workspace. List the inbox to see those that are open.`,
  question_answered: ({
    question,
    answer,
  }: {
    question: string;
    answer: { decision: InboxDecision; by: string; at: string };
  }) =>
    `Question ${question} was answered before: ${answer.decision}, by ${answer.by} at ${answer.at}. The first answer counts.`,
  question_closed: ({ question, path }: { question: string; path: string }) =>
    `Question ${question} of ${path} is not open any more: its deadline passed, or its run was cancelled or has ended.`,
  answer_not_allowed: ({ question, who }: { question: string; who: readonly string[] }) =>
    `Question ${question} is for ${who.join(', ')}. Ask one of them.`,
  answer_invalid: ({ question, issues }: { question: string; issues: readonly StoreIssue[] }) =>
    `The values do not fit the form of question ${question}: ${countOf(issues, 'problem')}. ${firstOf(issues)}`,
  arguments_not_editable: ({ runId, path, reason }: { runId: string; path: string; reason: NotEditable }) =>
    `Node run ${path} of run ${runId} cannot be tried with other arguments: ${WHY_NOT_EDITABLE[reason]}`,
  decision_not_offered: ({
    question,
    decision,
    offered,
  }: {
    question: string;
    decision: InboxDecision;
    offered: readonly InboxDecision[];
  }) => `Question ${question} cannot be answered with ${decision}. It takes ${offered.join(', ')}.`,
  effect_may_be_sent: ({
    path,
    decision,
    workerId,
    hint,
  }: {
    path: string;
    decision: InboxDecision;
    workerId: string;
    /** When it certainly will not any more. */
    until?: string;
    hint: string;
  }) =>
    `The effect of ${path} cannot be settled as ${decision} yet: worker ${workerId}, which was about to send it, is not proven to have ended and may still do so. ${hint}`,
  callback_unknown: () =>
    'This address takes no callback: it is not one that was made here, or its run has been dropped. Send to the address exactly as it was handed over.',
  callback_invalid: ({ path, issues }: { path: string; issues: readonly StoreIssue[] }) =>
    `The result does not fit what the tool of ${path} gives: ${countOf(issues, 'problem')}. ${firstOf(issues)}`,
  callback_late: ({ path }: { path: string }) =>
    `The call of ${path} does not wait for a callback any more: it has ended, or its deadline has passed. What was said is kept as evidence.`,
  signal_conflict: ({ id }: { id: string }) =>
    `The id ${id} was used for a signal with another name, key, payload or run. Send the same signal, or use a new id.`,
  signals_full: ({ name, limit, retryAfterMs }: { name: string; limit: number; retryAfterMs: number }) =>
    `${limit} signals ${name} are kept and nobody has taken them; no more are. Start what waits for them, or try again in ${retryAfterMs / 1_000} s.`,
  signal_too_large: ({ name, bytes, limitBytes }: { name: string; bytes: number; limitBytes: number }) =>
    `The payload of signal ${name} has ${bytes} bytes; the limit is ${limitBytes}. Write it as an artifact and send its reference.`,
  test_node_unknown: ({ flow, node }: { flow: string; node: string }) =>
    `The draft of flow ${flow} has no node ${node} to test. Save the draft first, or name another node.`,
  test_runs_nothing: ({
    flow,
    node,
    because,
  }: {
    flow: string;
    node?: string | undefined;
    because?: string | undefined;
  }) =>
    `The test of flow ${flow} would run ${node === undefined ? 'nothing' : `${node} not at all`}${because === undefined ? '' : `: it needs ${because}, which does not run`}. Give outputs for what is off, or let it run.`,
  effects_undecided: ({ flow, nodes }: { flow: string; nodes: readonly string[] }) =>
    `The test of flow ${flow} would call what must not be repeated: ${nodes.join(', ')}. Allow each by name, turn it off, or give an output for it.`,
  test_output_missing: ({ node, runId }: { node: string; runId: string }) =>
    `Run ${runId} has no output of ${node} to use: it is no run of this flow, or the node did not succeed in it. Choose another run, or write the output.`,
  test_outputs_too_large: ({ bytes, limitBytes }: { bytes: number; limitBytes: number }) =>
    `The outputs that the test is given have ${bytes} bytes; the limit is ${limitBytes}. Give fewer, or smaller ones.`,
  test_invalid: ({ flow, issues }: { flow: string; issues: readonly StoreIssue[] }) =>
    `What is tested of flow ${flow} is not finished: ${countOf(issues, 'problem')}. ${firstOf(issues)}`,
  credentials_off: () =>
    'Nothing was stored: the engine has no PAWL_SECRET_KEY to seal credentials with. Give engine and workers 32 random bytes, for instance what `openssl rand -hex 32` prints, and start them again.',
  credential_not_found: ({ credential }: { credential: string }) =>
    `There is no credential ${credential} in this workspace. List the credentials to see their names.`,
  tool_not_found: ({ tool }: { tool: string }) =>
    `No worker has offered a tool ${tool}. List the tools to see those that there are.`,
  arguments_invalid: ({ tool, issues }: { tool: string; issues: readonly StoreIssue[] }) =>
    `The arguments do not fit tool ${tool}: ${countOf(issues, 'problem')}. ${firstOf(issues)}`,
  input_invalid: ({ flow, issues }: { flow: string; issues: readonly StoreIssue[] }) =>
    `The input does not fit flow ${flow}: ${countOf(issues, 'problem')}. ${firstOf(issues)}`,
  dedupe_conflict: ({ flow, key, runId }: { flow: string; key: string; runId: string }) =>
    `The key ${key} of flow ${flow} was used for run ${runId} with another body. Send the same body, or use a new key.`,
  schedule_not_found: ({ schedule }: { schedule: string }) =>
    `There is no schedule ${schedule} in this workspace. List the schedules to see their names.`,
  schedule_exists: ({ schedule }: { schedule: string }) =>
    `There already is a schedule ${schedule} in this workspace. Change that one, or choose another name.`,
  schedule_invalid: ({ schedule, issues }: { schedule: string; issues: readonly StoreIssue[] }) =>
    `Schedule ${schedule} cannot be used: ${countOf(issues, 'problem')}. ${firstOf(issues)}`,
  backfill_invalid: ({ schedule, reason, hint }: { schedule: string; reason: string; hint: string }) =>
    `The range to backfill schedule ${schedule} for is refused: ${reason}. ${hint}`,
  webhook_not_found: ({ webhook }: { webhook: string }) =>
    `There is no webhook ${webhook} in this workspace. List the webhooks to see their names.`,
  webhook_exists: ({ webhook }: { webhook: string }) =>
    `There already is a webhook ${webhook} in this workspace. Change that one, or choose another name.`,
  user_not_found: ({ user }: { user: string }) =>
    `There is no user ${user} in this workspace. List the users to see their names.`,
  user_exists: ({ user }: { user: string }) =>
    `There already is a user ${user} in this workspace. Change that one, or choose another name.`,
  key_not_found: ({ keyId }: { keyId: string }) =>
    `There is no key ${keyId} in force in this workspace. List the keys to see their ids.`,
  limit_not_found: ({ target }: { target: string }) =>
    `There is no limit of ${target} to remove. List the limits to see their targets, letter for letter.`,
  queue_full: ({
    of,
    waiting,
    limit,
    retryAfterMs,
  }: {
    of?: 'workspace' | 'queue';
    waiting: number;
    limit: number;
    retryAfterMs: number;
  }) =>
    `${of === 'workspace' ? `This workspace has ${waiting} runs that wait to start` : `The queue holds ${waiting} waiting jobs`}; new runs are refused above ${limit}. Try again in ${retryAfterMs / 1_000} s.`,
  cursor_invalid: () =>
    'The cursor is not one that a previous page gave. Leave it out to start at the newest run.',
  value_too_large: ({ bytes, limitBytes }: { bytes: number; limitBytes: number }) =>
    `A value of ${bytes} bytes exceeds the limit of ${limitBytes} bytes. Write it as an artifact and hand on its name.`,
  value_lost: ({ hash }: { hash: string }) =>
    `The stored value ${hash} is incomplete. Run "pawl doctor" and restore the database from a backup.`,
  upload_interrupted: () =>
    'The upload stood still for so long that what had come was removed. Send it again, without a pause of a day.',
  artifact_not_found: ({ artifactId }: { artifactId: string }) =>
    `There is no artifact ${artifactId} in this workspace. List the artifacts of the run to see their ids.`,
  schema_newer: ({ unknown, newest }: { unknown: readonly string[]; newest: string }) =>
    `The database was migrated by a newer release (it holds ${unknown.join(', ')}; this release ends at ${newest}). ` +
    'Start the newer release, or restore a backup made before the upgrade.',
  migration_timeout: ({ timeoutMs }: { timeoutMs: number }) =>
    `The database could not be migrated within ${timeoutMs} ms, because another process holds a lock it needs. The step that ` +
    'waited changed nothing. Wait until the other process is done and start again.',
} as const satisfies Record<string, (values: never) => string>;

/** Stable code of a {@link StoreError}. */
export type StoreErrorCode = keyof typeof SENTENCES;
/** The values an error of a code is made from. */
export type StoreErrorValues<C extends StoreErrorCode> = Parameters<(typeof SENTENCES)[C]>[0];

/** Every code, for the table that maps codes to replies and for the documentation. */
export const STORE_ERROR_CODES = Object.keys(SENTENCES) as StoreErrorCode[];

/**
 * What a use case or query of this package refuses, with the values that say why.
 *
 * @example if (isStoreError(error, 'draft_conflict')) merge(error.values.current, error.values.yours)
 */
export class StoreError<C extends StoreErrorCode = StoreErrorCode> extends Error {
  readonly code: C;
  readonly values: StoreErrorValues<C>;

  constructor(code: C, ...[values, options]: Arguments<C>) {
    super((SENTENCES[code] as (values: unknown) => string)(values), options);
    this.name = 'StoreError';
    this.code = code;
    this.values = values as StoreErrorValues<C>;
  }
}
type Arguments<C extends StoreErrorCode> =
  StoreErrorValues<C> extends undefined
    ? [values?: undefined, options?: ErrorOptions]
    : [values: StoreErrorValues<C>, options?: ErrorOptions];

/** True for a {@link StoreError} of the code; without a code for any. */
export function isStoreError<C extends StoreErrorCode>(error: unknown, code?: C): error is StoreError<C> {
  return error instanceof StoreError && (code === undefined || error.code === code);
}

function countOf(list: readonly unknown[], word: string): string {
  return `${list.length} ${word}${list.length === 1 ? '' : 's'}`;
}

function firstOf(issues: readonly StoreIssue[]): string {
  const [first] = issues;
  return first ? `First: ${first.message} (at ${first.pointer === '' ? 'the top' : first.pointer})` : '';
}
