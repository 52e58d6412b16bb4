import type { FastifyRequest } from 'fastify';
import { answerBytes } from '../answer-bytes.ts';
import { type Handlers, Raw } from '../bind-routes.ts';
import { type JournalPage, openEventStream } from '../event-stream.ts';
import { HttpProblem } from '../http-problem.ts';
import { notFoundBy } from '../read-parts.ts';
import type { RouteContext } from './context.ts';

/** Events read at once for a stream. */
const STREAM_PAGE = 500;

/** The journal of a run: followed as a stream, or read page by page. */
export function eventHandlers(context: RouteContext): Pick<Handlers, 'readEvents' | 'readValue'> {
  const { store } = context;
  return {
    readEvents: async ({ workspaceId, params: { runId }, query, headers, request }) => {
      const { values } = query;
      const isPage = wantsPage(request.headers.accept);
      const after = Number((isPage ? undefined : headers['last-event-id']) ?? query.after ?? 0);
      const limit = isPage ? (query.limit ?? 100) : STREAM_PAGE;
      const read = (from: number) =>
        store.readEvents({ workspaceId, runId, after: from, limit, ...(values && { values }) });
      const first = await read(after);
      if (!first) throw notFoundBy('runId', runId);
      if (!isPage)
        return {
          status: 200,
          body: follow(context, request, { runId, after, first, read: whileAllowed(context, request, read) }),
          headers: STREAM,
        };
      return { status: 200, body: { ...first, nextAfter: first.events.at(-1)?.seq ?? after } };
    },

    readValue: async ({ workspaceId, params: { runId, event, name }, headers }) => {
      const value = await store.openValue({ workspaceId, runId, seq: event, name });
      if (value) return answerBytes(value, headers, JSON_FILE);
      if (!(await store.getRun({ workspaceId, runId }))) throw notFoundBy('runId', runId);
      throw notFoundBy('name', `${name} of event ${event}`);
    },
  };
}

/** A model or a tool made the value: it is never shown as a page of this origin. */
const JSON_FILE = {
  'content-type': 'application/json; charset=utf-8',
  'content-disposition': 'attachment; filename="value.json"',
  'content-security-policy': "sandbox; default-src 'none'",
};

/** Headers of event streams: no cache, no proxy that collects (nginx), no re-coding on the way. */
export const STREAM = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

const wantsPage = (accept = '*/*'): boolean =>
  accept.includes('application/json') && !accept.includes('text/event-stream');

interface Followed {
  readonly runId: string;
  readonly after: number;
  readonly first: JournalPage;
  readonly read: (after: number) => Promise<JournalPage | undefined>;
}

/** Reads as long as who asks has access: a key that was revoked and a session that ended stop hearing, too. */
const whileAllowed =
  <T>({ authenticate }: RouteContext, request: FastifyRequest, read: (after: number) => Promise<T>) =>
  async (after: number): Promise<T | undefined> => {
    try {
      await authenticate(request);
    } catch (error) {
      if (error instanceof HttpProblem) return undefined;
      throw error;
    }
    return read(after);
  };

function follow(
  { live, limits, metrics, streams }: RouteContext,
  request: FastifyRequest,
  run: Followed,
): Raw {
  metrics.streams.inc();
  const stream = openEventStream({
    ...run,
    keepAliveMs: limits.keepAliveMs,
    rereadMs: limits.rereadMs,
    subscribe: (listener) => live.subscribe(run.runId.toLowerCase(), listener),
    onTrouble: (error) => request.log.warn({ err: error, runId: run.runId }, 'journal could not be read'),
    onClose: () => metrics.streams.dec(),
  });
  streams.add(stream);
  return new Raw(stream);
}
