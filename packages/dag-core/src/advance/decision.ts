import type { JournalEvent } from '../journal/events.ts';
import type { StartedFlow } from './facts.ts';
import type { RunView } from './run-view.ts';

/** One answer in the making: the state it is given against, and the events it leads to. */
export interface Decision {
  readonly view: RunView;
  /** Database clock, epoch milliseconds. */
  readonly nowMs: number;
  /** Runs of sub-flows that are admitted with what is decided. */
  readonly starts: StartedFlow[];
  /** Appends an event and applies it. */
  append(event: JournalEvent): void;
}
