import { Readable } from 'node:stream';
import type { EffectFilter } from '@pawl/run-store';
import { type Handlers, Raw } from '../bind-routes.ts';
import { effectCsv } from '../effect-csv.ts';
import { problems } from '../http-problem.ts';
import type { RouteContext } from './context.ts';

type EffectRoutes = 'listEffects' | 'exportEffects' | 'getEffect';

/** The effect log: read from the journals, written by nobody who asks. */
export function effectHandlers({ store }: RouteContext): Pick<Handlers, EffectRoutes> {
  return {
    listEffects: async ({ workspaceId, query }) => ({
      status: 200,
      body: await store.listEffects({ workspaceId, ...filterOf(query) }),
    }),

    exportEffects: async ({
      workspaceId,
      query: { format = 'ndjson', arguments: withRequest, ...query },
    }) => {
      const effects = store.exportEffects({
        workspaceId,
        ...filterOf(query),
        withRequest: withRequest === 'true',
      });
      const lines = format === 'csv' ? effectCsv(effects) : ndjson(effects);
      return {
        status: 200,
        body: new Raw(Readable.from(lines, { objectMode: false })),
        headers: {
          'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
          'content-disposition': `attachment; filename="effects.${format}"`,
        },
      };
    },

    getEffect: async ({ workspaceId, params: { runId, seq } }) => {
      const effect = await store.getEffect({ workspaceId, runId, seq });
      if (!effect) throw problems.notFound('effect_not_found', `effect ${runId}/${seq}`, 'GET /v1/effects');
      return { status: 200, body: effect };
    },
  };
}

function filterOf<Q extends { run?: string | undefined }>({ run, ...filter }: Q) {
  return { ...filter, ...(run !== undefined && { runId: run }) } as Omit<Q, 'run'> &
    Pick<EffectFilter, 'runId'>;
}

async function* ndjson(effects: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const effect of effects) yield `${JSON.stringify(effect)}\n`;
}
