import type { SaidUp, WordDown } from '@pawl/dag-core';
import { type HotClient, type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { jsonArray, plainArray, textArray } from './array-literal.ts';

// Rules kept here: F4 the newest word of one run to another is kept until it was heard.

interface Between {
  readonly toRunId: string;
  readonly fromRunId: string;
  /** Of the node run that the sub-flow is for, in the run above. */
  readonly path: string;
  /** Place of the last event of the run that says it. */
  readonly seq: number;
}
/** What one run says to another. `up`: the output of a run that has ended is in its journal, at `endSeq`. */
export type Word = Between &
  (
    | { readonly isUp: false; readonly said: WordDown }
    | {
        readonly isUp: true;
        readonly said: SaidUp;
      }
  );

const say: Statement = {
  name: 'say-words',
  text: `
insert into word (to_run_id, from_run_id, path, seq, is_up, said, said_at)
select w.to_run_id, w.from_run_id, w.path, w.seq, w.is_up, w.said, statement_timestamp()
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::boolean[], $6::json[])
  as w(to_run_id, from_run_id, path, seq, is_up, said)
on conflict (to_run_id, from_run_id) do update
set path = excluded.path, seq = excluded.seq, said = excluded.said, said_at = excluded.said_at`,
};

/**
 * Writes words in the transaction that causes them. The lock on the run that speaks keeps its words in order. Index: word's
 * primary key.
 */
export async function sayWords(client: HotClient, words: readonly Word[]): Promise<void> {
  await runStatement(client, say, [
    plainArray(words.map((word) => word.toRunId)),
    plainArray(words.map((word) => word.fromRunId)),
    textArray(words.map((word) => word.path)),
    plainArray(words.map((word) => word.seq)),
    plainArray(words.map((word) => word.isUp)),
    jsonArray(words.map((word) => word.said)),
  ]);
}

const forget: Statement = {
  name: 'forget-words',
  text: `
delete from word w
where w.to_run_id = any ($1::uuid[])
  and concat_ws(' ', w.to_run_id, w.from_run_id, w.seq) = any ($2::text[])`,
};

/**
 * Forgets words that were heard, unless a newer one came meanwhile. Index: word's primary key. As conditions of the table's own, not
 * as a join, like `deleteOutbox`.
 */
export async function forgetWords(
  pool: HotPool,
  words: readonly Pick<Between, 'toRunId' | 'fromRunId' | 'seq'>[],
): Promise<void> {
  await runStatement(pool, forget, [
    plainArray(words.map((word) => word.toRunId)),
    textArray(words.map(({ toRunId, fromRunId, seq }) => `${toRunId} ${fromRunId} ${seq}`)),
  ]);
}

const unheard: Statement = {
  name: 'find-unheard-words',
  text: `
select w.to_run_id as "toRunId", w.from_run_id as "fromRunId", w.path, w.seq, w.is_up as "isUp", w.said,
  r.workspace_id as "workspaceId", r.version_id as "versionId"
from (
  select * from word w where w.said_at < now() - $1::float8 * interval '1 millisecond' order by w.said_at limit $2
) w
left join run r on r.id = w.to_run_id`,
};

/** A word with where it goes; without a workspace the run that it is for is gone. */
export type AddressedWord = Word & { readonly workspaceId: string | null; readonly versionId: string | null };

/** Words that nobody has told yet: whoever wrote them died. Index: word_said. */
export const findUnheard = (pool: HotPool, olderThanMs: number, limit: number): Promise<AddressedWord[]> =>
  runStatement(pool, unheard, [olderThanMs, limit]);
