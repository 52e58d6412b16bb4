// Rules kept here: a workspace that rings a lot does not keep one that rings little from its turn, nor the other way round. Start-time
// fair queueing: a job is stamped with the turn in which it is to be answered, the one after the workspace's last; a workspace that
// had nothing waiting begins at the turn that is being answered now. Jobs of one turn are answered in the order they came.

/** How urgent a run is: 1 (first) to 9 (last). */
export const USUAL_URGENCY = 5;

/** Doorbells that are one turn of a workspace: as many as a full job carries. */
const BELLS_PER_TURN = 64;
/** Turns of the usual runs; those of less urgent ones lie behind, each urgency in a band of its own. */
const USUAL_TURNS = 1_600_000;
const LATER_TURNS = 120_000;

/** Stamps jobs of a queue that is longer than its consumers can hide. */
export class Turns {
  readonly #last = new Map<string, number>();
  #now = 0;

  /**
   * Notes which turn is being answered: the stamp of the first job that waits, undefined when none does. What this process knows of
   * workspaces ends with the turns they had.
   */
  isAt(first: number | undefined): void {
    const isUsual = first !== undefined && first < USUAL_TURNS;
    this.#now = isUsual ? first : 0;
    if (isUsual) return;
    for (const line of this.#last.keys())
      if (first === undefined || line.startsWith('0 ')) this.#last.delete(line);
  }

  /**
   * The stamp of a job, 1 or more; less is answered earlier.
   *
   * @param count    doorbells it carries
   * @param urgency  of their runs, see {@link USUAL_URGENCY}; more urgent ones pass the workspace's own and count as its turns
   */
  stamp(workspace: string, count: number, urgency: number): number {
    const band = Math.max(0, urgency - USUAL_URGENCY);
    const line = `${band} ${workspace}`;
    const start = Math.max(band === 0 ? this.#now : 0, this.#last.get(line) ?? 0);
    this.#last.set(line, start + count / BELLS_PER_TURN);
    if (urgency < USUAL_URGENCY) return 1 + Math.min(Math.floor(this.#now), USUAL_TURNS - 2);
    const from = band === 0 ? 0 : USUAL_TURNS + (band - 1) * LATER_TURNS;
    const most = band === 0 ? USUAL_TURNS : LATER_TURNS;
    // A queue that is never empty for so long goes on in the order in which its jobs come.
    return from + 1 + Math.min(Math.floor(start), most - 2);
  }
}

/** The stamp of a job of a queue that is short: usual and more urgent runs need none. */
export const plainStamp = (urgency: number): number =>
  urgency <= USUAL_URGENCY ? 0 : USUAL_TURNS + (urgency - USUAL_URGENCY - 1) * LATER_TURNS + 1;
