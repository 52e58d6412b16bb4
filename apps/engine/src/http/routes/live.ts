import type { FastifyRequest } from 'fastify';
import { type Handlers, Raw } from '../bind-routes.ts';
import { HttpProblem } from '../http-problem.ts';
import { openLiveStream } from '../live-stream.ts';
import { WorkspaceWatch } from '../workspace-watch.ts';
import type { RouteContext } from './context.ts';
import { STREAM } from './events.ts';

/** What changes in a workspace, told to everybody who looks at its lists by one reader. */
export function liveHandlers(context: RouteContext): Pick<Handlers, 'watchWorkspace'> {
  const { store, live, limits, logger, metrics, streams } = context;
  const watch = new WorkspaceWatch({
    live,
    readRuns: (workspaceIds, runIds) => store.runsById(workspaceIds, runIds),
    countInbox: (workspaceId) => store.countInbox(workspaceId, {}),
    onTrouble: (err) => logger.warn({ err }, 'what changed could not be read'),
  });
  return {
    watchWorkspace: async ({ workspaceId, request }) => {
      metrics.streams.inc();
      const stream = openLiveStream({
        subscribe: (listener) => watch.subscribe(workspaceId, listener),
        isAllowed: () => isAllowed(context, request),
        keepAliveMs: limits.keepAliveMs,
        onTrouble: (err) => request.log.warn({ err }, 'who listens could not be looked up'),
        onClose: () => metrics.streams.dec(),
      });
      streams.add(stream);
      return { status: 200, body: new Raw(stream), headers: STREAM };
    },
  };
}

/** Who lost access stops hearing, too. */
async function isAllowed({ authenticate }: RouteContext, request: FastifyRequest): Promise<boolean> {
  try {
    await authenticate(request);
    return true;
  } catch (error) {
    if (error instanceof HttpProblem) return false;
    throw error;
  }
}
