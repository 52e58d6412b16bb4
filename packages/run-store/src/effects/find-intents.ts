import type { Queryable } from '../artifacts/chunks.ts';
import { conditionsFor, type EffectColumns } from './effect-conditions.ts';
import { type EffectPlace, placeAt } from './effect-place.ts';
import type { EffectFilter } from './effect-shapes.ts';

/** An intent of the journal, with its run. */
export interface FoundIntent extends EffectPlace {
  readonly path: string;
  readonly flow: string;
  readonly version: string;
}

/** Enough of an intent's text to hold everything that is not payload (J8). */
export const HEAD_CHARACTERS = 8_000;

const COLUMNS: EffectColumns = {
  at: 'j.at',
  runId: 'j.run_id',
  seq: 'j.seq',
  workspaceId: 'r.workspace_id',
  flow: 'r.flow_name',
  target: 'j.target',
  isEffect: `strpos(left(j.data::text, 600), '"effect":"' || ? || '","target":') > 0`,
  isKey: `strpos(left(j.data::text, ${HEAD_CHARACTERS}), '"key":' || ? || ',"requestHash":') > 0`,
  // As it stands in the text of the journal.
  keyValue: (key) => JSON.stringify(key),
};

/**
 * Intents that fit a filter, newest first. Index: journal_effects, which also holds what was called, so that others are passed
 * over without a look at the table; with a run or a key the journal's primary key.
 */
export async function findIntents(
  db: Queryable,
  filter: EffectFilter & { readonly workspaceId: string },
  behind: EffectPlace | undefined,
  limit: number,
): Promise<FoundIntent[]> {
  const where = conditionsFor(COLUMNS, filter, behind);
  where.add(`j.type = 'intent.recorded'`);
  const { rows } = await db.query<FoundIntent>(
    `select j.run_id as "runId", j.seq, ${placeAt('j.at')} as at, j.path, r.flow_name as flow, r.version_id as version
     from journal j
     join run r on r.id = j.run_id
     where ${where.text}
     order by j.at desc, j.run_id desc, j.seq desc
     limit $${where.values.length + 1}`,
    [...where.values, limit],
  );
  return rows;
}
