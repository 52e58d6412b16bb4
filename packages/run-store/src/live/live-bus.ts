import pg from 'pg';
import { Room } from './room.ts';

// Wake-ups between processes: merged, off the write path, allowed to be lost. Whoever is woken reads the journal or the rows;
// a slow look of its own is the backstop. LISTEN/NOTIFY serves both queue backends, so there is one bus.

/** What a wake-up may say. */
export interface LiveMessage {
  /** Runs whose journal grew. */
  readonly runs?: readonly string[];
  /** Runs whose work is to be aborted. */
  readonly cancel?: readonly string[];
  /** Lines that node runs stand in from now on: whoever has what they wait for may take them. */
  readonly lines?: readonly string[];
  /** Limits of calls were set, removed or paused. */
  readonly limits?: true;
  /** The next timer is due at this instant, epoch milliseconds. */
  readonly wakeAt?: number;
  /** Schedules were made or changed, or have something to do. */
  readonly schedules?: true;
  readonly progress?: readonly LiveProgress[];
  /** Text a model is writing: ephemeral, never recorded. */
  readonly deltas?: readonly LiveDelta[];
}

/** A piece of text; pieces of one attempt follow each other in order. */
export interface LiveDelta {
  readonly runId: string;
  readonly path: string;
  readonly attempt: number;
  /** UTF-16 units that the attempt wrote before it: its place in the text, whatever becomes of the other pieces. */
  readonly from: number;
  readonly text: string;
}

/** How far a tool says it is: ephemeral, only the newest counts. */
export interface LiveProgress {
  readonly runId: string;
  readonly path: string;
  readonly attempt: number;
  readonly fraction: number;
  readonly note?: string;
}

/** What those who follow runs and keep timers want to hear. */
const FOLLOWERS = 'pawl_live';
/** What workers want to hear: few messages, so that they need not read what every commit says. */
const WORKERS = 'pawl_work';

/** `work`: only what concerns workers. */
export type Hearing = 'everything' | 'work';
/** NOTIFY refuses payloads of 8,000 bytes or more. */
const MOST_BYTES = 7_900;
/** The names of the lists and the timer. */
const FRAME_BYTES = 120;
/** Runs that go before what is ephemeral. */
const FEW = 20;
/** Characters of a note. */
const MOST_NOTE = 80;

/** Sends and receives wake-ups on one connection of its own; reconnects by itself. */
export class LiveBus {
  readonly #url: string;
  readonly #onError: (error: Error) => void;
  readonly #hearing: Hearing;
  readonly #listeners = new Set<(message: LiveMessage) => void>();
  #client: pg.Client | undefined;
  #isClosed = false;
  #runs = new Set<string>();
  #cancel = new Set<string>();
  #lines = new Set<string>();
  #areLimitsChanged = false;
  #wakeAt = Number.POSITIVE_INFINITY;
  #areSchedulesChanged = false;
  #deltas: LiveDelta[] = [];
  readonly #progress = new Map<string, LiveProgress>();
  #isSending = false;

  constructor(url: string, onError: (error: Error) => void, hearing: Hearing = 'everything') {
    this.#hearing = hearing;
    this.#url = url;
    this.#onError = onError;
  }

  async open(): Promise<void> {
    await this.#connect();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end().catch(() => {});
  }

  subscribe(listener: (message: LiveMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  runsChanged(runIds: Iterable<string>): void {
    for (const runId of runIds) this.#runs.add(runId);
    this.#schedule();
  }

  cancelAsked(runId: string): void {
    this.#cancel.add(runId);
    this.#schedule();
  }

  lineJoined(key: string): void {
    this.#lines.add(key);
    this.#schedule();
  }

  limitsChanged(): void {
    this.#areLimitsChanged = true;
    this.#schedule();
  }

  timerSet(wakeAtMs: number): void {
    this.#wakeAt = Math.min(this.#wakeAt, wakeAtMs);
    this.#schedule();
  }

  schedulesChanged(): void {
    this.#areSchedulesChanged = true;
    this.#schedule();
  }

  /** Dropped while there is no connection, as deltas are: nobody reads them later. */
  progress(progress: LiveProgress): void {
    if (!this.#client) return;
    const note = progress.note === undefined ? undefined : [...progress.note].slice(0, MOST_NOTE).join('');
    this.#progress.set(`${progress.runId} ${progress.path}`, { ...progress, note });
    this.#schedule();
  }

  delta(delta: LiveDelta): void {
    if (!this.#client) return;
    const last = this.#deltas.at(-1);
    if (last && isNextTo(last, delta))
      this.#deltas[this.#deltas.length - 1] = { ...last, text: last.text + delta.text };
    else this.#deltas.push(delta);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isSending || this.#isClosed) return;
    this.#isSending = true;
    setImmediate(() => void this.#send());
  }

  /** Everything that gathered while the last message was under way leaves as one; without a connection it stays. */
  async #send(): Promise<void> {
    try {
      while (this.#client) {
        const forWorkers = this.#takeForWorkers();
        const message = forWorkers ?? this.#take();
        if (!message) break;
        await this.#client.query({
          name: 'notify',
          text: 'select pg_notify($1, $2)',
          values: [forWorkers ? WORKERS : FOLLOWERS, JSON.stringify(message)],
        });
      }
    } catch (error) {
      // Who closed it in the middle of a message expects nothing else.
      if (!this.#isClosed) this.#onError(error as Error);
    } finally {
      this.#isSending = false;
    }
  }

  #takeForWorkers(): LiveMessage | undefined {
    const room = new Room(MOST_BYTES - FRAME_BYTES);
    const cancel = takeFitting(this.#cancel, room);
    const lines = takeFitting(this.#lines, room);
    const areLimitsChanged = this.#areLimitsChanged;
    this.#areLimitsChanged = false;
    if (cancel.length + lines.length === 0 && !areLimitsChanged) return undefined;
    return {
      ...(cancel.length > 0 && { cancel }),
      ...(lines.length > 0 && { lines }),
      ...(areLimitsChanged && { limits: true as const }),
    };
  }

  /** As much as fits into one message: a few runs for certain, then what is ephemeral, then more runs. */
  #take(): LiveMessage | undefined {
    const room = new Room(MOST_BYTES - FRAME_BYTES);
    const runs = takeFitting(this.#runs, room, FEW);
    const deltas = this.#takeDeltas(room);
    const progress: LiveProgress[] = [];
    for (const [key, newest] of this.#progress) {
      if (!room.take(newest)) break;
      this.#progress.delete(key);
      progress.push(newest);
    }
    runs.push(...takeFitting(this.#runs, room));
    const isTimer = Number.isFinite(this.#wakeAt);
    const areSchedulesChanged = this.#areSchedulesChanged;
    if (runs.length + deltas.length + progress.length === 0 && !isTimer && !areSchedulesChanged)
      return undefined;
    const message = {
      ...(runs.length > 0 && { runs }),
      ...(isTimer && { wakeAt: this.#wakeAt }),
      ...(areSchedulesChanged && { schedules: true as const }),
      ...(deltas.length > 0 && { deltas }),
      ...(progress.length > 0 && { progress }),
    };
    this.#wakeAt = Number.POSITIVE_INFINITY;
    this.#areSchedulesChanged = false;
    return message;
  }

  /** Deltas that fit; of a text too long for one message as many characters as fit, and the rest follows. */
  #takeDeltas(room: Room): LiveDelta[] {
    const taken: LiveDelta[] = [];
    for (let delta = this.#deltas[0]; delta; delta = this.#deltas[0]) {
      if (room.take(delta)) {
        taken.push(delta);
        this.#deltas.shift();
        continue;
      }
      const text = room.startThatFits(delta.text, { ...delta, text: '' });
      if (text !== '') {
        taken.push({ ...delta, text });
        this.#deltas[0] = { ...delta, from: delta.from + text.length, text: delta.text.slice(text.length) };
      }
      break;
    }
    return taken;
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      application_name: 'pawl live',
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('The wake-up connection ended')));
    client.on('notification', ({ payload }) => {
      if (!payload) return;
      const message = JSON.parse(payload) as LiveMessage;
      for (const listener of this.#listeners) listener(message);
    });
    await client.connect();
    await client.query(`listen ${WORKERS}`);
    if (this.#hearing === 'everything') await client.query(`listen ${FOLLOWERS}`);
    this.#client = client;
  }

  #lost(client: pg.Client, error: Error): void {
    if (this.#client === client) this.#client = undefined;
    else if (this.#client !== undefined) return;
    if (this.#isClosed || this.#isReconnecting) return;
    this.#onError(error);
    void this.#reconnect();
  }

  #isReconnecting = false;

  async #reconnect(): Promise<void> {
    this.#isReconnecting = true;
    for (let waitMs = 100; !this.#isClosed; waitMs = Math.min(waitMs * 2, 2_000)) {
      try {
        await this.#connect();
        break;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, waitMs).unref());
      }
    }
    this.#isReconnecting = false;
    if (this.#isClosed) return;
    for (const listener of this.#listeners) listener({});
    this.#schedule();
  }
}

const isNextTo = (one: LiveDelta, next: LiveDelta): boolean =>
  one.runId === next.runId &&
  one.path === next.path &&
  one.attempt === next.attempt &&
  one.from + one.text.length === next.from;

/** Takes ids out of a set while they fit, at most `most`. */
function takeFitting(ids: Set<string>, room: Room, most = Number.POSITIVE_INFINITY): string[] {
  const taken: string[] = [];
  for (const id of ids) {
    if (taken.length >= most || !room.take(id)) break;
    taken.push(id);
    ids.delete(id);
  }
  return taken;
}
