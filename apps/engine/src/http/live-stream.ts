import { Readable } from 'node:stream';
import { LIVE_EVENTS } from '@pawl/api';
import type { WorkspaceNews } from './workspace-watch.ts';

export interface LiveStreamOptions {
  readonly subscribe: (listener: (news: WorkspaceNews) => void) => () => void;
  /** Whether who listens still has access; asked before anything is said. */
  readonly isAllowed: () => Promise<boolean>;
  readonly keepAliveMs: number;
  readonly onTrouble: (error: unknown) => void;
  readonly onClose: () => void;
}

/**
 * What changes in a workspace, as bytes. Nothing of it is kept for a slow reader: what such a one misses it is told as `again`,
 * so that it reads again.
 */
export function openLiveStream(options: LiveStreamOptions): Readable {
  let waiting: WorkspaceNews[] = [];
  let isFull = false;
  let isBehind = false;
  let isSaying = false;
  let isOver = false;

  const stream = new Readable({
    highWaterMark: 256 * 1024,
    read() {
      isFull = false;
      if (isBehind) hear({ kind: 'again' });
    },
    destroy(error, done) {
      stop();
      done(error);
    },
  });
  const write = (frame: string): void => {
    if (!isOver) isFull = !stream.push(frame);
  };
  const stop = (): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(keepAlive);
    unsubscribe();
    options.onClose();
  };
  const end = (): void => {
    if (isOver) return;
    stop();
    stream.push(null);
  };

  function hear(news: WorkspaceNews): void {
    isBehind = isFull;
    if (isFull || isOver) return;
    waiting.push(news);
    void say();
  }

  async function say(): Promise<void> {
    if (isSaying) return;
    isSaying = true;
    try {
      while (waiting.length > 0 && !isOver) {
        const news = waiting;
        waiting = [];
        if (!(await options.isAllowed())) return end();
        write(news.map(frameOf).join(''));
      }
    } catch (error) {
      // Who listens connects again, and reads again then.
      options.onTrouble(error);
      end();
    } finally {
      isSaying = false;
    }
  }

  const keepAlive = setInterval(() => {
    if (!isFull) write(': keep-alive\n\n');
  }, options.keepAliveMs);
  const unsubscribe = options.subscribe(hear);
  write('retry: 1000\n\n');
  // Whoever connects may have missed something.
  hear({ kind: 'again' });
  return stream;
}

function frameOf(news: WorkspaceNews): string {
  const data = news.kind === 'run' ? news.run : news.kind === 'inbox' ? news.count : {};
  return `event: ${LIVE_EVENTS[news.kind]}\ndata: ${JSON.stringify(data)}\n\n`;
}
