import type { NodeRunStatus, RunStatus } from '@pawl/dag-core';
import { EXIT, type ExitCode } from '../errors.ts';
import type { Colours } from '../io.ts';

type Hue = 'green' | 'red' | 'yellow' | 'cyan' | 'magenta' | 'gray' | 'blue';

const HUES: Readonly<Record<RunStatus | NodeRunStatus, Hue>> = {
  pending: 'gray',
  ready: 'blue',
  running: 'cyan',
  waiting: 'yellow',
  retry_wait: 'yellow',
  uncertain: 'magenta',
  blocked: 'magenta',
  paused: 'magenta',
  cancelling: 'yellow',
  compensating: 'yellow',
  compensated: 'gray',
  succeeded: 'green',
  partial: 'yellow',
  failed: 'red',
  skipped: 'gray',
  cancelled: 'gray',
};

/** A status in its colour. */
export const paintStatus = (status: RunStatus | NodeRunStatus, colours: Colours): string =>
  colours[HUES[status]](status);

/** Exit code of a command that followed a run to this status. */
export function exitCodeOf(status: RunStatus): ExitCode {
  switch (status) {
    case 'succeeded':
    case 'partial':
      return EXIT.ok;
    case 'failed':
    case 'cancelled':
      return EXIT.failed;
    case 'pending':
    case 'running':
    case 'waiting':
    case 'paused':
    case 'cancelling':
    case 'compensating':
      return EXIT.waits;
  }
}
