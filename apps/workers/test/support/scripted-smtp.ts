import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** What the server does at one point: a reply of its own, or the connection is cut, or nothing at all. */
export type SmtpStep = string | 'cut' | 'silent';

/** Points at which a mail server may misbehave. */
export interface SmtpScript {
  readonly greeting?: SmtpStep | undefined;
  readonly mail?: SmtpStep | undefined;
  readonly rcpt?: SmtpStep | undefined;
  /** The reply to DATA itself. */
  readonly data?: SmtpStep | undefined;
  /** After the first bytes of the message, before its end. */
  readonly midway?: SmtpStep | undefined;
  /** The reply to the whole message. */
  readonly end?: SmtpStep | undefined;
}

/** A mail server that takes what it is given, word for word, and misbehaves where it is told to. */
export interface ScriptedSmtp {
  readonly port: number;
  /** Messages that came to their end. */
  readonly messages: readonly string[];
  readonly commands: readonly string[];
  /** Resolves when a message has come to its end, or the point of `midway` or a silence is reached. */
  readonly reached: Promise<void>;
  close(): Promise<void>;
}

/** @param script read anew at each point, so that a test may change it */
export async function startScriptedSmtp(script: SmtpScript = {}): Promise<ScriptedSmtp> {
  const messages: string[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const take = (socket: Socket, step: SmtpStep): void => {
    if (step === 'cut') socket.destroy();
    else if (step === 'silent') reach();
    else socket.write(`${step}\r\n`);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let input = '';
    let isMessage = false;
    take(socket, script.greeting ?? '220 ready');
    socket.on('data', (chunk) => {
      input += chunk.toString('latin1');
      for (;;) {
        if (isMessage) {
          if (script.midway !== undefined) {
            reach();
            return take(socket, script.midway);
          }
          const end = input.indexOf('\r\n.\r\n');
          if (end < 0) return;
          messages.push(input.slice(0, end));
          input = input.slice(end + 5);
          isMessage = false;
          reach();
          take(socket, script.end ?? '250 2.0.0 taken as 42');
          continue;
        }
        const end = input.indexOf('\r\n');
        if (end < 0) return;
        const command = input.slice(0, end);
        input = input.slice(end + 2);
        commands.push(command);
        const reply = replyTo(command, script);
        take(socket, reply);
        isMessage = /^data$/i.test(command) && /^[23]/.test(reply);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    messages,
    commands,
    reached,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function replyTo(command: string, { mail, rcpt, data }: SmtpScript): SmtpStep {
  const word = command.split(/[ :]/)[0]!.toUpperCase();
  if (word === 'MAIL') return mail ?? '250 ok';
  if (word === 'RCPT') return rcpt ?? '250 ok';
  if (word === 'DATA') return data ?? '354 go on';
  if (word === 'AUTH') return '235 welcome';
  if (word === 'STARTTLS') return '502 not here';
  return word === 'QUIT' ? '221 bye' : '250 localhost';
}
