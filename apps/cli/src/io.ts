import { once } from 'node:events';
import pc from 'picocolors';
import { askSecret } from './ask-secret.ts';

export type Colours = ReturnType<typeof pc.createColors>;

/** Everything a command may touch of its process; tests hand in their own. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Writes bytes to standard output; resolves when there is room for more. */
  readonly outBytes: (bytes: Uint8Array) => Promise<void>;
  /** Standard output is a terminal that can redraw lines. */
  readonly isTerminal: boolean;
  readonly columns: () => number;
  readonly rows: () => number;
  readonly colours: Colours;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly now: () => number;
  readonly readStdin: () => Promise<string>;
  /** Standard input is a terminal, so that a person can be asked. */
  readonly isAsking: boolean;
  /** Asks a person without showing what is typed; where there is none, reads the first line of standard input. */
  readonly readSecret: (question: string) => Promise<string>;
  /** Standard input as it comes. */
  readonly stdinBytes: () => AsyncIterable<Uint8Array>;
  /** Aborts when the user interrupts (Ctrl-C). */
  readonly interrupted: AbortSignal;
}

/** The `Io` of this process. Colours on a terminal only, unless NO_COLOR or FORCE_COLOR say otherwise. */
export function processIo(interrupted: AbortSignal): Io {
  const { stdout, env } = process;
  const isTerminal = Boolean(stdout.isTTY) && env.TERM !== 'dumb';
  const wantsColour = env.NO_COLOR ? false : env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : isTerminal;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void process.stderr.write(text),
    outBytes: async (bytes) => {
      if (!stdout.write(bytes)) await once(stdout, 'drain');
    },
    isTerminal,
    columns: () => stdout.columns ?? 100,
    rows: () => stdout.rows ?? 40,
    colours: pc.createColors(wantsColour),
    env,
    cwd: process.cwd(),
    now: Date.now,
    readStdin,
    isAsking: Boolean(process.stdin.isTTY),
    readSecret: async (question) =>
      process.stdin.isTTY ? askSecret(question, process.stdin) : (await readStdin()).split(/\r?\n/, 1)[0]!,
    stdinBytes: () => process.stdin,
    interrupted,
  };
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
