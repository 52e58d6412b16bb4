import { LIVE_EVENTS, routes } from '../routes/index.ts';
import type { InboxCount, RunSummary } from '../schemas/index.ts';
import { followStream, type StreamOptions } from './follow-stream.ts';
import type { ClientOptions } from './transport.ts';

/** What is heard of a workspace. `again`: something may have been missed, so what is shown must be read again. */
export type WorkspaceNews =
  | { readonly kind: 'run'; readonly run: RunSummary }
  | { readonly kind: 'inbox'; readonly inbox: InboxCount }
  | { readonly kind: 'again' };

/**
 * Hears what changes in the workspace, for ever. Each connection begins with `again`.
 *
 * @throws {ApiError} when the engine refuses (bad key); an unreachable or failing engine is tried again for ever
 */
export async function* workspaceNews(
  options: ClientOptions,
  how: StreamOptions = {},
): AsyncGenerator<WorkspaceNews, void, void> {
  for await (const frame of followStream(options, routes.watchWorkspace, () => ({}), how)) {
    switch (frame.event) {
      case LIVE_EVENTS.run:
        yield { kind: 'run', run: JSON.parse(frame.data) };
        break;
      case LIVE_EVENTS.inbox:
        yield { kind: 'inbox', inbox: JSON.parse(frame.data) };
        break;
      case LIVE_EVENTS.again:
        yield { kind: 'again' };
        break;
    }
  }
}
