import type { EffectClass, EffectStatus, Failure, FailureClass, Json, Settled } from '@pawl/dag-core';

/** One effect that was sent: what, with which arguments, when, by whom, and what became of it. Instants as ISO 8601 in UTC. */
export interface EffectSummary {
  /** `<runId>/<seq>`; `seq` is the place of the intent in the journal. */
  readonly id: string;
  readonly runId: string;
  readonly seq: number;
  readonly flow: string;
  readonly version: string;
  readonly path: string;
  readonly attempt: number;
  /** Counts the calls of a node run from 0. */
  readonly call: number;
  readonly effect: EffectClass | 'model';
  /** `<tool>@<version>` or `<provider>:<model>`. */
  readonly target: string;
  /** Idempotency key: the same for every attempt. */
  readonly key: string;
  /** SHA-256 (hex) of the canonical JSON of the arguments. */
  readonly requestHash: string;
  readonly workerId?: string;
  /** When the intent was committed, which is right before the effect was sent. */
  readonly at: string;
  readonly status: EffectStatus;
  readonly endedAt?: string;
  /** An answer came after the attempt was given up. */
  readonly lateAt?: string;
  /** It was cancelled and may have happened. */
  readonly doubt?: true;
  readonly failure?: { readonly code: string; readonly class: FailureClass; readonly message?: string };
  /** What the service calls it. */
  readonly effectId?: string;
  readonly costUsd?: number;
  readonly tokens?: number;
  /** Who started the run. */
  readonly startedBy?: string;
  readonly settledBy?: string;
  readonly settledAs?: Settled;
  /** The run has been dropped: arguments, output and messages are gone. */
  readonly receipt?: true;
}

/** An effect with its payloads; a receipt has none. */
export interface EffectDetail extends EffectSummary {
  readonly request?: Json;
  readonly output?: Json;
  /** The answer that came too late. */
  readonly late?: { readonly output?: Json; readonly failure?: Failure };
  /** SHA-256 (hex) of the JSON text of the output; receipts only. */
  readonly outputHash?: string;
}

/** Names an effect in a workspace. */
export interface EffectRef {
  readonly workspaceId: string;
  readonly runId: string;
  readonly seq: number;
}

export interface EffectFilter {
  readonly flow?: string;
  readonly runId?: string;
  /** Exactly, or with `*` for anything: `shop.*`. */
  readonly target?: string;
  readonly effect?: EffectClass | 'model';
  readonly key?: string;
  /** Any of these; `late` takes every effect with a late answer. */
  readonly status?: readonly EffectStatus[];
  /** Who started the run or settled the effect. */
  readonly by?: string;
  /** Sent at or after, and before, as ISO 8601. */
  readonly after?: string;
  readonly before?: string;
  /** Opaque, from the previous page. Newest first. */
  readonly cursor?: string;
  /** 1…200, default 50. */
  readonly limit?: number;
}
