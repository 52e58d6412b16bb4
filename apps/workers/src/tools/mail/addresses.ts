// Addresses are read strictly, by a grammar smaller than that of RFC 5322: no comments, no quoted local parts, no groups, no
// lists inside of a text. What two readers could read differently is refused, because one of them is the mail server.
import { domainToASCII } from 'node:url';
import { z } from 'zod';

/** Somebody's name, which may be empty, and address. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

const LOCAL = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN = /^[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?)*$/u;
const CONTROL = /[\p{Cc}\p{Surrogate}\u2028\u2029]/u;
/** Octets (RFC 5321, section 4.5.3.1). */
const MAX_LOCAL = 64;
const MAX_ADDRESS = 254;
const MAX_NAME_UNITS = 200;

const isAddress = (text: string): boolean => {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  return (
    at > 0 &&
    LOCAL.test(local) &&
    DOMAIN.test(domain) &&
    domainToASCII(domain) !== '' &&
    Buffer.byteLength(local) <= MAX_LOCAL &&
    Buffer.byteLength(text) <= MAX_ADDRESS
  );
};

const isName = (text: string): boolean => text.length <= MAX_NAME_UNITS && !CONTROL.test(text);

/** `ana@example.com` or `Ana Ruiz <ana@example.com>`; undefined for anything else. */
export function readMailbox(text: string): Mailbox | undefined {
  if (isAddress(text)) return { name: '', address: text };
  const [, name, address] = /^\s*("[^"\\]*"|[^"<>]*?)\s*<([^<>]*)>\s*$/.exec(text) ?? [];
  if (name === undefined || address === undefined || !isAddress(address)) return undefined;
  const plain = name.replace(/^"(.*)"$/, '$1');
  return isName(plain) ? { name: plain, address } : undefined;
}

/** One mailbox as an argument of a flow. */
export const mailbox = z.union([
  z
    .string()
    .refine(
      (text) => readMailbox(text) !== undefined,
      'must be one address, such as ana@example.com or Ana <ana@example.com>; several are a list',
    ),
  z.strictObject({
    name: z.string().refine(isName, 'must be a line of text').default(''),
    address: z.string().refine(isAddress, 'must be an address, such as ana@example.com'),
  }),
]);

/** One mailbox or several. */
export const mailboxes = z.union([mailbox, z.array(mailbox).max(100)]);

type Given = z.output<typeof mailbox>;

/** What {@link mailbox} has let through. */
export const asMailbox = (given: Given): Mailbox =>
  typeof given === 'string' ? (readMailbox(given) as Mailbox) : given;

/** What {@link mailboxes} has let through, as a list. */
export const asMailboxes = (given: Given | readonly Given[] | undefined): Mailbox[] =>
  given === undefined ? [] : (Array.isArray(given) ? given : [given as Given]).map(asMailbox);
