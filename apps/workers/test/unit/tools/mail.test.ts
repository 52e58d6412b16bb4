// Which mistake would this catch? A mail that is sent twice, a doubt that is not shown, a line that becomes a header, an
// address that means somebody else, a password in the clear.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { AttemptAbort, type Json, leavesDoubt } from '@pawl/tool-sdk';
import { assertToolContract } from '@pawl/tool-sdk/testing';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { type MailConfig, readMailConfig } from '../../../src/tools/mail/config.ts';
import { mailSend } from '../../../src/tools/mail/mail-send.ts';
import { LOCALHOST_CERTIFICATE, LOCALHOST_KEY } from '../../support/localhost-certificate.ts';
import { type Ran, run } from '../../support/real-context.ts';
import { type ScriptedSmtp, type SmtpScript, startScriptedSmtp } from '../../support/scripted-smtp.ts';

interface Taken {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly user: string | undefined;
  readonly secure: boolean;
}
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** A real mail server that keeps what it takes. */
async function startServer(options: SMTPServerOptions = {}): Promise<{ port: number; taken: Taken[] }> {
  const taken: Taken[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    key: LOCALHOST_KEY,
    cert: LOCALHOST_CERTIFICATE,
    onAuth: ({ username, password }, _session, done) =>
      done(password === 'pass:word' ? null : new Error('wrong'), { user: username }),
    onData(stream, session, done) {
      buffer(stream).then((bytes) => {
        const { mailFrom, rcptTo } = session.envelope;
        taken.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: bytes.toString(),
          user: session.user as string | undefined,
          secure: session.secure,
        });
        done(null, 'taken as 42');
      }, done);
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  closers.push(() => new Promise((resolve) => server.close(() => resolve(undefined))));
  return { port: (listener.address() as AddressInfo).port, taken };
}

const scripted = async (script: SmtpScript): Promise<ScriptedSmtp> => {
  const server = await startScriptedSmtp(script);
  closers.push(() => server.close());
  return server;
};
const through = (port: number, more: Partial<MailConfig> = {}) =>
  mailSend({
    host: '127.0.0.1',
    port,
    tls: 'if_offered',
    from: 'Shop <shop@shop.example>',
    ca: LOCALHOST_CERTIFICATE,
    ...more,
  });
const letter = { to: 'ana@example.com', subject: 'Hello', text: 'Hi Ana' };
const done = (ran: Ran): Record<string, Json> => {
  if ('failure' in ran) throw new Error(`${ran.failure.code}: ${ran.failure.message}`);
  return ran.output as Record<string, Json>;
};
const failure = (ran: Ran) => {
  if ('output' in ran) throw new Error(`it succeeded: ${JSON.stringify(ran.output)}`);
  return { ...ran.failure, doubt: leavesDoubt(ran.failure) };
};
const idOf = (key: string, domain: string) =>
  `<pawl.${createHash('sha256').update(key).digest('hex').slice(0, 40)}@${domain}>`;
const headerOf = (text: string, name: string): string | undefined =>
  new RegExp(`^${name}: ((?:.|\\r\\n[ \\t])*)`, 'im').exec(text)?.[1]?.replaceAll(/\r\n\s/g, ' ');

describe('what is sent', () => {
  it('keeps the contract of its class', async () => {
    const { port } = await startServer();
    await assertToolContract(through(port), {
      args: letter,
      invalidArgs: [
        { to: 'ana@example.com', subject: 'x' },
        { ...letter, subject: 'a\nb' },
        { ...letter, to: 'nobody' },
      ],
    });
  });

  it('is a mail with names, copies, answers, both bodies and an id that follows from the key', async () => {
    const { port, taken } = await startServer();
    const ran = await run(
      through(port),
      {
        to: ['Ana Ruiz <ana@example.com>', { name: '李雷', address: 'li@例え.example' }],
        cc: 'bo@example.com',
        bcc: ['secret@example.com'],
        replyTo: 'help@shop.example',
        subject: 'Ihre Bestellung – 确认',
        text: 'Grüße\n.\nein Punkt',
        html: '<p>Grüße</p>',
        inReplyTo: '<before@shop.example>',
        headers: { 'X-Order': '7', 'List-Unsubscribe': '<https://shop.example/u>' },
      },
      { idempotencyKey: 'run:mail:0' },
    );
    const id = idOf('run:mail:0', 'shop.example');
    expect(done(ran)).toEqual({
      messageId: id,
      accepted: ['ana@example.com', 'li@xn--r8jz45g.example', 'bo@example.com', 'secret@example.com'],
      rejected: [],
      response: '250 2.0.0 taken as 42'.replace('2.0.0 ', ''),
    });
    const [mail] = taken;
    expect(mail).toMatchObject({
      from: 'shop@shop.example',
      to: expect.arrayContaining(['secret@example.com']),
    });
    expect(headerOf(mail!.text, 'Message-ID')).toBe(id);
    expect(headerOf(mail!.text, 'From')).toBe('Shop <shop@shop.example>');
    expect(headerOf(mail!.text, 'To')).toContain('Ana Ruiz <ana@example.com>');
    expect(headerOf(mail!.text, 'Date')).toBe('Thu, 01 Jan 2026 00:00:00 +0000');
    expect(headerOf(mail!.text, 'Auto-Submitted')).toBe('auto-generated');
    expect(headerOf(mail!.text, 'X-Order')).toBe('7');
    expect(headerOf(mail!.text, 'In-Reply-To')).toBe('<before@shop.example>');
    expect(mail!.text).not.toContain('secret@example.com');
    expect(mail!.text).toContain('multipart/alternative');
  });

  it('is the same, byte for byte, for the same key; another key is another mail', async () => {
    const { port, taken } = await startServer();
    for (const idempotencyKey of ['a', 'a', 'b'])
      done(await run(through(port), { ...letter, html: '<p>x</p>' }, { idempotencyKey }));
    expect(taken[0]!.text).toBe(taken[1]!.text);
    expect(headerOf(taken[2]!.text, 'Message-ID')).not.toBe(headerOf(taken[0]!.text, 'Message-ID'));
  });

  it('has attachments from artifacts, under a name that is no path', async () => {
    const { port, taken } = await startServer();
    const tool = through(port);
    const data = Buffer.from([0, 255, 13, 10, 46, 13, 10]);
    const artifact = {
      artifactId: 'a',
      name: '../../报告 "x".pdf',
      version: 1,
      mediaType: 'application/pdf',
      bytes: data.byteLength,
      hash: createHash('sha256').update(data).digest('hex'),
    };
    const held = { ...letter, attachments: [{ artifact }] };
    expect(failure(await run(tool, held)).message).toContain('artifact');
    const seen = await run(tool, held, { artifacts: [{ ref: artifact, data }] });
    done(seen);
    const { text } = taken[0]!;
    expect(text).toContain('Content-Type: application/pdf');
    expect(text).toContain(data.toString('base64'));
    expect(text).not.toContain('..%2F');
    expect(text).toMatch(/filename\*0\*=utf-8''%E6%8A%A5%E5%91%8A|filename="=\?UTF-8/);
  });

  it('when some recipients are refused, it goes to the others and says so', async () => {
    const { port, taken } = await startServer({
      onRcptTo: ({ address }, _session, next) =>
        next(
          address.startsWith('gone') ? Object.assign(new Error('no such user'), { responseCode: 550 }) : null,
        ),
    });
    expect(
      done(await run(through(port), { ...letter, to: ['ana@example.com', 'gone@example.com'] })),
    ).toMatchObject({
      accepted: ['ana@example.com'],
      rejected: [{ address: 'gone@example.com', reason: '550 no such user' }],
    });
    expect(taken).toHaveLength(1);
  });
});

describe('what is refused before anything is sent', () => {
  it.each<[string, Record<string, Json>]>([
    ['a subject of two lines', { subject: 'Hello\r\nBcc: everybody@example.com' }],
    ['a subject with a lone carriage return', { subject: 'Hello\rX: y' }],
    ['a name of two lines', { to: { name: 'Ana\r\nBcc: x@example.com', address: 'ana@example.com' } }],
    ['an address with a line break', { to: 'ana@example.com\r\nBcc: x@example.com' }],
    ['an address with a command', { to: 'ana@example.com>\r\nRCPT TO:<x@example.com' }],
    ['a quoted local part', { to: '"ana@evil.example x"@example.com' }],
    ['a comment', { to: 'ana(x@evil.example)@example.com' }],
    ['a list in one text', { to: 'ana@example.com, bo@example.com' }],
    ['a group', { to: 'all: ana@example.com;' }],
    ['two at signs', { to: 'ana@example.com@evil.example' }],
    ['a route', { to: '@evil.example:ana@example.com' }],
    ['a percent hack of spaces', { to: 'ana example.com' }],
    ['an empty local part', { to: '@example.com' }],
    ['dots in a row', { to: 'ana..ruiz@example.com' }],
    ['too long a local part', { to: `${'a'.repeat(65)}@example.com` }],
    ['a header of its own', { headers: { Bcc: 'x@example.com' } }],
    ['a header of two lines', { headers: { 'X-A': 'b\nBcc: x@example.com' } }],
    ['a message id that is none', { inReplyTo: '<a@b>\r\nX: y' }],
    ['no body', { text: null as never }],
  ])('%s', async (_case, more) => {
    const tool = through(1);
    expect(tool.parseInput({ ...letter, ...more }).ok).toBe(false);
  });

  it.each<[string, Record<string, Json>, string]>([
    ['nobody to send to', { to: [] }, '/to'],
    [
      'too many',
      {
        to: Array.from({ length: 60 }, (_, at) => `a${at}@x.example`),
        cc: Array.from({ length: 60 }, (_, at) => `b${at}@x.example`),
      },
      '/to',
    ],
    ['half an emoji', { text: 'a\ud83d' }, '/text'],
  ])('%s', async (_case, more, pointer) => {
    expect(failure(await run(through(1), { ...letter, ...more }))).toMatchObject({
      class: 'permanent',
      notApplied: true,
      message: expect.stringContaining(pointer),
    });
  });

  it('when no server or no sender is configured, it says what to set', async () => {
    expect(failure(await run(mailSend(undefined), letter))).toMatchObject({
      code: 'mail_not_configured',
      class: 'permanent',
      notApplied: true,
    });
    const { from: _, ...senderless } = { host: '127.0.0.1', port: 1, tls: 'never', from: '' } as const;
    expect(failure(await run(mailSend(senderless), letter)).message).toContain('PAWL_MAIL_FROM');
  });

  it('when it is larger than servers take, it is not sent', async () => {
    const { port } = await startServer();
    expect(
      failure(await run(through(port), { ...letter, text: 'x'.repeat(26 * 1024 * 1024) })),
    ).toMatchObject({ code: 'mail_too_large' });
    const small = await startServer({ size: 1_000 });
    expect(failure(await run(through(small.port), { ...letter, text: 'word '.repeat(1_000) }))).toMatchObject(
      {
        code: 'mail_too_large',
        class: 'permanent',
        notApplied: true,
      },
    );
  });
});

describe('M1, M2: what is proven not to have been sent', () => {
  it.each<[string, SmtpScript, string, 'transient' | 'permanent']>([
    ['a greeting that refuses for now', { greeting: '421 too busy' }, 'mail_server_unavailable', 'transient'],
    [
      'a greeting that refuses for good',
      { greeting: '554 no service' },
      'mail_server_unavailable',
      'permanent',
    ],
    ['a cut before the greeting', { greeting: 'cut' }, 'mail_server_unreachable', 'transient'],
    ['a sender that is refused', { mail: '550 not you' }, 'mail_refused', 'permanent'],
    ['a recipient that is refused', { rcpt: '550 nobody here' }, 'mail_refused', 'permanent'],
    ['a recipient that is put off', { rcpt: '450 greylisted' }, 'mail_refused', 'transient'],
    ['a cut after the recipient', { rcpt: 'cut' }, 'mail_server_unreachable', 'transient'],
    ['a refusal of DATA', { data: '451 not now' }, 'mail_refused', 'transient'],
    ['a cut instead of the answer to DATA', { data: 'cut' }, 'mail_server_unreachable', 'transient'],
    ['a message that is refused', { end: '554 looks like spam' }, 'mail_refused', 'permanent'],
    ['a message that is put off', { end: '451 try again' }, 'mail_refused', 'transient'],
    ['a goodbye in the middle of the message', { midway: '421 going down' }, 'mail_refused', 'transient'],
  ])('%s', async (_case, script, code, kind) => {
    const server = await scripted(script);
    expect(failure(await run(through(server.port), letter))).toMatchObject({
      code,
      class: kind,
      notApplied: true,
      doubt: false,
      detail: { messageId: idOf('test-key-1', 'shop.example') },
    });
  });

  it('when nobody listens', async () => {
    const server = await startScriptedSmtp();
    await server.close();
    expect(failure(await run(through(server.port), letter))).toMatchObject({
      code: 'mail_server_unreachable',
      class: 'transient',
      notApplied: true,
    });
  });

  it.each<SmtpScript>([{ greeting: 'silent' }, { rcpt: 'silent' }, { data: 'silent' }])(
    'when time runs out at %j',
    async (script) => {
      const server = await scripted(script);
      const controller = new AbortController();
      void server.reached.then(() => controller.abort(new AttemptAbort('timed_out', 'time is up')));
      expect(failure(await run(through(server.port), letter, { signal: controller.signal }))).toMatchObject({
        class: 'transient',
        notApplied: true,
        doubt: false,
      });
    },
  );
});

describe('M3 V5: what is open', () => {
  it.each<[string, SmtpScript, number]>([
    ['a cut in the middle of the message', { midway: 'cut' }, 0],
    ['a cut after the message, before the answer', { end: 'cut' }, 1],
  ])('%s', async (_case, script, messages) => {
    const server = await scripted(script);
    expect(failure(await run(through(server.port), letter))).toMatchObject({
      code: 'mail_answer_lost',
      class: 'transient',
      doubt: true,
      detail: { messageId: idOf('test-key-1', 'shop.example') },
    });
    expect(server.messages).toHaveLength(messages);
  });

  it('C13: time that runs out before the answer', async () => {
    const server = await scripted({ end: 'silent' });
    const controller = new AbortController();
    void server.reached.then(() => controller.abort(new AttemptAbort('timed_out', 'time is up')));
    expect(failure(await run(through(server.port), letter, { signal: controller.signal }))).toMatchObject({
      class: 'timed_out',
      doubt: true,
    });
    expect(server.messages).toHaveLength(1);
  });

  it('then the probe says what to look for', async () => {
    const tool = through(1);
    const parsed = tool.parseInput(letter);
    if (!parsed.ok) throw new Error('refused');
    expect(await tool.probe!({} as never, parsed.value, 'run:mail:0')).toEqual({
      answer: 'unknown',
      reason: expect.stringContaining(idOf('run:mail:0', 'shop.example')),
    });
  });

  it('a connection that breaks after the answer changes nothing', async () => {
    const server = await scripted({});
    expect(done(await run(through(server.port), letter)).response).toBe('250 2.0.0 taken as 42');
  });
});

describe('TLS and login', () => {
  it('when TLS is required, it is used, and the login goes through it', async () => {
    const { port, taken } = await startServer();
    const auth = { user: 'shop', password: 'pass:word' };
    done(await run(through(port, { tls: 'required', host: 'localhost', auth }), letter));
    expect(taken[0]).toMatchObject({ secure: true, user: 'shop' });
  });

  it('when TLS comes first, it does', async () => {
    const { port, taken } = await startServer({ secure: true });
    done(await run(through(port, { tls: 'implicit' }), letter));
    expect(taken[0]!.secure).toBe(true);
  });

  it('when TLS is required and the server has none, nothing is sent, no password either', async () => {
    const server = await scripted({});
    const auth = { user: 'shop', password: 'pass:word' };
    const failed = failure(await run(through(server.port, { tls: 'required', auth }), letter));
    expect(failed).toMatchObject({ code: 'mail_tls_failed', class: 'permanent', notApplied: true });
    expect(server.commands.filter((command) => /^(AUTH|MAIL)/.test(command))).toEqual([]);
  });

  it('when the certificate is not trusted, nothing is sent', async () => {
    const { port, taken } = await startServer();
    expect(failure(await run(through(port, { tls: 'required', ca: undefined }), letter))).toMatchObject({
      code: 'mail_tls_failed',
      class: 'permanent',
      notApplied: true,
    });
    expect(taken).toEqual([]);
  });

  it('when the password is wrong, it is not tried again, and does not show', async () => {
    const { port, taken } = await startServer();
    const auth = { user: 'shop', password: 'wr0ng-s3cr3t' };
    const failed = failure(await run(through(port, { auth }), letter));
    expect(failed).toMatchObject({ code: 'mail_login_refused', class: 'permanent', notApplied: true });
    expect(JSON.stringify(failed)).not.toContain('s3cr3t');
    expect(taken).toEqual([]);
  });
});

describe('the configuration', () => {
  it('reads the server from an address', () => {
    expect(readMailConfig({})).toBeUndefined();
    expect(
      readMailConfig({
        PAWL_SMTP_URL: 'smtp://a%40b:p%3Aw@mail.example.com',
        PAWL_MAIL_FROM: 'Shop <s@b.example>',
      }),
    ).toEqual({
      host: 'mail.example.com',
      port: 587,
      tls: 'required',
      auth: { user: 'a@b', password: 'p:w' },
      from: 'Shop <s@b.example>',
    });
    expect(readMailConfig({ PAWL_SMTP_URL: 'smtps://mail.example.com' })).toMatchObject({
      port: 465,
      tls: 'implicit',
    });
    expect(readMailConfig({ PAWL_SMTP_URL: 'smtp://127.0.0.1:1025' })).toMatchObject({
      port: 1025,
      tls: 'if_offered',
    });
    expect(readMailConfig({ PAWL_SMTP_URL: 'smtp://[::1]', PAWL_SMTP_TLS: 'never' })).toMatchObject({
      host: '::1',
      tls: 'never',
    });
  });

  it.each([
    [{ PAWL_SMTP_URL: 'mail.example.com' }, 'PAWL_SMTP_URL'],
    [{ PAWL_SMTP_URL: 'smtp://m.example', PAWL_SMTP_TLS: 'yes' }, 'PAWL_SMTP_TLS'],
    [{ PAWL_SMTP_URL: 'smtp://u:s3cr3t@m.example', PAWL_SMTP_TLS: 'if-offered' }, 'in the clear'],
    [{ PAWL_SMTP_URL: 'smtp://u:s3cr3t%@m.example' }, 'PAWL_SMTP_URL'],
    [{ PAWL_SMTP_URL: 'smtp://m.example', PAWL_MAIL_FROM: 'nobody' }, 'PAWL_MAIL_FROM'],
  ])('refuses %j, naming what is wrong and no password', (env, words) => {
    const read = () => readMailConfig(env);
    expect(read).toThrow(words);
    expect(read).not.toThrow('s3cr3t');
  });
});
