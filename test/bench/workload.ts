import type { BenchOptions } from './options.ts';
import type { Result } from './result.ts';
import type { System } from './system.ts';

/** One thing that is measured, on one backend. */
export interface Workload {
  readonly name: string;
  /** Wants a system that nothing ran on before. */
  readonly needsFreshSystem?: boolean;
  /** Warms up, measures, checks that the work was right. A workload may have more than one figure. */
  measure(system: System, options: BenchOptions): Promise<Result[]>;
}
