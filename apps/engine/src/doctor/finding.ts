import type { RowDifference } from '@pawl/run-store';

/** One thing that was looked at. `detail`: what was found, or what is wrong and the way out. */
export interface Finding {
  readonly check:
    | 'configuration'
    | 'time constants'
    | 'database'
    | 'schema'
    | 'queue'
    | 'rows'
    | 'doorbells'
    | 'content';
  readonly ok: boolean;
  readonly detail: string;
  /** Facts that rows and journal told differently; at most 100 where nothing was repaired. */
  readonly differences?: readonly RowDifference[];
}

/** What the doctor is to do about what it finds. */
export interface Treatment {
  /** Rows are written anew from their journals, and forgotten doorbells rung again. */
  readonly isRepairing: boolean;
  /** Looks at the rows of these runs only. */
  readonly runIds?: readonly string[];
}
