import type { Failure, Line } from '@pawl/dag-core';
import { type HotStore, lineOfLimit, throughTrouble } from '@pawl/run-store/work';
import type { Done, Step } from './step.ts';

// Limits of calls (L3–L8) as a worker meets them: leave before an intent is recorded, or before a pure tool is called; its end when
// the call has ended. What no limit covers costs a look into a list in memory.

/** What services say when they were called too often. */
const TOO_OFTEN: readonly string[] = ['model_rate_limited', 'http_429'];
/** Longer wishes are not taken seriously (T8). */
const LONGEST_PAUSE_MS = 86_400_000;
const NOT_MADE = { requests: 0, tokens: 0 };

/** Leave to make a call under the limits of these keys. */
export interface Leave {
  readonly keys: readonly string[];
}

type Desk = Pick<HotStore['limits'], 'covering' | 'ask' | 'ended' | 'pause'>;

/** Asks limits for leave to call, and tells them what became of the calls. */
export class LimitedCalls {
  readonly #desk: Desk;
  readonly #workerId: string;
  readonly #onError: (error: Error) => void;

  constructor(desk: Desk, workerId: string, onError: (error: Error) => void) {
    this.#desk = desk;
    this.#workerId = workerId;
    this.#onError = onError;
  }

  /** Whether a call would have to ask. @param called `<provider>:<model>` or `<tool>@<version>` */
  areAsked({ context }: Step, called: string): boolean {
    return this.#desk.covering(context.workspaceId, called).length > 0;
  }

  /** Leave to call; or the line to stand in; or undefined when nothing limits the call. */
  async ask(
    { context: { runId, workspaceId }, handle: { path, attempt } }: Step,
    called: string,
    tokens: number,
  ): Promise<Leave | Line | undefined> {
    const keys = this.#desk.covering(workspaceId, called);
    if (keys.length === 0) return undefined;
    const workerId = this.#workerId;
    const answer = await throughTrouble(() =>
      this.#desk.ask({ runId, path, attempt, workerId, keys, tokens }),
    );
    return answer.isGranted ? { keys } : { key: lineOfLimit(answer.refusedBy), tokens };
  }

  /** The call was not made after all. */
  notMade(step: Step, leave: Leave | undefined): void {
    this.#ended(step, leave, NOT_MADE);
  }

  /** The call has ended. A service that was called too often is left alone by everybody for as long as it asked for. */
  ended(step: Step, called: string, leave: Leave | undefined, done: Done): void {
    this.#ended(step, leave, usedBy(done));
    const forMs = done.type === 'failed' ? pauseAskedFor(done.failure) : undefined;
    if (forMs === undefined) return;
    // What a tool calls is known to its arguments only: one address that has enough is no reason to leave all others alone.
    const own = step.node.config.kind === 'tool' ? 'no' : 'too';
    this.#desk.pause(step.context.workspaceId, called, forMs, own).catch(this.#onError);
  }

  #ended({ context: { runId }, handle: { path } }: Step, leave: Leave | undefined, used?: Used): void {
    if (leave)
      this.#desk.ended({ runId, path, keys: leave.keys, workerId: this.#workerId, ...(used && { used }) });
  }
}

interface Used {
  readonly requests: number;
  readonly tokens: number;
}

/** What a model says it took; a call whose answer says nothing took what was granted. */
function usedBy(done: Done): Used | undefined {
  if ((done.type !== 'succeeded' && done.type !== 'failed') || !done.answer) return undefined;
  const { input, output } = done.answer.usage;
  return { requests: (done.call ?? 0) + 1, tokens: input + output };
}

const pauseAskedFor = ({ code, retryAfterMs }: Failure): number | undefined =>
  retryAfterMs !== undefined &&
  retryAfterMs > 0 &&
  retryAfterMs <= LONGEST_PAUSE_MS &&
  TOO_OFTEN.includes(code)
    ? retryAfterMs
    : undefined;
