import type { SecureContextOptions } from 'node:tls';
import { isLoopbackHost } from '../../network/index.ts';
import { readMailbox } from './addresses.ts';

/** The SMTP server that mail goes through. */
export interface MailConfig {
  readonly host: string;
  readonly port: number;
  /**
   * `implicit`: TLS from the first byte; `required`: STARTTLS or nothing is sent; `if_offered`: STARTTLS where the server has
   * it; `never`: everything in the clear.
   */
  readonly tls: 'implicit' | 'required' | 'if_offered' | 'never';
  readonly auth?: { readonly user: string; readonly password: string };
  /** Sender of mails that name none, for instance `Shop <shop@example.com>`. */
  readonly from?: string;
  /** Certificates that are trusted besides those of the process. */
  readonly ca?: SecureContextOptions['ca'];
}

const TLS_WORDS: Readonly<Record<string, MailConfig['tls']>> = {
  required: 'required',
  'if-offered': 'if_offered',
  never: 'never',
};

/**
 * Reads `PAWL_SMTP_URL`, `PAWL_SMTP_TLS` and `PAWL_MAIL_FROM`.
 *
 * @returns undefined when no server is configured
 * @throws {Error} with a sentence that names the variable, never with a value that may be secret (V13)
 */
export function readMailConfig(env: Readonly<Record<string, string | undefined>>): MailConfig | undefined {
  const { PAWL_SMTP_URL: text, PAWL_SMTP_TLS: word, PAWL_MAIL_FROM: from } = env;
  if (!text) return undefined;
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text))
    throw new Error(
      'PAWL_SMTP_URL is no address of a mail server; expected smtp://user:password@host:587 or smtps://….',
    );
  const url = new URL(text);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isImplicit = url.protocol === 'smtps:';
  const tls = isImplicit ? 'implicit' : tlsOf(word, host);
  const auth =
    url.username === '' ? undefined : { user: decoded(url.username), password: decoded(url.password) };
  if (auth && (tls === 'if_offered' || tls === 'never') && !isLoopbackHost(host))
    throw new Error(
      'PAWL_SMTP_TLS must be "required" when PAWL_SMTP_URL has a password: it would be sent in the clear.',
    );
  if (from && readMailbox(from) === undefined)
    throw new Error(
      `PAWL_MAIL_FROM is "${from}"; expected an address such as shop@example.com or Shop <shop@example.com>.`,
    );
  return {
    host,
    port: Number(url.port) || (isImplicit ? 465 : 587),
    tls,
    ...(auth && { auth }),
    ...(from && { from }),
  };
}

/** A server on this machine needs no TLS, and has none as a rule. */
function tlsOf(word: string | undefined, host: string): MailConfig['tls'] {
  if (!word) return isLoopbackHost(host) ? 'if_offered' : 'required';
  const tls = TLS_WORDS[word];
  if (tls === undefined)
    throw new Error(`PAWL_SMTP_TLS is "${word}"; expected required, if-offered or never.`);
  return tls;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('PAWL_SMTP_URL has a user or password that is not percent-encoded as in an address.');
  }
}
