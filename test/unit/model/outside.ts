import type { EffectClass } from '@pawl/dag-core';

/** One request that reached the outside service. */
interface Request {
  readonly key: string;
  readonly attempt: number;
  /** The intent was in the journal when the request came (V1). */
  readonly hadIntent: boolean;
}

/** The world outside: what it was asked, and how often each effect happened. It honours the keys of idempotent effects. */
export class Outside {
  readonly requests: Request[] = [];
  readonly applied = new Map<string, number>();

  apply(effect: EffectClass | 'model', request: Request): void {
    this.requests.push(request);
    const before = this.applied.get(request.key) ?? 0;
    const isRepeated = effect === 'idempotent' && before > 0;
    if (effect !== 'model' && !isRepeated) this.applied.set(request.key, before + 1);
  }

  happened(key: string): boolean {
    return (this.applied.get(key) ?? 0) > 0;
  }
}
