import { EFFECT_EVENTS, type EffectRecord, foldEffects, type RecordedEvent } from '@pawl/dag-core';
import type { Queryable } from '../artifacts/chunks.ts';
import { HEAD_CHARACTERS } from './find-intents.ts';

/** An intent, by its place and its node run. */
export interface IntentPlace {
  readonly runId: string;
  readonly seq: number;
  readonly path: string;
}
/** An effect as the journal tells it, and who started its run. */
export interface LoadedEffect extends EffectRecord {
  readonly runId: string;
  readonly startedBy?: string;
}

/**
 * What became of the effects of these intents (J9), by `<runId>/<seq>`. Each run's journal is read once, from the first of its
 * intents on, whatever the number of its node runs. Index: journal's primary key.
 */
export async function loadEffects(
  db: Queryable,
  intents: readonly IntentPlace[],
): Promise<Map<string, LoadedEffect>> {
  if (intents.length === 0) return new Map();
  const firstSeqs = new Map<string, number>();
  for (const { runId, seq } of intents) firstSeqs.set(runId, Math.min(seq, firstSeqs.get(runId) ?? seq));
  const [events, starters] = await Promise.all([
    loadEvents(db, firstSeqs, intents),
    loadStarters(db, [...firstSeqs.keys()]),
  ]);
  const found = new Map<string, LoadedEffect>();
  for (const [runId, own] of events) {
    const startedBy = starters.get(runId);
    for (const record of foldEffects(own))
      found.set(`${runId}/${record.seq}`, {
        runId,
        ...record,
        ...(startedBy !== undefined && { startedBy }),
      });
  }
  return found;
}

interface EventRow {
  readonly runId: string;
  readonly seq: number;
  readonly type: RecordedEvent['type'];
  readonly path: string;
  readonly attempt: number;
  readonly at: number;
  readonly data: string;
}

async function loadEvents(
  db: Queryable,
  firstSeqs: ReadonlyMap<string, number>,
  intents: readonly IntentPlace[],
): Promise<Map<string, RecordedEvent[]>> {
  const { rows } = await db.query<EventRow>(
    `select ${COLUMNS}
     from unnest($1::uuid[], $2::int[]) as x(run_id, seq)
     cross join lateral (select * from journal j where j.run_id = x.run_id and j.seq >= x.seq offset 0) j
     where j.type = any ($3) and (j.run_id, j.path) in (select * from unnest($4::uuid[], $5::text[]))
     order by j.run_id, j.seq`,
    [
      [...firstSeqs.keys()],
      [...firstSeqs.values()],
      EFFECT_EVENTS,
      intents.map(({ runId }) => runId),
      intents.map(({ path }) => path),
    ],
  );
  return eventsByRun(rows);
}

/**
 * Events of effects at these places, by run, in the order of the places. Index: journal's primary key.
 *
 * @param places as many as may lie in memory with their outputs
 */
export async function loadEffectEvents(
  db: Queryable,
  places: readonly IntentPlace[],
): Promise<Map<string, RecordedEvent[]>> {
  const { rows } = await db.query<EventRow>(
    `select ${COLUMNS}
     from unnest($1::uuid[], $2::int[]) with ordinality as x(run_id, seq, place)
     cross join lateral (select * from journal j where j.run_id = x.run_id and j.seq = x.seq offset 0) j
     order by x.place`,
    [places.map(({ runId }) => runId), places.map(({ seq }) => seq)],
  );
  return eventsByRun(rows);
}

const COLUMNS = `j.run_id as "runId", j.seq, j.type, j.path, j.attempt, extract(epoch from j.at)::float8 * 1000 as at,
  case when j.type = 'intent.recorded' then left(j.data::text, ${HEAD_CHARACTERS}) else j.data::text end as data`;

function eventsByRun(rows: readonly EventRow[]): Map<string, RecordedEvent[]> {
  const byRun = new Map<string, RecordedEvent[]>();
  for (const { runId, data, ...row } of rows) {
    const event = {
      ...row,
      data: JSON.parse(row.type === 'intent.recorded' ? headOf(data) : data),
    } as RecordedEvent;
    const own = byRun.get(runId);
    if (own) own.push(event);
    else byRun.set(runId, [event]);
  }
  return byRun;
}

/** J8: everything in front of the request, as an object of its own. */
function headOf(intent: string): string {
  const end = /,"requestHash":"[^"]*"/.exec(intent);
  return end ? `${intent.slice(0, end.index + end[0].length)}}` : intent;
}

/** Who started runs, from the beginning of their first events (J8). Index: journal's primary key. */
export async function loadStarters(db: Queryable, runIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ runId: string; by: string | null }>(
    `select run_id as "runId", substring(left(data::text, 1000) from '^\\{"v":1,"versionId":"[^"]*","by":"((?:[^"\\\\]|\\\\.)*)"') as by
     from journal
     where run_id = any ($1) and seq = 1`,
    [runIds],
  );
  return new Map(
    rows.flatMap(({ runId, by }) => (by === null ? [] : [[runId, JSON.parse(`"${by}"`) as string]])),
  );
}
