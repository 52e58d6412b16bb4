import type { Io } from '../io.ts';

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_LINE_END = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** Lines at the end of the terminal that are redrawn in place. */
export interface LiveArea {
  /** Shows these lines instead of the ones before; in a single write, and only what differs, so that nothing flickers. */
  draw(lines: readonly string[]): void;
  /** Puts a line above the live ones, where it stays. */
  note(line: string): void;
  /** Leaves the lines as they are and gives the cursor back. */
  end(): void;
}

/** A live area on a terminal; the caller cuts lines to its width. */
export function openLiveArea(io: Io): LiveArea {
  let shown: readonly string[] = [];
  let isOpen = false;
  const restore = (): void => io.out(SHOW_CURSOR);
  return {
    draw(lines) {
      if (!isOpen) process.once('exit', restore);
      const up = shown.length > 0 ? `\u001b[${shown.length}A` : '';
      const text = lines
        .map((line, index) => (line === shown[index] ? '\n' : `\r${line}${CLEAR_LINE_END}\n`))
        .join('');
      io.out(`${isOpen ? '' : HIDE_CURSOR}${up}${text}${lines.length < shown.length ? CLEAR_BELOW : ''}`);
      isOpen = true;
      shown = [...lines];
    },
    note(line) {
      const lines = shown;
      const up = lines.length > 0 ? `\u001b[${lines.length}A\r${CLEAR_BELOW}` : '';
      io.out(`${up}${line}\n${lines.map((each) => `${each}\n`).join('')}`);
    },
    end() {
      if (!isOpen) return;
      process.removeListener('exit', restore);
      restore();
      isOpen = false;
      shown = [];
    },
  };
}
