import type { Fact, FlowGraph, Verdict, WordUp } from '@pawl/dag-core';
import { holdValue } from '../artifacts/large-values.ts';
import { artifactIdsIn, holdArtifacts } from '../artifacts/used-artifacts.ts';
import { throughTrouble } from '../database-trouble.ts';
import { GroupCommitter } from '../group-committer.ts';
import type { HotPool } from '../hot-pool.ts';
import { loadEvents } from '../sql/load-events.ts';
import { type AddressedWord, findUnheard, forgetWords, type Word } from '../sql/words.ts';

// What one run says to another is told after the commit that said it, in a commit of the other run: no transaction locks two runs.
// A word that was told already changes nothing; a process that dies in between leaves words that others find (F4).

const AT_ONCE = 500;
/** A word this old was written by a process that died before it told it. */
const LATE_MS = 2_000;

/** What the desk needs of its store. */
export interface WordDeskParts {
  readonly pool: HotPool;
  graph(workspaceId: string, versionId: string): Promise<FlowGraph>;
  commit(runId: string, graph: FlowGraph, fact: Fact): Promise<Verdict | undefined>;
  onError(error: Error, doing: string, runIds: readonly string[]): void;
}

/** Tells runs what others said. */
export class WordDesk {
  readonly #parts: WordDeskParts;
  readonly #heard: GroupCommitter<Word, void>;

  constructor(parts: WordDeskParts) {
    this.#parts = parts;
    this.#heard = new GroupCommitter<Word, void>({
      keyOf: ({ toRunId, fromRunId }) => `${toRunId} ${fromRunId}`,
      batchSize: 256,
      batchesInFlight: 1,
      send: async (words) => {
        await forgetWords(parts.pool, words);
        return words.map(() => undefined);
      },
    });
  }

  /** Tells words without anybody waiting for it. */
  tellSoon(words: readonly AddressedWord[]): void {
    for (const word of words)
      this.#tell(word).catch((error) =>
        this.#parts.onError(error, 'telling another run', [word.toRunId, word.fromRunId]),
      );
  }

  /** Tells what was said by a process that died before it was told. */
  async tellLate(olderThanMs = LATE_MS): Promise<number> {
    const late = await findUnheard(this.#parts.pool, olderThanMs, AT_ONCE);
    await Promise.all(late.map((word) => this.#tell(word)));
    return late.length;
  }

  async #tell(word: AddressedWord): Promise<void> {
    const { graph, commit } = this.#parts;
    if (word.workspaceId !== null && word.versionId !== null) {
      const { workspaceId, versionId } = word;
      const fact = await throughTrouble(() => this.#factOf(word, workspaceId));
      const loaded = await throughTrouble(() => graph(workspaceId, versionId));
      await commit(word.toRunId, loaded, fact);
    }
    await throughTrouble(() => this.#heard.commit(word));
  }

  async #factOf(word: Word, workspaceId: string): Promise<Fact> {
    if (!word.isUp) return { type: 'parentSaid', word: word.said };
    const { endSeq, ...said } = word.said;
    const end = endSeq === undefined ? undefined : await this.#endOf(word, endSeq, workspaceId);
    return { type: 'subFlowSaid', path: word.path, word: { ...said, ...(end && { end }) } };
  }

  /** How the run that speaks has ended. What its output names belongs to the other run as well from here on. */
  async #endOf(
    { fromRunId, toRunId }: Word,
    seq: number,
    workspaceId: string,
  ): Promise<NonNullable<WordUp['end']>> {
    const { pool } = this.#parts;
    const [event] = await loadEvents(pool, [{ runId: fromRunId, seq }]);
    if (event?.type !== 'run.statusChanged') throw new Error(`Run ${fromRunId} has no end at ${seq}`);
    const { status, failure, output } = event.data;
    const { outputRef } = event.data as { outputRef?: { hash: string; bytes: number } };
    if (outputRef) await holdValue(pool, toRunId, outputRef);
    const artifactIds = output === undefined ? [] : artifactIdsIn(output);
    await holdArtifacts(
      pool,
      artifactIds.map((artifactId) => ({ runId: toRunId, workspaceId, artifactId })),
    );
    return {
      status,
      ...(failure && { failure }),
      ...(outputRef ? { outputRef } : output !== undefined && { output }),
    };
  }
}
