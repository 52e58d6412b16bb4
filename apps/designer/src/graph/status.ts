import type { NodeRunStatus, RunStatus } from '@pawl/dag-core';

/** A colour of `tokens.css` with its ground: what a status looks like, together with its sign. */
type Tone = 'ok' | 'run' | 'fail' | 'wait' | 'unsure' | 'degraded' | 'skip';

export interface Look {
  readonly tone: Tone;
  /** Said by shape, for who does not see colours. */
  readonly sign: string;
}

/** `unheld`: by the journal it runs, and no worker holds it. */
export const NODE_RUN_LOOKS: Readonly<Record<NodeRunStatus | 'unheld', Look>> = {
  unheld: { tone: 'unsure', sign: '⌛' },
  pending: { tone: 'skip', sign: '·' },
  ready: { tone: 'run', sign: '○' },
  running: { tone: 'run', sign: '▶' },
  waiting: { tone: 'wait', sign: '…' },
  retry_wait: { tone: 'degraded', sign: '↻' },
  uncertain: { tone: 'unsure', sign: '?' },
  blocked: { tone: 'unsure', sign: '∎' },
  succeeded: { tone: 'ok', sign: '✓' },
  failed: { tone: 'fail', sign: '✕' },
  skipped: { tone: 'skip', sign: '–' },
  cancelled: { tone: 'skip', sign: '⊘' },
  compensating: { tone: 'degraded', sign: '↩' },
  compensated: { tone: 'degraded', sign: '↩' },
};

export const RUN_LOOKS: Readonly<Record<RunStatus, Look>> = {
  pending: { tone: 'skip', sign: '·' },
  running: { tone: 'run', sign: '▶' },
  waiting: { tone: 'wait', sign: '…' },
  paused: { tone: 'unsure', sign: '∥' },
  cancelling: { tone: 'skip', sign: '⊘' },
  compensating: { tone: 'degraded', sign: '↩' },
  succeeded: { tone: 'ok', sign: '✓' },
  partial: { tone: 'degraded', sign: '!' },
  failed: { tone: 'fail', sign: '✕' },
  cancelled: { tone: 'skip', sign: '⊘' },
};
