import { findCredential, type HotPool, type SealingKey, throughTrouble } from '@pawl/run-store/work';
import { PermanentError } from '@pawl/tool-sdk';

export interface SecretsParts {
  readonly pool: HotPool;
  /** Undefined: this worker cannot open credentials. */
  readonly sealingKey: SealingKey | undefined;
  /** Secrets of the environment, by name; the same for every workspace. */
  readonly fromEnvironment: Readonly<Record<string, string>>;
  /** Told of each value that was opened, so that the log does not show it. */
  hide(value: string): void;
}

/** Where calls find secrets: the credentials of their workspace first, then the environment of this worker. */
export class Secrets {
  readonly #parts: SecretsParts;

  constructor(parts: SecretsParts) {
    this.#parts = parts;
  }

  /** @throws {PermanentError} `secret_unreadable` */
  async read(workspaceId: string, name: string): Promise<string | undefined> {
    const { fromEnvironment } = this.#parts;
    const own = await this.credential(workspaceId, name);
    return own ?? (Object.hasOwn(fromEnvironment, name) ? fromEnvironment[name] : undefined);
  }

  /**
   * A credential of the workspace, looked up each time, so that one that was removed is not used any more; undefined when it has none.
   *
   * @throws {PermanentError} `secret_unreadable` when this worker cannot open it: using the environment in its place would send another
   *         secret than people see set
   */
  async credential(workspaceId: string, name: string): Promise<string | undefined> {
    const { pool, sealingKey, hide } = this.#parts;
    const sealed = await throughTrouble(() => findCredential(pool, workspaceId, name));
    if (!sealed) return undefined;
    const value = sealingKey?.open(sealed, { workspaceId, name });
    if (value === undefined) throw unreadable(name, sealingKey !== undefined);
    hide(value);
    return value;
  }
}

const unreadable = (name: string, hasKey: boolean): PermanentError =>
  new PermanentError({
    code: 'secret_unreadable',
    message: hasKey
      ? `The credential ${name} was set under another PAWL_SECRET_KEY than this worker has. Give workers and engine the same key, or set the credential again.`
      : `The credential ${name} cannot be read: this worker has no PAWL_SECRET_KEY. Start it with that of the engine.`,
  });
