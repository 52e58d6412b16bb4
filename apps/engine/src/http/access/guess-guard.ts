import { problems } from '../http-problem.ts';

interface Tries {
  readonly failures: number;
  /** Nothing is looked at before. */
  readonly until: number;
}

/** How many may fail at once, and the longest pause after that; pauses begin with a second and double. */
const RULES = {
  // A pause for a name keeps its owner out as well, so it stays short.
  name: { free: 5, longestMs: 60_000 },
  address: { free: 20, longestMs: 900_000 },
} as const;
type Kind = keyof typeof RULES;

/** Remembered at once; what was tried longest ago goes first. */
const MOST = 10_000;
/** Looked at at once: each takes memory and time, which is its purpose. */
const MOST_AT_ONCE = 20;

/** Slows guessing down, by the name that is tried and by the address that tries; names that nobody has are counted like others. */
export class GuessGuard {
  readonly #now: () => number;
  readonly #tries = new Map<string, Tries>();
  #underWay = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Looks whether a guess is right, if it is time for one. It counts as failed before it is looked at, so that many at once are many.
   *
   * @returns what `look` found
   * @throws {HttpProblem} `sign_ins_slowed`; `look` was not called then
   */
  async watch<T>(
    who: { readonly [K in Kind]?: string },
    look: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const subjects = Object.entries(who) as [Kind, string][];
    const now = this.#now();
    const waits = subjects.map(([kind, name]) => (this.#tries.get(`${kind} ${name}`)?.until ?? now) - now);
    const waitMs = this.#underWay >= MOST_AT_ONCE ? 1_000 : Math.max(...waits);
    if (waitMs > 0) throw problems.signInsSlowed(waitMs);
    for (const subject of subjects) this.#count(subject, 1);
    this.#underWay += 1;
    try {
      const found = await look();
      if (found !== undefined) this.#wasRight(subjects);
      return found;
    } catch (error) {
      // Not a guess that failed: nobody looked.
      for (const subject of subjects) this.#count(subject, -1);
      throw error;
    } finally {
      this.#underWay -= 1;
    }
  }

  /** What was tried with a name before is forgotten; other failures of the address stay. */
  #wasRight(subjects: readonly [Kind, string][]): void {
    for (const subject of subjects) {
      if (subject[0] === 'name') this.#tries.delete(subject.join(' '));
      else this.#count(subject, -1);
    }
  }

  #count([kind, name]: [Kind, string], by: 1 | -1): void {
    const key = `${kind} ${name}`;
    const { free, longestMs } = RULES[kind];
    const known = this.#tries.get(key);
    const isOld = known !== undefined && this.#now() - known.until > longestMs;
    const failures = Math.max(0, (isOld ? 0 : (known?.failures ?? 0)) + by);
    this.#tries.delete(key);
    if (failures === 0) return;
    if (this.#tries.size >= MOST) this.#tries.delete(this.#tries.keys().next().value!);
    const pauseMs = failures < free ? 0 : Math.min(longestMs, 1_000 * 2 ** (failures - free));
    this.#tries.set(key, { failures, until: this.#now() + (by > 0 ? pauseMs : 0) });
  }
}
