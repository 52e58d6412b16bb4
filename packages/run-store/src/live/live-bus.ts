import pg from 'pg';

// Wake-ups between processes: merged, off the write path, allowed to be lost. Whoever is woken reads the journal or the rows;
// a slow look of its own is the backstop. LISTEN/NOTIFY serves both queue backends, so there is one bus.

/** What a wake-up may say. */
export interface LiveMessage {
  /** Runs whose journal grew. */
  readonly runs?: readonly string[];
  /** Runs whose work is to be aborted. */
  readonly cancel?: readonly string[];
  /** The next timer is due at this instant, epoch milliseconds. */
  readonly wakeAt?: number;
  readonly progress?: readonly LiveProgress[];
  /** Text a model is writing: ephemeral, never recorded. */
  readonly deltas?: readonly {
    readonly runId: string;
    readonly path: string;
    readonly attempt: number;
    readonly text: string;
  }[];
}

/** How far a tool says it is: ephemeral, only the newest counts. */
export interface LiveProgress {
  readonly runId: string;
  readonly path: string;
  readonly attempt: number;
  readonly fraction: number;
  readonly note?: string;
}

const CHANNEL = 'pawl_live';
/** NOTIFY refuses payloads of 8,000 bytes or more. */
const MOST_BYTES = 7_900;
const MOST_RUNS = 180;
const MOST_PROGRESS = 8;
const MOST_NOTE = 80;

/** Sends and receives wake-ups on one connection of its own; reconnects by itself. */
export class LiveBus {
  readonly #url: string;
  readonly #onError: (error: Error) => void;
  readonly #listeners = new Set<(message: LiveMessage) => void>();
  #client: pg.Client | undefined;
  #isClosed = false;
  #runs = new Set<string>();
  #cancel = new Set<string>();
  #wakeAt = Number.POSITIVE_INFINITY;
  #deltas: NonNullable<LiveMessage['deltas']>[number][] = [];
  readonly #progress = new Map<string, LiveProgress>();
  #isSending = false;

  constructor(url: string, onError: (error: Error) => void) {
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

  timerSet(wakeAtMs: number): void {
    this.#wakeAt = Math.min(this.#wakeAt, wakeAtMs);
    this.#schedule();
  }

  progress(progress: LiveProgress): void {
    this.#progress.set(`${progress.runId} ${progress.path}`, {
      ...progress,
      note: progress.note?.slice(0, MOST_NOTE),
    });
    this.#schedule();
  }

  delta(runId: string, path: string, attempt: number, text: string): void {
    const last = this.#deltas.at(-1);
    if (last && last.runId === runId && last.path === path && last.attempt === attempt) {
      this.#deltas[this.#deltas.length - 1] = { ...last, text: last.text + text };
    } else this.#deltas.push({ runId, path, attempt, text });
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isSending || this.#isClosed) return;
    this.#isSending = true;
    setImmediate(() => void this.#send());
  }

  /** Everything that gathered while the last message was under way leaves as one. */
  async #send(): Promise<void> {
    try {
      for (let message = this.#take(); message; message = this.#take()) {
        if (!this.#client) return;
        await this.#client.query({
          name: 'notify',
          text: 'select pg_notify($1, $2)',
          values: [CHANNEL, JSON.stringify(message)],
        });
      }
    } catch (error) {
      this.#onError(error as Error);
    } finally {
      this.#isSending = false;
    }
  }

  #take(): LiveMessage | undefined {
    const deltas = this.#takeDeltas();
    const progress = [...this.#progress].slice(0, deltas.length > 0 ? 0 : MOST_PROGRESS);
    for (const [key] of progress) this.#progress.delete(key);
    if (
      this.#runs.size + this.#cancel.size + deltas.length + progress.length === 0 &&
      !Number.isFinite(this.#wakeAt)
    )
      return undefined;
    const runs = [...this.#runs].slice(0, deltas.length + progress.length > 0 ? 20 : MOST_RUNS);
    const cancel = [...this.#cancel].slice(0, 20);
    for (const runId of runs) this.#runs.delete(runId);
    for (const runId of cancel) this.#cancel.delete(runId);
    const message = {
      ...(runs.length > 0 && { runs }),
      ...(cancel.length > 0 && { cancel }),
      ...(Number.isFinite(this.#wakeAt) && { wakeAt: this.#wakeAt }),
      ...(deltas.length > 0 && { deltas }),
      ...(progress.length > 0 && { progress: progress.map(([, newest]) => newest) }),
    };
    this.#wakeAt = Number.POSITIVE_INFINITY;
    return message;
  }

  /** Deltas that fit; a text too long for one message is cut at a code point and the rest follows. */
  #takeDeltas(): NonNullable<LiveMessage['deltas']>[number][] {
    const taken: NonNullable<LiveMessage['deltas']>[number][] = [];
    let room = MOST_BYTES - 2_500;
    while (room > 200 && this.#deltas.length > 0) {
      const delta = this.#deltas[0]!;
      let text = delta.text.slice(0, Math.max(1, Math.floor(room / 6)));
      if (text.length < delta.text.length && /[\ud800-\udbff]$/.test(text))
        text = delta.text.slice(0, text.length + 1);
      taken.push({ ...delta, text });
      room -= JSON.stringify(text).length * 3 + 120;
      if (text.length < delta.text.length) {
        this.#deltas[0] = { ...delta, text: delta.text.slice(text.length) };
        break;
      }
      this.#deltas.shift();
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
    await client.query(`listen ${CHANNEL}`);
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
    if (!this.#isClosed) for (const listener of this.#listeners) listener({});
  }
}
