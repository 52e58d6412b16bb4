import { AllRows } from '../advance/all-rows.ts';
import { applyEvent } from '../advance/apply-event.ts';
import { RunView } from '../advance/run-view.ts';
import type { FlowGraph } from '../graph/topology.ts';
import { emptyRun } from '../state/run-state.ts';
import { JOURNAL_VERSION, type RecordedEvent } from './events.ts';

// Rules kept here: J1 sequence numbers are gapless from 1; J2 state is the fold of the journal; J5 an unknown event version stops it.

/** Thrown when a journal cannot be folded: a gap, an unknown version, an event that does not fit. */
export class JournalCorruptError extends Error {
  readonly code = 'journal_corrupt';
}

/**
 * Folds a whole journal into the state of its run and node runs.
 *
 * @throws {JournalCorruptError} naming the sequence number where it broke
 */
export function foldJournal(
  graph: FlowGraph,
  journal: Iterable<RecordedEvent>,
): RunView & { readonly rows: AllRows } {
  const view = new RunView(graph, new AllRows(), emptyRun()) as RunView & { readonly rows: AllRows };
  for (const event of journal) {
    if (event.seq !== view.run.nextSeq) {
      throw new JournalCorruptError(
        `Journal event ${event.seq} follows ${view.run.nextSeq - 1}: sequence numbers must be gapless`,
      );
    }
    if (event.data.v !== JOURNAL_VERSION) {
      throw new JournalCorruptError(
        `Journal event ${event.seq} has version ${event.data.v}; this release reads ${JOURNAL_VERSION}`,
      );
    }
    try {
      applyEvent(view, event);
    } catch (error) {
      throw new JournalCorruptError(
        `Journal event ${event.seq} (${event.type} ${event.path}) does not fit: ${(error as Error).message}`,
        { cause: error },
      );
    }
    view.due = [];
    view.changed.clear();
  }
  return view;
}
