import type { Intent, WorkerFact } from '@pawl/dag-core';
import type { ToolArtifacts, ToolLogger, ToolRegistry } from '@pawl/tool-sdk';
import type { Attempts } from './attempt.ts';
import type { Done, SendHost, Step } from './step.ts';

/** What executors of effects need from their worker. */
export interface ToolHost {
  readonly tools: ToolRegistry;
  readonly attempts: Attempts;
  /** Default time limit of one tool attempt. */
  readonly toolTimeoutMs: number;
  /** The intent of an earlier attempt that may have been sent: it is sent again as it was, with the same key (semantics §3). */
  earlierIntent(step: Step): Promise<Intent | undefined>;
  /** An answer that came after the attempt was given up: kept as evidence (V2). */
  late(step: Step, done: Done): void;
  logger(runId: string, path: string, attempt: number): ToolLogger;
  artifacts(step: Step, send: SendHost): ToolArtifacts;
  secret(workspaceId: string, name: string): Promise<string>;
  /** A fact to be committed with the outcome of a pure tool. */
  noteLater(step: Step, fact: Extract<WorkerFact, { type: 'artifact' }>): void;
}
