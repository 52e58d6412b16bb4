// Rules kept here (C83):
// N1 An address is public when it is ordinary unicast; everything else, known or unknown, is private: loopback, private and
//    shared networks, link-local (where clouds keep their metadata), unique local, multicast, reserved, tunnels.
// N2 An IPv4 address inside an IPv6 one (mapped, or translated by 64:ff9b::/96) is judged as the IPv4 address.
// N3 Private addresses are connected to only where the configuration names them: by address, network or host name.
import { AddressBlockedError } from '@pawl/tool-sdk';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** One thing that the configuration allows; without `port`, all ports. */
interface Allowed {
  readonly network?: readonly [Address, number];
  /** In lower case; `isSuffix`: every name below it. */
  readonly host?: { readonly name: string; readonly isSuffix: boolean };
  readonly port?: number;
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const TRANSLATED = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const HOST_NAME = /^(\*\.)?([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/;

/** Which addresses may be connected to. */
export class AddressRules {
  readonly #allowed: readonly Allowed[];

  private constructor(allowed: readonly Allowed[]) {
    this.#allowed = allowed;
  }

  /**
   * @param text what is allowed beside public addresses, separated by commas: an address, a network (`10.0.0.0/8`), a host
   *   name, or every name below one (`*.internal`); all but networks may end in `:port`
   * @throws {Error} with a sentence that shows the entry that cannot be read
   */
  static parse(text: string): AddressRules {
    const entries = text
      .split(',')
      .map((entry) => entry.trim().toLowerCase())
      .filter((entry) => entry !== '');
    return new AddressRules(entries.map(readEntry));
  }

  /** These rules, and one host and port more. */
  allowing(host: string, port: number): AddressRules {
    return new AddressRules([...this.#allowed, { ...readHost(plainHost(host)), port }]);
  }

  /**
   * Decides about one connection that is about to be made.
   *
   * @param host    as the URL has it, a name or an address
   * @param address what it resolved to, as text
   * @returns why it is refused; undefined when it is not
   */
  refusal(host: string, address: string, port: number): AddressBlockedError | undefined {
    const parsed = unwrapped(ipaddr.parse(plainHost(address)));
    const kind = privateKind(parsed);
    if (kind === undefined || this.#allowed.some((entry) => fits(entry, plainHost(host), parsed, port)))
      return undefined;
    // The address itself is not told: what names inside of a network resolve to is nobody's business outside.
    return new AddressBlockedError(
      `${host} was not connected to: it is, or leads to, a private address (${kind}). If that is meant, allow it in PAWL_ALLOW_PRIVATE_ADDRESSES.`,
    );
  }
}

/** Without brackets and the last dot, in lower case. */
const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');

/** True for names that mean this machine, and for addresses; what they lead to cannot change. */
export const isFixedHost = (host: string): boolean =>
  plainHost(host) === 'localhost' || ipaddr.isValid(plainHost(host));

/** True for `localhost` and addresses of this machine. */
export const isLoopbackHost = (host: string): boolean =>
  plainHost(host) === 'localhost' ||
  (ipaddr.isValid(plainHost(host)) && unwrapped(ipaddr.parse(plainHost(host))).range() === 'loopback');

/** True where clouds keep the credentials of a machine. */
export const isLinkLocal = (host: string): boolean =>
  ipaddr.isValid(plainHost(host)) && unwrapped(ipaddr.parse(plainHost(host))).range() === 'linkLocal';

/** N2. */
function unwrapped(address: Address): Address {
  if (address.kind() === 'ipv4') return address;
  const wide = address as ipaddr.IPv6;
  if (wide.isIPv4MappedAddress()) return wide.toIPv4Address();
  return wide.match(TRANSLATED) ? new ipaddr.IPv4(wide.toByteArray().slice(12)) : wide;
}

/** N1: what kind of private address it is, in words; undefined for a public one. */
function privateKind(address: Address): string | undefined {
  const range: string = address.range();
  const isPublic = range === 'unicast' && (address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST));
  if (isPublic) return undefined;
  return range === 'unicast'
    ? 'reserved'
    : range.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function fits({ network, host, port: only }: Allowed, name: string, address: Address, port: number): boolean {
  if (only !== undefined && only !== port) return false;
  if (network !== undefined) return network[0].kind() === address.kind() && address.match(network as never);
  if (host === undefined) return false;
  return host.isSuffix ? name.endsWith(`.${host.name}`) : name === host.name;
}

function readEntry(entry: string): Allowed {
  if (entry.includes('/')) {
    if (!ipaddr.isValidCIDR(entry)) throw unreadable(entry);
    return { network: ipaddr.parseCIDR(entry) };
  }
  // A colon divides off a port, unless it is one of several in a bare IPv6 address.
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(entry) ?? [undefined, entry];
  if (port !== undefined && Number(port) > 65_535) throw unreadable(entry);
  return { ...readHost(plainHost(host!), entry), ...(port !== undefined && { port: Number(port) }) };
}

function readHost(host: string, entry = host): Allowed {
  if (ipaddr.isValid(host)) {
    const address = unwrapped(ipaddr.parse(host));
    return { network: [address, address.kind() === 'ipv4' ? 32 : 128] };
  }
  if (!HOST_NAME.test(host)) throw unreadable(entry);
  return { host: { name: host.replace(/^\*\./, ''), isSuffix: host.startsWith('*.') } };
}

const unreadable = (entry: string): Error =>
  new Error(
    `PAWL_ALLOW_PRIVATE_ADDRESSES has "${entry}"; expected an address, a network such as 10.0.0.0/8, a host name or *.name, separated by commas.`,
  );
