import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mailbox } from './addresses.ts';

/** A mail in parts. Everything in it has been checked. */
export interface MailParts {
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly bcc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly subject: string;
  readonly text: string | undefined;
  readonly html: string | undefined;
  readonly inReplyTo: string | undefined;
  readonly references: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly {
    readonly filename: string;
    readonly content: Buffer;
    readonly contentType: string;
  }[];
}

/** A mail as it is handed over: who it is from and to, and its bytes. */
export interface ComposedMail {
  readonly messageId: string;
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly message: Buffer;
}

/**
 * The Message-ID of the effect with this key: the same for every attempt, and for whoever looks for the mail later.
 *
 * @param from the address of the sender, whose domain it carries
 */
export function messageIdOf(key: string, from: string): string {
  const domain = domainToASCII(from.slice(from.lastIndexOf('@') + 1));
  return `<pawl.${digest(key)}@${domain}>`;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40);

/**
 * The bytes of a mail. The same parts, key and instant give the same bytes. Blind copies are in the envelope only; nothing is
 * read from files or addresses.
 */
export async function composeMail(parts: MailParts, key: string, nowMs: number): Promise<ComposedMail> {
  const messageId = messageIdOf(key, parts.from.address);
  const { headers, references, ...rest } = parts;
  const node = new MailComposer({
    ...rest,
    to: [...parts.to],
    cc: [...parts.cc],
    bcc: [...parts.bcc],
    replyTo: [...parts.replyTo],
    references: [...references],
    attachments: [...parts.attachments],
    // Says to automatic answerers that nobody is there to be answered (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    messageId,
    date: new Date(nowMs),
    baseBoundary: digest(`${key} boundary`),
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const { from, to } = node.getEnvelope();
  return { messageId, envelope: { from: from || '', to }, message: await node.build() };
}
