/** Status of a run (semantics §4). */
export const RUN_STATUSES = [
  'pending',
  'running',
  'waiting',
  'paused',
  'cancelling',
  'compensating',
  'succeeded',
  'partial',
  'failed',
  'cancelled',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Status of a node run (semantics §4). */
export const NODE_RUN_STATUSES = [
  'pending',
  'ready',
  'running',
  'waiting',
  'retry_wait',
  'uncertain',
  'blocked',
  'succeeded',
  'failed',
  'skipped',
  'cancelled',
  'compensating',
  'compensated',
] as const;
export type NodeRunStatus = (typeof NODE_RUN_STATUSES)[number];

/** What repeating a node does to the world (semantics §3). `llm` repeats cost money but change nothing. */
export const EFFECT_CLASSES = ['pure', 'idempotent', 'non_repeatable'] as const;
export type EffectClass = (typeof EFFECT_CLASSES)[number];

const TERMINAL_RUN: readonly RunStatus[] = ['succeeded', 'partial', 'failed', 'cancelled'];
const TERMINAL_NODE: readonly NodeRunStatus[] = [
  'succeeded',
  'failed',
  'skipped',
  'cancelled',
  'compensated',
];

/** True for statuses that never change again (V11). */
export const isTerminalRun = (status: RunStatus): boolean => TERMINAL_RUN.includes(status);
export const isTerminalNodeRun = (status: NodeRunStatus): boolean => TERMINAL_NODE.includes(status);
