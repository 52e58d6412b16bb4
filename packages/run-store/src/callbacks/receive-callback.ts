import {
  type Fact,
  type Failure,
  type FlowGraph,
  type Json,
  type JsonSchema,
  parsePath,
  type RecordedEvent,
  validateInput,
} from '@pawl/dag-core';
import { StoreError } from '../errors.ts';
import { putAside } from '../inbox/what-follows.ts';
import { eventsOfNodeRun } from '../queries/events.ts';
import { findDeclaration } from '../sql/catalog.ts';
import { findRunPlace } from '../sql/find-run-place.ts';
import { loadCallbackKey } from '../sql/load-signing-key.ts';
import type { DecisionParts } from '../use-cases/decision-parts.ts';
import { type CallbackAbout, readCallbackToken } from './callback-token.ts';
import { type CallbackBody, wordHash } from './word-hash.ts';

/**
 * Takes what a service says later about a call (T22). The same said again changes nothing.
 *
 * @throws {StoreError} `callback_unknown`, `callback_invalid` with `issues`, `callback_late` (it is kept as evidence), `value_too_large`
 */
export async function receiveCallback(
  parts: DecisionParts,
  { token, body }: { readonly token: string; readonly body: CallbackBody },
): Promise<{ readonly state: 'taken' | 'duplicate' }> {
  const { orm, hot } = parts;
  const about = readCallbackToken(await loadCallbackKey(hot.pool), token);
  const place = about && (await findRunPlace(hot.pool, about.runId));
  if (!place) throw new StoreError('callback_unknown');
  const { runId, path, attempt } = about;
  const hash = wordHash(attempt, body);
  const said = (await eventsOfNodeRun(orm, runId, path)).find((event) => callbackOf(event) === hash);
  if (said) return answered(said, about);
  const graph = await hot.graphs.get(place.workspaceId, place.versionId);
  if ('result' in body) await demandFitting(parts, graph, path, body.result);
  const fact = await putAside(hot, runId, factOf(about, body, hash));
  const { verdicts } = await hot.commit({ runId, graph, facts: [fact] });
  if (verdicts[0] === 'applied') return { state: 'taken' };
  throw new StoreError(verdicts[0] === 'late' ? 'callback_late' : 'callback_unknown', { path });
}

/** The same was said before: what it led to then is what it leads to now. @throws {StoreError} `callback_late` */
function answered({ type }: RecordedEvent, { path }: CallbackAbout): { readonly state: 'duplicate' } {
  if (type === 'outcome.late') throw new StoreError('callback_late', { path });
  return { state: 'duplicate' };
}

function callbackOf({ type, data }: RecordedEvent): string | undefined {
  const isOutcome = type === 'outcome.succeeded' || type === 'outcome.failed' || type === 'outcome.late';
  return isOutcome ? data.callback : undefined;
}

/** As far as a worker has declared what the tool gives. @throws {StoreError} `callback_invalid` */
async function demandFitting(
  { hot }: DecisionParts,
  graph: FlowGraph,
  path: string,
  result: Json,
): Promise<void> {
  const config = parsePath(graph, path)?.node.config;
  if (config?.kind !== 'tool') return;
  const declared = await findDeclaration(hot.pool, 'tool', config.tool);
  const schema = (declared as { outputSchema?: JsonSchema } | undefined)?.outputSchema;
  const { issues } = schema === undefined ? { issues: [] } : validateInput(schema, result);
  if (issues.length > 0) throw new StoreError('callback_invalid', { path, issues });
}

function factOf({ path, attempt }: CallbackAbout, body: CallbackBody, callback: string): Fact {
  const base = { type: 'callback', path, attempt, callback, random: Math.random() } as const;
  if ('result' in body) return { ...base, output: body.result };
  const { message, code = 'callback_failed', retryable } = body.failure;
  const failure: Failure = { code, message, class: retryable ? 'transient' : 'permanent' };
  return { ...base, failure };
}
