import { AddressRules, isFixedHost, isLinkLocal } from './address-rules.ts';
import { createGuardedFetch, type Fetch, type GuardedFetchOptions, type Resolve } from './guarded-fetch.ts';

/** How a worker reaches the world. */
export interface Network {
  /** For tools: public addresses, and what the configuration allows. */
  readonly fetch: Fetch;
  /**
   * For a server that the configuration names. An address or `localhost` in its URL is allowed by being written there
   * (that port only; never link-local, where clouds keep credentials); what a name leads to is judged like any other.
   *
   * @param reuse see `createGuardedFetch`; default: every request may travel on an open connection
   */
  fetchFor(baseUrl: string, reuse?: GuardedFetchOptions['reuse']): Fetch;
}

/** The network of a process. */
export function createNetwork(rules: AddressRules = AddressRules.parse(''), resolve?: Resolve): Network {
  return {
    fetch: createGuardedFetch({ rules, resolve, reuse: 'reads' }),
    fetchFor(baseUrl, reuse = 'all') {
      const { hostname, port, protocol } = new URL(baseUrl);
      const isNamed = isFixedHost(hostname) && !isLinkLocal(hostname);
      const named = () => rules.allowing(hostname, Number(port) || (protocol === 'https:' ? 443 : 80));
      return createGuardedFetch({ rules: isNamed ? named() : rules, resolve, reuse });
    },
  };
}
