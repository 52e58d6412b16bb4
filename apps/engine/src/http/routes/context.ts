import type { OpenStreams } from '../open-streams.ts';
import type { HttpLimits, HttpOptions } from '../options.ts';

/** What handlers are made from: the options with every limit decided, and the open event streams. */
export interface RouteContext extends Omit<HttpOptions, 'limits'> {
  readonly limits: Required<HttpLimits>;
  readonly streams: OpenStreams;
}
