import {
  type FlowDocument,
  type Json,
  planTest,
  type Registered,
  type TraceContext,
  testDocument,
  validateFlow,
} from '@pawl/dag-core';
import type { Orm } from '../entities/orm.ts';
import { StoreError } from '../errors.ts';
import type { HotStore } from '../hot-store.ts';
import { newId } from '../ids.ts';
import { admitTest } from './start-test.ts';

/** The flow under whose name tools are tried: one of each workspace, made with the first try, in no list. */
export const TRIES_FLOW = 'tool-tries';
const NODE = 'call';

/** The run of a try. */
export interface TriedTool {
  readonly runId: string;
  readonly versionId: string;
  /** Of the call in the run. */
  readonly path: string;
}

/** A call of a tool, to see what it does. */
export interface ToolTry {
  readonly workspaceId: string;
  readonly by: string;
  /** `<name>@<version>` */
  readonly tool: string;
  /** As a node would have them: templates are filled, and may name secrets. */
  readonly args: Json;
  /** A person said that what must not be repeated may be called. */
  readonly isAllowed: boolean;
  readonly registered?: Omit<Registered, 'flows'> | undefined;
  readonly trace?: TraceContext | undefined;
}

/**
 * Calls a tool once, as the only node of a test run: its intent, limits, secrets and outcome are those of every call. It is tried
 * once, and a failure ends the run.
 *
 * @param refuse says why no run may be started now, if so
 * @throws {StoreError} `tool_not_found`; `effects_undecided` when it must not be repeated and nobody allowed it; `arguments_invalid`
 *         with pointers into the arguments; what `refuse` says
 */
export async function tryTool(
  { orm, hot }: { readonly orm: Orm; readonly hot: HotStore },
  { workspaceId, by, tool, args, isAllowed, registered, trace }: ToolTry,
  refuse?: () => Promise<StoreError | undefined>,
): Promise<TriedTool> {
  if (!registered?.tools?.has(tool)) throw new StoreError('tool_not_found', { tool });
  const drawn = documentOf(tool, args);
  const issues = validateFlow(drawn, registered).issues.filter(({ severity }) => severity === 'error');
  if (issues.length > 0) throw new StoreError('arguments_invalid', { tool, issues: issues.map(inArguments) });
  const wish = { part: { do: 'all' as const }, outputs: {}, allow: isAllowed ? [NODE] : [], off: [] };
  const plan = planTest(drawn, wish, registered);
  if (plan.undecided.length > 0)
    throw new StoreError('effects_undecided', { flow: TRIES_FLOW, nodes: plan.undecided });
  await keepTriesFlow(orm, workspaceId);
  const document = testDocument(drawn, plan, {});
  const started = await admitTest(
    { orm, hot },
    { workspaceId, flow: TRIES_FLOW, by, input: {}, document, ...(trace && { trace }) },
    refuse,
  );
  return { ...started, path: NODE };
}

const documentOf = (tool: string, args: Json) =>
  ({
    format: 'pawl/1',
    name: TRIES_FLOW,
    title: tool,
    nodes: [
      {
        id: NODE,
        kind: 'tool',
        tool,
        args,
        retry: { maxAttempts: 1 },
        onError: { do: 'fail' },
      },
    ],
    edges: [],
    output: `{{ nodes.${NODE}.output }}`,
  }) as unknown as FlowDocument;

const PLACE = '/nodes/0/args';

/** The issue with its place in the arguments. */
const inArguments = <I extends { readonly pointer: string }>(issue: I): I => ({
  ...issue,
  pointer: issue.pointer.startsWith(PLACE) ? issue.pointer.slice(PLACE.length) : '',
});

/** Relies on flow (workspace_id, name). */
async function keepTriesFlow({ pool }: Orm, workspaceId: string): Promise<void> {
  const draft = { format: 'pawl/1', name: TRIES_FLOW, nodes: [], edges: [] };
  await pool.query(
    `insert into flow (id, workspace_id, name, draft, revision, is_hidden)
     values ($1, $2, $3, $4::json, 1, true)
     on conflict (workspace_id, name) do nothing`,
    [newId(), workspaceId, TRIES_FLOW, JSON.stringify(draft)],
  );
}
