// Rules kept here (V5), because a mail cannot be taken back and no server tells whether it has one:
// M1 Until the server has been given the first byte of the message, nothing was sent, whatever goes wrong: proof.
// M2 A refusal by the server, of the sender, of every recipient or of the message as a whole, is proof as well: a reply of 4xx or
//    5xx says that what was asked for did not happen (RFC 5321, section 4.2.1).
// M3 Everything else after the first byte leaves it open: a connection that breaks, time that runs out.
import { Readable } from 'node:stream';
import { type Json, NotAppliedError, TransientError } from '@pawl/tool-sdk';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { ComposedMail } from './compose.ts';
import type { MailConfig } from './config.ts';

/** What the server said when it took the mail. */
export interface Delivered {
  readonly accepted: readonly string[];
  readonly rejected: readonly { readonly address: string; readonly reason: string }[];
  readonly response: string;
  /** Where the server gave the mail another Message-ID and said so. */
  readonly serverMessageId?: string;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Silence of the server; the attempt usually ends before. */
const SILENCE_MS = 300_000;

/** What the mail library tells of an error. */
interface SmtpError extends Error {
  readonly code?: string;
  /** The code of the system or of TLS, where `code` is the library's. */
  readonly originalCode?: string;
  readonly responseCode?: number;
  readonly command?: string;
  readonly rejectedErrors?: readonly SmtpError[];
  readonly recipient?: string;
  readonly response?: string;
}

/**
 * Hands one mail to the server.
 *
 * @throws {NotAppliedError} when it is proven that the server does not have it (M1, M2)
 * @throws {TransientError} when it is open (M3); the reason of `signal` when it is open after an abort
 */
export async function deliver(
  mail: ComposedMail,
  config: MailConfig,
  signal: AbortSignal,
): Promise<Delivered> {
  signal.throwIfAborted();
  const connection = new SMTPConnection({ ...optionsOf(config), logger: false });
  // Errors are told by the step that is under way; the event alone would end the process.
  connection.on('error', () => undefined);
  let hasBegun = false;
  const message = new Readable({
    read() {
      hasBegun = true;
      this.push(mail.message);
      this.push(null);
    },
  });
  const aborted = whenAborted(signal);
  try {
    await Promise.race([aborted.promise, connect(connection)]);
    if (config.auth) await Promise.race([aborted.promise, logIn(connection, config.auth)]);
    return await Promise.race([aborted.promise, send(connection, mail, message)]);
  } catch (error) {
    throw explain(error as SmtpError, mail, hasBegun, signal);
  } finally {
    aborted.forget();
    // Nothing waits for the goodbye: the mail is with the server or it is not.
    if (signal.aborted) connection.close();
    else connection.quit();
  }
}

function optionsOf({ host, port, tls, ca }: MailConfig): ConstructorParameters<typeof SMTPConnection>[0] {
  return {
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'never',
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_MS,
    tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
  };
}

const connect = (connection: SMTPConnection): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.once('error', reject);
    connection.connect((error) => (error ? reject(error) : resolve()));
  });

const logIn = (connection: SMTPConnection, auth: NonNullable<MailConfig['auth']>): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.once('error', reject);
    connection.login({ user: auth.user, pass: auth.password }, (error) =>
      error ? reject(error) : resolve(),
    );
  });

const send = (connection: SMTPConnection, mail: ComposedMail, message: Readable): Promise<Delivered> =>
  new Promise((resolve, reject) => {
    const envelope = { from: mail.envelope.from, to: [...mail.envelope.to], size: mail.message.byteLength };
    connection.send(envelope, message, (error, info) => {
      if (error || !info) return reject(error ?? new Error('The mail server gave no answer.'));
      const { accepted, response, serverMessageId, rejectedErrors = [] } = info;
      resolve({
        accepted,
        rejected: (rejectedErrors as readonly SmtpError[]).map(({ recipient, response: reason }) => ({
          address: recipient ?? '',
          reason: reason ?? '',
        })),
        response,
        ...(serverMessageId !== undefined && { serverMessageId }),
      });
    });
  });

function whenAborted(signal: AbortSignal): { readonly promise: Promise<never>; forget(): void } {
  let abort = (): void => undefined;
  const promise = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  promise.catch(() => undefined);
  return { promise, forget: () => signal.removeEventListener('abort', abort) };
}

function explain(
  error: SmtpError,
  { messageId }: ComposedMail,
  hasBegun: boolean,
  signal: AbortSignal,
): unknown {
  const { responseCode, command } = error;
  const detail: Json = { messageId, ...(responseCode !== undefined && { reply: responseCode }) };
  const isRefused = hasBegun && command === 'DATA' && error.code === 'EMESSAGE' && responseCode !== undefined;
  if (hasBegun && !isRefused) {
    if (signal.aborted) return signal.reason;
    return new TransientError({
      code: 'mail_answer_lost',
      message: `The mail server had begun to take the mail ${messageId} when this happened: ${error.message}. Whether it has it is open.`,
      detail,
      cause: error,
    });
  }
  const retry = isFinal(error) ? 'never' : 'later';
  const problem = signal.aborted ? 'the attempt was ended' : error.message;
  return new NotAppliedError({
    code: codeOf(error, isRefused),
    message: `The mail was not sent: ${problem}.`,
    retry,
    detail,
    cause: error,
  });
}

/** A reply of the 5xx kind, a login or a certificate that was refused, or a mail that is too large: another try meets the same. */
const isFinal = ({ responseCode, code, originalCode }: SmtpError): boolean => {
  if (responseCode !== undefined) return responseCode >= 500;
  if (code === 'EMESSAGE' || code === 'EENVELOPE' || code === 'EAUTH' || code === 'ETLS') return true;
  return /CERT|SELF_SIGNED/.test(originalCode ?? '');
};

function codeOf({ code, responseCode, originalCode }: SmtpError, isRefused: boolean): string {
  if (isRefused) return 'mail_refused';
  if (/CERT|SELF_SIGNED/.test(originalCode ?? '') || code === 'ETLS') return 'mail_tls_failed';
  if (code === 'EAUTH') return 'mail_login_refused';
  if (code === 'EMESSAGE') return 'mail_too_large';
  if (code === 'EENVELOPE') return 'mail_refused';
  return responseCode === undefined ? 'mail_server_unreachable' : 'mail_server_unavailable';
}
