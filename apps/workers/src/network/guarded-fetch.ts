import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as lookupInSystem } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isSafeMethod } from '@pawl/tool-sdk';
import { Agent, buildConnector } from 'undici';
import type { AddressRules } from './address-rules.ts';

/** A `fetch` for one kind of use, with its own connections. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** All addresses of a name; for tests. */
export type Resolve = (host: string, options: LookupOptions) => Promise<readonly LookupAddress[]>;

const CONNECT_TIMEOUT_MS = 10_000;

/** How connections are made. */
export interface GuardedFetchOptions {
  readonly rules: AddressRules;
  /** Default: the resolver of the system. */
  readonly resolve?: Resolve | undefined;
  /**
   * Which requests may travel on a connection that is open already. A service may close such a connection at the very moment
   * when a request is sent on it, and then it is open whether it had it: with `reads` a write is never exposed to that.
   */
  readonly reuse: 'all' | 'reads';
}

/**
 * A `fetch` whose every connection is checked at the moment it is made, redirects included. A name is looked up once, and what
 * was checked is what is connected to: a name that answers differently the second time gains nothing. One private address
 * among several refuses the name.
 *
 * What it refuses is thrown as the cause of the usual `TypeError`, an `AddressBlockedError`. Nothing but connecting has a
 * time limit: the signal of a request is what ends it.
 */
export function createGuardedFetch({ rules, resolve = resolveInSystem, reuse }: GuardedFetchOptions): Fetch {
  const connect = guardedConnector(rules, resolve);
  const options = { connect, headersTimeout: 0, bodyTimeout: 0 };
  const shared = new Agent(options);
  const alone = reuse === 'all' ? shared : new Agent({ ...options, pipelining: 0 });
  // The fetch of this process, so that its own FormData, Blob and Response are understood; only connecting is ours.
  return (url, init) => {
    const dispatcher = isSafeMethod(init?.method) ? shared : alone;
    return fetch(url, { ...init, dispatcher } as unknown as RequestInit);
  };
}

function guardedConnector(rules: AddressRules, resolve: Resolve): buildConnector.connector {
  const connectors = new Map<string, buildConnector.connector>();
  /** The lookup is not told the port, so there is one connector for each. */
  const connectorFor = (port: number): buildConnector.connector => {
    const known = connectors.get(String(port));
    if (known) return known;
    const made = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: checkedLookup(rules, port, resolve) });
    connectors.set(String(port), made);
    return made;
  };
  return (options, callback) => {
    const { hostname, protocol } = options;
    const port = Number(options.port) || (protocol === 'https:' ? 443 : 80);
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    // Addresses are connected to without a lookup.
    const refused = isIP(host) === 0 ? undefined : rules.refusal(host, host, port);
    if (refused) callback(refused, null);
    else connectorFor(port)(options, callback);
  };
}

function checkedLookup(rules: AddressRules, port: number, resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host, options).then(
      (addresses) => {
        const refusals = addresses.map(({ address }) => rules.refusal(host, address, port));
        const refused = refusals.find((refusal) => refusal !== undefined);
        const [first] = addresses;
        if (refused) callback(refused, '', 0);
        else if (first === undefined) callback(nothingFound(host), '', 0);
        else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, '', 0),
    );
  };
}

const resolveInSystem: Resolve = (host, options) =>
  new Promise((resolve, reject) => {
    lookupInSystem(host, { ...options, all: true }, (error, addresses) =>
      error ? reject(error) : resolve(addresses),
    );
  });

const nothingFound = (host: string): Error =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
