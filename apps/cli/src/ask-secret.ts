import type { ReadStream } from 'node:tty';
import { InterruptedError } from './errors.ts';

const ENTER = /[\r\n\u0004]/;
const CTRL_C = '\u0003';
const BACKSPACES: readonly string[] = ['\u007f', '\b'];

/** Asks on the terminal and shows nothing of what is typed. @throws {InterruptedError} on Ctrl-C */
export async function askSecret(question: string, terminal: ReadStream): Promise<string> {
  process.stderr.write(question);
  terminal.setRawMode(true);
  terminal.setEncoding('utf8');
  try {
    let typed: string[] = [];
    for await (const text of terminal.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
      for (const sign of text) {
        if (sign === CTRL_C) throw new InterruptedError();
        if (ENTER.test(sign)) return typed.join('');
        typed = BACKSPACES.includes(sign) ? typed.slice(0, -1) : [...typed, sign];
      }
    }
    return typed.join('');
  } finally {
    terminal.setRawMode(false);
    terminal.pause();
    process.stderr.write('\n');
  }
}
