import type { FlowDocument } from '@pawl/dag-core';

/** `edited`: waits for a pause to save. `refused`: the server will never take it as it is. */
export type SavePhase = 'saved' | 'edited' | 'saving' | 'offline' | 'conflict' | 'refused';

/** A draft as the server knows it. */
export interface Draft {
  readonly revision: number;
  readonly document: FlowDocument;
}

/** What is kept in the browser until the server has it, so that a crash of the tab loses nothing. */
export interface LocalCopy extends Draft {
  /** What the edits are based on: the draft at `revision`. */
  readonly base: FlowDocument;
}

export interface SaveState {
  readonly phase: SavePhase;
  /** In a conflict: the draft of somebody else, and what both are based on. */
  readonly conflict?: { readonly base: FlowDocument; readonly theirs: Draft };
  /** Why it was refused. */
  readonly problem?: string;
}

/** What saving needs of the world. */
export interface SaveDoors {
  save(document: FlowDocument, revision: number): Promise<Draft>;
  load(): Promise<Draft>;
  keep(copy: LocalCopy): void;
  forget(): void;
  /** Calls back later; gives what calls it off. */
  later(ms: number, call: () => void): () => void;
}

/** Nobody answered, or nobody is signed in at the moment: the same edits can be saved later. */
const isPassing = (code: string | undefined): boolean =>
  ['engine_unreachable', 'reply_unexpected', 'session_ended', 'api_key_missing'].includes(code ?? '');

const PAUSE_MS = 800;
const OFFLINE_MS = 5_000;

/**
 * Saves the draft of one flow, one revision after the other: what it sends names the revision that it is based on, so a tab that
 * is behind is refused and never overwrites.
 */
export class DraftSaver {
  readonly #doors: SaveDoors;
  readonly #listeners = new Set<() => void>();
  #base: Draft;
  #document: FlowDocument;
  #state: SaveState = { phase: 'saved' };
  #callOff: (() => void) | undefined;
  #isSending = false;
  #isOver = false;

  constructor(base: Draft, doors: SaveDoors) {
    this.#base = base;
    this.#document = base.document;
    this.#doors = doors;
  }

  readonly state = (): SaveState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The document as it is now. */
  edit(document: FlowDocument): void {
    if (document === this.#document) return;
    this.#document = document;
    if (document === this.#base.document && !this.#isSending && this.#state.phase !== 'conflict') {
      this.#settle();
      return;
    }
    this.#doors.keep({ revision: this.#base.revision, base: this.#base.document, document });
    if (this.#state.phase === 'conflict') return;
    if (!this.#isSending) this.#become({ phase: this.#state.phase === 'offline' ? 'offline' : 'edited' });
    this.#wait(PAUSE_MS);
  }

  /** Saves at once what is not saved: before a publish, when the tab is hidden, when the network is back. */
  async flush(): Promise<void> {
    this.#callOff?.();
    this.#callOff = undefined;
    if (this.#isSending || this.#isOver || this.#state.phase === 'conflict') return;
    if (this.#document === this.#base.document) return this.#settle();
    this.#isSending = true;
    const sent = this.#document;
    if (this.#state.phase !== 'offline') this.#become({ phase: 'saving' });
    try {
      const { revision } = await this.#doors.save(sent, this.#base.revision);
      this.#isSending = false;
      this.#base = { revision, document: sent };
      await this.#goOn();
    } catch (error) {
      this.#isSending = false;
      await this.#failed(error as { code?: string; message: string });
    }
  }

  /** Takes what somebody else saved, when there is nothing to lose here. Undefined: there is nothing new. */
  async refresh(): Promise<FlowDocument | undefined> {
    if (this.#isSending || this.#state.phase !== 'saved') return undefined;
    const draft = await this.#doors.load();
    const isStill = !this.#isSending && this.#document === this.#base.document;
    if (!isStill || draft.revision <= this.#base.revision) return undefined;
    this.#base = draft;
    this.#document = draft.document;
    return draft.document;
  }

  /** Ends a conflict with the document that was chosen; it is saved over theirs, which it was made from. */
  settleConflict(document: FlowDocument): void {
    const { conflict } = this.#state;
    if (!conflict) return;
    this.#base = conflict.theirs;
    this.#document = document;
    this.#become({ phase: 'edited' });
    if (document === conflict.theirs.document) this.#settle();
    else {
      this.#doors.keep({ revision: this.#base.revision, base: this.#base.document, document });
      void this.flush();
    }
  }

  /** Begins with edits that an earlier tab could not save. */
  restore({ base, document, revision }: LocalCopy): void {
    this.#document = document;
    if (revision === this.#base.revision) {
      this.#become({ phase: 'edited' });
      this.#wait(PAUSE_MS);
    } else this.#become({ phase: 'conflict', conflict: { base, theirs: this.#base } });
  }

  /** The screen is left; what is not saved is sent, and stays in the browser if it does not arrive. */
  stop(): void {
    void this.flush();
    this.#isOver = true;
    this.#callOff?.();
  }

  async #goOn(): Promise<void> {
    if (this.#document === this.#base.document) return this.#settle();
    this.#doors.keep({
      revision: this.#base.revision,
      base: this.#base.document,
      document: this.#document,
    });
    this.#become({ phase: 'edited' });
    this.#wait(PAUSE_MS);
  }

  async #failed(error: { readonly code?: string; readonly message: string }): Promise<void> {
    if (error.code === 'draft_conflict') {
      try {
        return this.#meet(await this.#doors.load());
      } catch {
        // Not told now what theirs is: asked again like after any lost connection.
      }
    } else if (!isPassing(error.code)) return this.#become({ phase: 'refused', problem: error.message });
    this.#become({ phase: 'offline' });
    this.#wait(OFFLINE_MS);
  }

  #meet(theirs: Draft): void {
    const isSame = JSON.stringify(theirs.document) === JSON.stringify(this.#document);
    if (isSame) {
      this.#base = { revision: theirs.revision, document: this.#document };
      this.#settle();
    } else this.#become({ phase: 'conflict', conflict: { base: this.#base.document, theirs } });
  }

  #settle(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    this.#doors.forget();
    this.#become({ phase: 'saved' });
  }

  #wait(ms: number): void {
    this.#callOff?.();
    this.#callOff = this.#isOver ? undefined : this.#doors.later(ms, () => void this.flush());
  }

  #become(state: SaveState): void {
    if (state.phase === this.#state.phase && state.conflict === this.#state.conflict && !state.problem)
      return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
