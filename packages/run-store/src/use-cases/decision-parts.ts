import type { Orm } from '../entities/orm.ts';
import type { HotStore } from '../hot-store.ts';

/** Both sides of the store, for decisions that people make. */
export interface DecisionParts {
  readonly orm: Orm;
  readonly hot: HotStore;
}
