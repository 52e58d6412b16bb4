/** The time constants that several processes share; see "Time constants" in docs/design.md. */
export interface TimeConstants {
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly effectMarginMs: number;
}

/** Defaults of engine and worker. */
export const DEFAULT_TIMES: TimeConstants = { leaseMs: 15_000, sweepMs: 2_000, effectMarginMs: 2_000 };

/** The relations between time constants that do not hold, each as a sentence naming the rule and the way out. */
export function brokenTimeRelations({ leaseMs, sweepMs, effectMarginMs }: TimeConstants): string[] {
  const broken: string[] = [];
  if (!(sweepMs < leaseMs / 3)) {
    broken.push(
      `PAWL_SWEEP_MS (${sweepMs}) must be less than a third of PAWL_LEASE_MS (${leaseMs}): a dead worker would be noticed too late. Shorten the sweep or lengthen the lease.`,
    );
  }
  if (!(effectMarginMs < leaseMs / 3)) {
    broken.push(
      `PAWL_EFFECT_MARGIN_MS (${effectMarginMs}) must be less than a third of PAWL_LEASE_MS (${leaseMs}): nothing could be sent between two renewals. Shorten the margin or lengthen the lease.`,
    );
  }
  return broken;
}
