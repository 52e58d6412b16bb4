import { AddressRules, isFixedHost, isLinkLocal } from './address-rules.ts';
import { createGuardedFetch, type Fetch, type Resolve } from './guarded-fetch.ts';

/** How a worker reaches the world. */
export interface Network {
  /** For tools: public addresses, and what the configuration allows. */
  readonly fetch: Fetch;
  /**
   * For a model server that the configuration names. An address or `localhost` in its URL is allowed by being written there
   * (that port only; never link-local, where clouds keep credentials); what a name leads to is judged like any other.
   */
  fetchFor(baseUrl: string): Fetch;
}

/** The network of a process. */
export function createNetwork(rules: AddressRules = AddressRules.parse(''), resolve?: Resolve): Network {
  const forModels = (allowed: AddressRules): Fetch =>
    createGuardedFetch({ rules: allowed, resolve, reuse: 'all' });
  return {
    fetch: createGuardedFetch({ rules, resolve, reuse: 'reads' }),
    fetchFor(baseUrl) {
      const { hostname, port, protocol } = new URL(baseUrl);
      if (!isFixedHost(hostname) || isLinkLocal(hostname)) return forModels(rules);
      return forModels(rules.allowing(hostname, Number(port) || (protocol === 'https:' ? 443 : 80)));
    },
  };
}
