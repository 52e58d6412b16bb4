import pc from 'picocolors';
import type { ExitCode } from '../../src/errors.ts';
import type { Io } from '../../src/io.ts';
import { runCli } from '../../src/run-cli.ts';
import { NOW } from './samples.ts';

export interface Ran {
  readonly exitCode: ExitCode;
  readonly out: string;
  readonly err: string;
}

export interface Surroundings {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly stdin?: string;
  readonly isTerminal?: boolean;
  readonly interrupted?: AbortSignal;
}

/** An `Io` that keeps what is printed (bytes as latin1); no terminal, no colours and the clock of the samples unless told otherwise. */
export function fakeIo(around: Surroundings = {}): { io: Io; printed: { out: string; err: string } } {
  const printed = { out: '', err: '' };
  const io: Io = {
    out: (text) => {
      printed.out += text;
    },
    err: (text) => {
      printed.err += text;
    },
    outBytes: async (bytes) => {
      printed.out += Buffer.from(bytes).toString('latin1');
    },
    isTerminal: around.isTerminal ?? false,
    columns: () => 100,
    rows: () => 40,
    colours: pc.createColors(false),
    env: around.env ?? {},
    cwd: around.cwd ?? '/',
    now: () => NOW,
    readStdin: async () => around.stdin ?? '',
    isAsking: false,
    readSecret: async () => (around.stdin ?? '').split('\n', 1)[0]!,
    async *stdinBytes() {
      yield Buffer.from(around.stdin ?? '');
    },
    interrupted: around.interrupted ?? new AbortController().signal,
  };
  return { io, printed };
}

/** Runs a command line in this process. */
export async function runPawl(words: readonly string[], around: Surroundings = {}): Promise<Ran> {
  const { io, printed } = fakeIo(around);
  const exitCode = await runCli(words, io);
  return { exitCode, ...printed };
}
