import type { Client } from '@pawl/api';
import { NoRunError, UsageError } from '../errors.ts';

/** How a run is named on the command line. */
export const RUN_ARGUMENT = 'id of the run, or "latest"';

/**
 * The id of the run that was named.
 *
 * @throws {UsageError} when it is neither an id nor `latest`; {NoRunError} when there is no run
 */
export async function resolveRunId(client: Client, named: string): Promise<string> {
  if (named === 'latest') {
    const [newest] = (await client.listRuns({ query: { limit: 1 } })).items;
    if (!newest) throw new NoRunError();
    return newest.id;
  }
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(named)) return named;
  throw new UsageError(`"${named}" is no run id: expected one as "pawl run list" shows it, or "latest".`);
}
