import { Readable } from 'node:stream';
import { type Delta, STREAM_EVENTS } from '@pawl/api';
import type { RecordedEvent } from '@pawl/dag-core';
import type { LiveMessage } from './live-bus.ts';

/** A page of a journal, as the store gives it. */
export interface JournalPage {
  readonly events: readonly RecordedEvent[];
  readonly ended: boolean;
}

export interface EventStreamOptions {
  /** The first page, already read (so that an unknown run was a 404), and the place it was read after. */
  readonly first: JournalPage;
  readonly after: number;
  /** Reads the next page; undefined when the run is gone (its journal was dropped). */
  readonly read: (after: number) => Promise<JournalPage | undefined>;
  readonly subscribe: (listener: (message: LiveMessage) => void) => () => void;
  readonly keepAliveMs: number;
  readonly rereadMs: number;
  /** A read failed. The stream goes on: it reads again at the next wake-up or re-read. */
  readonly onTrouble: (error: unknown) => void;
  readonly onClose: () => void;
}

/**
 * The event stream of a run, as bytes. Rules kept here:
 * - every event from the journal, in order, once, with its seq as `id:`; wake-ups only say that reading is worth while;
 * - nothing is read ahead of a slow reader, and deltas of a slow reader are dropped;
 * - `end` comes after the last event of a finished run, and nothing after it.
 */
export function openEventStream(options: EventStreamOptions): Readable {
  let last = options.after;
  let isReading = false;
  let isWoken = false;
  let isFull = false;
  let isOver = false;

  const stream = new Readable({
    highWaterMark: 256 * 1024,
    read() {
      const wasFull = isFull;
      isFull = false;
      if (wasFull) void catchUp();
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
    clearInterval(reread);
    unsubscribe();
    options.onClose();
  };

  function take({ events, ended }: JournalPage): void {
    for (const event of events) {
      if (event.seq <= last) continue;
      last = event.seq;
      write(journalFrame(event));
    }
    if (!ended || isOver) return;
    write(END_FRAME);
    stop();
    stream.push(null);
  }

  async function catchUp(): Promise<void> {
    isWoken = true;
    if (isReading) return;
    isReading = true;
    try {
      while (isWoken && !isFull && !isOver) {
        isWoken = false;
        const page = await options.read(last);
        if (isOver) return;
        if (page === undefined) return finishGone();
        take(page);
        // A page may be short without being the last: only an empty one says that there is no more.
        if (page.events.length > 0) isWoken = true;
      }
    } catch (error) {
      options.onTrouble(error);
    } finally {
      isReading = false;
    }
  }

  function finishGone(): void {
    stop();
    stream.push(null);
  }

  const keepAlive = setInterval(() => {
    if (!isFull) write(KEEP_ALIVE_FRAME);
  }, options.keepAliveMs);
  const reread = setInterval(() => void catchUp(), options.rereadMs);
  const unsubscribe = options.subscribe((message) => {
    if (message.kind === 'grew') void catchUp();
    else if (!isFull) write(deltaFrame(message.delta));
  });
  write(OPENING_FRAME);
  take(options.first);
  // What came between the first page and the subscription.
  void catchUp();
  return stream;
}

/** Clients of the browser's own kind come back after a second. */
const OPENING_FRAME = 'retry: 1000\n\n';
const KEEP_ALIVE_FRAME = ': keep-alive\n\n';
const END_FRAME = `event: ${STREAM_EVENTS.end}\ndata: {}\n\n`;
// JSON text holds no line ends, so one data line is enough; lone surrogates leave JSON.stringify as escapes.
const journalFrame = (event: RecordedEvent): string =>
  `id: ${event.seq}\nevent: ${STREAM_EVENTS.journal}\ndata: ${JSON.stringify(event)}\n\n`;
const deltaFrame = (delta: Delta): string =>
  `event: ${STREAM_EVENTS.delta}\ndata: ${JSON.stringify(delta)}\n\n`;
