import type { Doorbell } from '../../src/index.ts';

/** A doorbell with a path of its own. */
export function bell(path: string, runId = 'run-1'): Doorbell {
  return { runId, path };
}

/** `count` doorbells with paths `p0`, `p1`, … */
export function bells(count: number): Doorbell[] {
  return Array.from({ length: count }, (_, at) => bell(`p${at}`));
}

/** Records what a consumer heard and lets a test wait for it. */
export class Heard {
  readonly batches: Doorbell[][] = [];
  readonly #waiting: { ready: () => boolean; resolve: () => void }[] = [];

  /** To be used as `onBells`. */
  readonly onBells = async (batch: Doorbell[]): Promise<void> => {
    this.batches.push(batch);
    this.wake();
  };

  /** Paths in the order they came, doubles included. */
  get paths(): string[] {
    return this.batches.flat().map(({ path }) => path);
  }

  /** Resolves when each of the paths was heard at least once. */
  async all(paths: readonly string[]): Promise<void> {
    await this.until(() => {
      const heard = new Set(this.paths);
      return paths.every((path) => heard.has(path));
    });
  }

  /** Resolves when `ready` holds; asked after every batch. */
  until(ready: () => boolean): Promise<void> {
    if (ready()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ ready, resolve }));
  }

  /** For handlers of a test's own that have changed what somebody waits for. */
  wake(): void {
    for (const entry of this.#waiting.splice(0)) {
      if (entry.ready()) entry.resolve();
      else this.#waiting.push(entry);
    }
  }
}

/** A promise that a test opens by hand. */
export function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
