import { isTerminalRun, type JournalEvent, type JournalEventType } from '@pawl/dag-core';
import type { RunDecision } from '@pawl/run-store/work';
import type { Logger } from 'pino';
import type { DecisionReading } from '../decision-reading.ts';

/**
 * Tells what was committed, each line with the run and the path it is about. Codes only: messages of failures hold what users and
 * services wrote, and are in the journal.
 */
export class CommitLog {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** True when there may be something to tell; what goes well is most of everything and is not even read. */
  isWorthALine({ events, results }: RunDecision): boolean {
    const tellsAll = this.#logger.isLevelEnabled('debug');
    return (
      events.some((event) => !QUIET.has(event.type) && (tellsAll || !isGoodEnd(event))) ||
      [...results.keys()].some(({ facts }) => facts.some(({ type }) => type === 'released'))
    );
  }

  committed({ runId, decision, attempts, late, end }: DecisionReading): void {
    for (const { path, attempt, outcome, failure, next, workerId } of attempts) {
      if (
        outcome === 'succeeded' ||
        outcome === 'laid_out' ||
        outcome === 'turn_begun' ||
        outcome === 'flow_started'
      )
        continue;
      const isDoubt = outcome === 'lost' || outcome === 'uncertain';
      this.#logger[isDoubt ? 'warn' : outcome === 'failed' && next !== 'retry' ? 'info' : 'debug'](
        {
          runId,
          path,
          attempt,
          ...(workerId !== undefined && { workerId }),
          ...(failure && { code: failure.code, class: failure.class }),
          ...(next !== undefined && { next }),
        },
        MESSAGES[outcome],
      );
    }
    for (const { path, attempt } of late)
      this.#logger.warn({ runId, path, attempt }, 'an outcome came too late; it is kept as evidence');
    if (end) {
      const { status, failure } = end;
      this.#logger[status === 'failed' ? 'info' : 'debug'](
        {
          runId,
          flow: decision.view.graph.document.name,
          status,
          ...(failure && { code: failure.code }),
        },
        'a run ended',
      );
    }
  }
}

const QUIET: ReadonlySet<JournalEventType> = new Set([
  'intent.recorded',
  'call.answered',
  'outcome.succeeded',
  'nodeRun.skipped',
  'nodeRun.resumed',
  'map.expanded',
  'loop.continued',
  'agent.continued',
  'flow.started',
  'flow.asked',
  'flow.granted',
  'flow.passedOn',
  'flow.ended',
  'parent.heard',
  'artifact.created',
] satisfies JournalEventType[]);

const isGoodEnd = (event: JournalEvent): boolean =>
  event.type === 'run.statusChanged' && isTerminalRun(event.data.status) && event.data.status !== 'failed';

const MESSAGES = {
  failed: 'an attempt failed',
  lost: 'an attempt was lost with its worker',
  uncertain: 'an effect may or may not have happened',
  blocked: 'a call was not made: the budget has no room',
  waiting: 'a node run waits',
  cancelled: 'an attempt was cancelled',
  given_back: 'a node run was given back',
};
