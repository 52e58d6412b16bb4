import { type RouteName, type Routes, routes } from '../routes/index.ts';
import type { RouteSpec } from '../routes/route.ts';
import type { ClientMethod } from './call-types.ts';
import type { StreamOptions } from './follow-stream.ts';
import { type FollowOptions, type RunSignal, runEvents } from './run-events.ts';
import { type ClientOptions, type RawCall, refuse, send } from './transport.ts';
import { type WorkspaceNews, workspaceNews } from './workspace-news.ts';

/** One method per route; `runEvents` follows a run and `workspaceNews` what changes in the workspace, both through lost connections. */
export type Client = { readonly [N in RouteName]: ClientMethod<Routes[N]> } & {
  /** Yields the journal of a run in order, each event once, and deltas as they pass; ends when the run has ended. */
  runEvents(runId: string, options?: FollowOptions): AsyncGenerator<RunSignal, void, void>;
  /** Yields what changes in the workspace; has no end. */
  workspaceNews(options?: StreamOptions): AsyncGenerator<WorkspaceNews, void, void>;
};

/**
 * A client of the API, typed by the route table.
 * @throws (its methods) {ApiError} for problems, {EngineUnreachableError} without an answer, {UnexpectedReplyError} else
 * @example const { runId } = await createClient({ baseUrl }).startRun({ body: { flow: 'greet', input: { name: 'Ada' } } });
 */
export function createClient(options: ClientOptions): Client {
  const methods = Object.entries(routes).map(([name, route]) => [name, methodOf(options, route)]);
  return {
    ...Object.fromEntries(methods),
    runEvents: (runId: string, follow?: FollowOptions) => runEvents(options, runId, follow),
    workspaceNews: (how?: StreamOptions) => workspaceNews(options, how),
  } as Client;
}

function methodOf(options: ClientOptions, route: RouteSpec) {
  return async (call: RawCall = {}): Promise<unknown> => {
    const response = await send(options, route, call, acceptOf(route));
    const reply = route.replies[response.status];
    if (!reply) return refuse(response);
    if (!reply.schema) return response;
    const mediaType = response.headers.get('content-type') ?? '';
    if (!mediaType.startsWith('application/json')) return refuse(response);
    return response.json();
  };
}

const acceptOf = (route: RouteSpec): string =>
  Object.values(route.replies).some((reply) => reply.schema) ? 'application/json' : '*/*';
