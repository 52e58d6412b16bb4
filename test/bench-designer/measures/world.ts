import type { BareSite } from '../bare-site.ts';
import type { ProbedPage } from '../browser.ts';
import type { Engine } from '../engine.ts';
import type { DesignerBenchOptions } from '../options.ts';
import { type Samples, SIDES, type Side } from '../samples.ts';

/** What all measures share. */
export interface World {
  readonly options: DesignerBenchOptions;
  readonly engine: Engine;
  readonly site: BareSite;
  readonly samples: Samples;
  newPage(): Promise<ProbedPage>;
  isWanted(measure: string): boolean;
}

/** Both sides, in another order every other round: what changes with time must not favour one of them. */
export const sidesIn = (round: number): readonly Side[] => (round % 2 === 0 ? SIDES : SIDES.toReversed());
