import type { Handlers } from '../bind-routes.ts';
import type { RouteContext } from './context.ts';

/** Test runs of drafts. */
export function testHandlers({ store, metrics }: RouteContext): Pick<Handlers, 'planTest' | 'startTest'> {
  return {
    planTest: async ({ workspaceId, params, body }) => ({
      status: 200,
      body: await store.planTest({ workspaceId, ...params, ...wishOf(body) }),
    }),

    startTest: async ({ workspaceId, by, params, body, request: { trace } }) => {
      const { input = {}, budget } = body;
      const started = await store.startTest({
        workspaceId,
        by,
        ...params,
        ...wishOf(body),
        input,
        ...(budget && { budget }),
        ...(trace && { trace }),
      });
      metrics.starts.inc({ result: 'started' });
      return { status: 201, body: started, headers: { location: `/v1/runs/${started.runId}` } };
    },
  };
}

const wishOf = <P, O>({
  part,
  outputs,
  allow = [],
  off = [],
}: {
  readonly part: P;
  readonly outputs?: Readonly<Record<string, O>> | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly off?: readonly string[] | undefined;
}) => ({ part, outputs: outputs ?? {}, allow, off });
