import type { Io } from '../io.ts';
import { openProgressView, type ProgressView, SILENT_VIEW } from '../watch/progress-view.ts';

/** What `pawl dev` shows: lines, and while a run is followed its progress below them. */
export interface DevScreen {
  /** A line for people; goes above the progress that is shown. */
  tell(line: string): void;
  /** Lends a view for a while. */
  withView<T>(work: (view: ProgressView) => Promise<T>): Promise<T>;
}

/** @param isSilent  for `--json`: nothing but the JSON is printed */
export function newScreen(io: Io, isSilent: boolean): DevScreen {
  let view: ProgressView | undefined;
  return {
    tell(line) {
      if (isSilent) return;
      if (view) view.note(line);
      else io.out(`${line}\n`);
    },
    async withView(work) {
      const lent = isSilent ? SILENT_VIEW : openProgressView(io);
      view = lent;
      try {
        return await work(lent);
      } finally {
        lent.end();
        view = undefined;
      }
    },
  };
}
