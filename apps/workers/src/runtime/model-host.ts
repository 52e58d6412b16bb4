import type { ModelProvider } from '@pawl/tool-sdk';
import type { Attempts } from './attempt.ts';
import type { Done, Step } from './step.ts';

/** What the executor of model calls needs from its worker. */
export interface ModelHost {
  readonly models: { resolve(id: string): { readonly provider: ModelProvider; readonly model: string } };
  readonly attempts: Attempts;
  /** Default time limit of one model call. */
  readonly modelTimeoutMs: number;
  late(step: Step, done: Done): void;
}
