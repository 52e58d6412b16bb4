import type { Authenticate } from '../access/authenticate.ts';
import type { GuessGuard } from '../access/guess-guard.ts';
import type { OpenStreams } from '../open-streams.ts';
import type { HttpLimits, HttpOptions } from '../options.ts';

/** What handlers are made from: the options with every limit decided, the open event streams, and what looks at who asks. */
export interface RouteContext extends Omit<HttpOptions, 'limits'> {
  readonly limits: Required<HttpLimits>;
  readonly streams: OpenStreams;
  readonly authenticate: Authenticate;
  readonly guesses: GuessGuard;
}
