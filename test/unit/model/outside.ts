import type { EffectClass } from '@pawl/dag-core';

/** One request that reached the outside service. */
interface Request {
  readonly runId: string;
  readonly path: string;
  readonly key: string;
  readonly attempt: number;
  readonly effect: EffectClass | 'model';
  /** The intent was in the journal when the request came (V1). */
  readonly hadIntent: boolean;
}

/** What the service says later about a request that it took (T22). */
export interface Callback {
  readonly about: Request;
  readonly says: 'done' | 'not_now' | 'refused';
}

/** The world outside: what it was asked, and how often each effect happened. It honours the keys of idempotent effects. */
export class Outside {
  readonly requests: Request[] = [];
  readonly applied = new Map<string, number>();
  /** What it took and does later. */
  taken: Request[] = [];
  /** What it has to say about that. */
  readonly callbacks: Callback[] = [];

  apply(request: Request): void {
    this.requests.push(request);
    this.#do(request);
  }

  take(request: Request): void {
    this.requests.push(request);
    this.taken.push(request);
  }

  /** Does what it took, or says that it will not. What it has done under a key it does not refuse. */
  serve(at: number, wish: Callback['says']): void {
    const [about] = this.taken.splice(at, 1);
    const says = about!.effect === 'idempotent' && this.happened(about!.key) ? 'done' : wish;
    if (says === 'done') this.#do(about!);
    this.callbacks.push({ about: about!, says });
  }

  /** Somebody sees to it that it never does what it took. */
  withdraw(key: string): void {
    this.taken = this.taken.filter((request) => request.key !== key);
  }

  #do({ key, effect }: Request): void {
    const before = this.applied.get(key) ?? 0;
    const isRepeated = effect === 'idempotent' && before > 0;
    if (effect !== 'model' && !isRepeated) this.applied.set(key, before + 1);
  }

  happened(key: string): boolean {
    return (this.applied.get(key) ?? 0) > 0;
  }

  /** It may still happen by itself. */
  mayHappen(key: string): boolean {
    return this.taken.some((request) => request.key === key);
  }

  /** How often the effects of a node run happened, with whatever arguments it was tried. */
  timesOf(runId: string, path: string): number {
    const key = `${runId}:${path}:0`;
    let times = 0;
    for (const [each, count] of this.applied)
      if (each === key || each.startsWith(`${key}:edit-`)) times += count;
    return times;
  }
}
