import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail that the server took. */
export interface TakenMail {
  readonly to: readonly string[];
  readonly text: string;
}

export interface MailService {
  readonly port: number;
  readonly taken: readonly TakenMail[];
  /** The next mail is kept waiting before anything of it is taken: a server that is slow. */
  holdNextMail(): { readonly arrived: Promise<void>; release(): void };
  close(): Promise<void>;
}

/** Starts a mail server on a free port of this machine. It keeps mails in memory and knows nobody at `nowhere.example`. */
export async function startMailService(): Promise<MailService> {
  const taken: TakenMail[] = [];
  let held: { readonly until: Promise<void>; arrived(): void } | undefined;
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const hold = held;
      held = undefined;
      hold?.arrived();
      const answer = (): void =>
        done(
          address.endsWith('@nowhere.example')
            ? Object.assign(new Error(`Nobody is called ${address}.`), { responseCode: 550 })
            : null,
        );
      if (hold) hold.until.then(answer);
      else answer();
    },
    onData(stream, { envelope }, done) {
      text(stream).then((message) => {
        taken.push({ to: envelope.rcptTo.map(({ address }) => address), text: message });
        done();
      }, done);
    },
  });
  server.on('error', () => undefined);
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  return {
    port,
    taken,
    holdNextMail() {
      let release = (): void => undefined;
      const until = new Promise<void>((resolve) => {
        release = resolve;
      });
      const arrived = new Promise<void>((resolve) => {
        held = { until, arrived: resolve };
      });
      return { arrived, release };
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
