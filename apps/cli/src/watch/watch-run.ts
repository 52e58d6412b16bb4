import type { Client } from '@pawl/api';
import type { Run } from '../api-types.ts';
import { InterruptedError } from '../errors.ts';
import type { Io } from '../io.ts';
import { needsPerson } from '../output/waiting.ts';
import { openProgressView, type ProgressView } from './progress-view.ts';
import { applyEvent, newProgress, type RunProgress } from './run-progress.ts';

export interface WatchOptions {
  /** `end`: until the run has ended · `waiting`: also when nothing goes on without a person. */
  readonly until: 'end' | 'waiting';
  /** Absent: the view that fits the output. */
  readonly view?: ProgressView;
}

/** Between two looks at money, status and what the run waits for; the journal itself comes as a stream. */
const LOOK_EVERY_MS = 1_000;
/** At most ten pictures a second. */
const DRAW_EVERY_MS = 100;

/**
 * Follows a run and shows its progress. Watching is no part of the run: interrupting it changes nothing.
 *
 * @returns the run as it ended, or as it waits for a person
 * @throws {InterruptedError} when the user interrupts; {ApiError} for an unknown run
 */
export async function watchRun(client: Client, runId: string, io: Io, options: WatchOptions): Promise<Run> {
  let run = await client.getRun({ params: { runId } });
  const { document } = await client.getVersion({ params: { flow: run.flow, versionId: run.version } });
  const progress = newProgress(document);
  const view = options.view ?? openProgressView(io);
  const leave = new AbortController();
  const signal = AbortSignal.any([leave.signal, io.interrupted]);
  const draw = (): void => view.show(run, progress);
  const drawing = setInterval(draw, DRAW_EVERY_MS);
  try {
    const ended = followJournal(client, runId, progress, signal);
    await Promise.race([ended, lookUntilWaiting()]);
    leave.abort();
    await ended;
    if (io.interrupted.aborted) throw new InterruptedError();
    run = await client.getRun({ params: { runId } });
    draw();
    return run;
  } finally {
    leave.abort();
    clearInterval(drawing);
    view.end();
  }

  /** Ends when the run waits for a person and that is wanted. A look that fails is no matter: the stream comes back. */
  async function lookUntilWaiting(): Promise<void> {
    while (!signal.aborted) {
      run = await client.getRun({ params: { runId }, signal }).catch(() => run);
      if (options.until === 'waiting' && needsPerson(run.waitingFor)) return;
      await pauseUnless(signal, LOOK_EVERY_MS);
    }
  }
}

async function followJournal(
  client: Client,
  runId: string,
  progress: RunProgress,
  signal: AbortSignal,
): Promise<void> {
  for await (const said of client.runEvents(runId, { signal })) {
    if (said.kind === 'event') applyEvent(progress, said.event);
  }
}

function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
