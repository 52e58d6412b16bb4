/** Where doorbells travel. */
export const BACKENDS = ['redis', 'postgres'] as const;
export type Backend = (typeof BACKENDS)[number];

/** The processes whose CPU time is counted. `bench` is the load generator itself. */
export const COUNTED = ['engine', 'worker', 'postgres', 'redis', 'bench'] as const;
export type Counted = (typeof COUNTED)[number];

/** CPU seconds (user and system) by process; a process whose figures cannot be read is absent. */
export type CpuSeconds = Partial<Record<Counted, number>>;

/** What one workload measured on one backend. */
export interface Result {
  readonly workload: string;
  readonly backend: Backend;
  readonly unit: string;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** CPU seconds per 1,000 node runs, all processes together; null where it says nothing. */
  readonly cpuSecondsPer1000: number | null;
  readonly cpuByProcess?: CpuSeconds;
  readonly rounds: number;
  /** Figures behind the figure, by name with the unit in it. */
  readonly details?: Readonly<Record<string, number>>;
  /** What exactly was measured, in plain words. */
  readonly note?: string;
}

/** The middle value; of an even count the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** `median`, `min` and `max` of the rounds. */
export const spread = (values: readonly number[]) => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
  rounds: values.length,
});
