import {
  defineTool,
  NotAppliedError,
  PermanentError,
  type Tool,
  type ToolContext,
  ToolInputError,
} from '@pawl/tool-sdk';
import { z } from 'zod';
import { artifactReference } from '../artifact-reference.ts';
import { decodeContent } from '../content.ts';
import { readArtifact } from '../read-artifact.ts';
import { asMailbox, asMailboxes, type Mailbox, mailbox, mailboxes, readMailbox } from './addresses.ts';
import { composeMail, type MailParts, messageIdOf } from './compose.ts';
import type { MailConfig } from './config.ts';
import { deliver } from './deliver.ts';

const MAX_RECIPIENTS = 100;
/** Of the whole message, as most servers take it. */
const MAX_BYTES = 25 * 1024 * 1024;

const line = z
  .string()
  .max(900)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be one line of text');
const messageId = z
  .string()
  .max(900)
  .regex(/^<[^<>\s@]+@[^<>\s@]+>$/, 'must be a message id, such as <x@example.com>');
const input = z
  .strictObject({
    to: mailboxes.optional(),
    cc: mailboxes.optional(),
    bcc: mailboxes.optional().describe('Others do not see them.'),
    from: mailbox.optional().describe('Default: the sender of the configuration.'),
    replyTo: mailboxes.optional(),
    subject: line,
    text: z.string().optional(),
    html: z.string().optional(),
    attachments: z
      .array(z.strictObject({ artifact: artifactReference, name: line.min(1).max(200).optional() }))
      .max(50)
      .default([]),
    inReplyTo: messageId.optional(),
    references: z.array(messageId).max(50).default([]),
    headers: z
      .record(z.string().regex(/^(X|List)-[A-Za-z0-9-]+$/i, 'must begin with X- or List-'), line)
      .default({}),
  })
  .refine(({ text, html }) => text !== undefined || html !== undefined, {
    message: 'give text, html or both',
  });
type Args = z.output<typeof input>;

/** `mail.send@1`: one mail through the configured SMTP server. */
export const mailSend = (config: MailConfig | undefined): Tool =>
  defineTool({
    name: 'mail.send',
    version: '1',
    title: 'Send a mail',
    description:
      'Sends one mail through the SMTP server of the configuration. Its Message-ID follows from the key of the effect, so that it can be looked for.',
    effect: 'non_repeatable',
    input,
    output: z.strictObject({
      messageId: z.string(),
      accepted: z.array(z.string()),
      rejected: z.array(z.strictObject({ address: z.string(), reason: z.string() })),
      response: z.string().describe('What the server said when it took the mail.'),
      serverMessageId: z.string().optional().describe('Where the server gave it another one.'),
    }),
    async execute(ctx, args) {
      if (config === undefined) throw notConfigured();
      const mail = await composeMail(await partsOf(ctx, args, config), ctx.idempotencyKey, ctx.now());
      if (mail.message.byteLength > MAX_BYTES) throw tooLarge(mail.message.byteLength);
      const { accepted, rejected, ...rest } = await deliver(mail, config, ctx.signal);
      return {
        messageId: mail.messageId,
        accepted: [...accepted],
        rejected: rejected.map((each) => ({ ...each })),
        ...rest,
      };
    },
    /** No mail server can be asked; but whoever looks for the mail is told what for. */
    probe(_ctx, args, key) {
      if (config === undefined) return { answer: 'unknown', reason: 'No mail server is configured here.' };
      const from = senderOf(args, config);
      const id =
        from === undefined
          ? ''
          : ` Look in its log, or in the mailbox of a recipient, for Message-ID ${messageIdOf(key, from.address)}.`;
      return { answer: 'unknown', reason: `A mail server cannot be asked what it has taken.${id}` };
    },
    resources: ({ to, cc, bcc }) => ({
      writes: [to, cc, bcc].flatMap(asMailboxes).map(({ address }) => `mail:${address.toLowerCase()}`),
    }),
  });

const senderOf = (args: Args, { from }: MailConfig): Mailbox | undefined =>
  args.from !== undefined ? asMailbox(args.from) : from === undefined ? undefined : readMailbox(from);

async function partsOf(ctx: ToolContext, args: Args, config: MailConfig): Promise<MailParts> {
  const [to, cc, bcc] = [args.to, args.cc, args.bcc].map(asMailboxes) as [Mailbox[], Mailbox[], Mailbox[]];
  const count = to.length + cc.length + bcc.length;
  if (count === 0 || count > MAX_RECIPIENTS)
    throw invalid('/to', `must name from 1 to ${MAX_RECIPIENTS} recipients with cc and bcc`);
  const from = senderOf(args, config);
  if (from === undefined)
    throw invalid('/from', 'is missing, and the configuration names no sender (PAWL_MAIL_FROM)');
  for (const field of ['text', 'html'] as const) decodeContent(args[field] ?? '', 'utf8', `/${field}`);
  const attachments: MailParts['attachments'][number][] = [];
  let left = MAX_BYTES;
  for (const { artifact, name } of args.attachments) {
    const content = await readArtifact(ctx, artifact, left);
    left -= content.byteLength;
    attachments.push({
      filename: fileName(name ?? artifact.name ?? ''),
      content,
      contentType: artifact.mediaType ?? 'application/octet-stream',
    });
  }
  const { subject, text, html, inReplyTo, references, headers } = args;
  return {
    from,
    to,
    cc,
    bcc,
    replyTo: asMailboxes(args.replyTo),
    subject,
    text,
    html,
    inReplyTo,
    references,
    headers,
    attachments,
  };
}

/** A name and never a path. */
const fileName = (name: string): string =>
  name
    .split(/[/\\]/)
    .at(-1)!
    .replaceAll(/\p{Cc}/gu, '')
    .trim() || 'attachment';

const invalid = (pointer: string, message: string): ToolInputError =>
  new ToolInputError({
    message: `The mail cannot be sent: ${pointer} ${message}.`,
    issues: [{ pointer, message }],
  });

const notConfigured = (): NotAppliedError =>
  new NotAppliedError({
    code: 'mail_not_configured',
    message:
      'There is no mail server here. Set PAWL_SMTP_URL of the workers, for instance smtp://user:password@mail.example.com:587.',
    retry: 'never',
  });

const tooLarge = (bytes: number): PermanentError =>
  new PermanentError({
    code: 'mail_too_large',
    message: `The mail has ${bytes} bytes with its attachments; at most ${MAX_BYTES} are sent. Attach less, or send a link.`,
    detail: { bytes, limit: MAX_BYTES },
  });
