import type { Json } from '@pawl/dag-core';
import { resolveEventData } from '../artifacts/large-values.ts';
import type { Orm } from '../entities/orm.ts';
import { pageSize } from '../queries/cursor.ts';
import type { Page } from '../store-types.ts';
import { compareEffects, cursorAfterEffect, type EffectPlace, effectOfCursor } from './effect-place.ts';
import type { EffectFilter, EffectSummary } from './effect-shapes.ts';
import { effectSummary } from './effect-summary.ts';
import { findIntents } from './find-intents.ts';
import { findReceipts } from './find-receipts.ts';
import { loadEffects } from './load-effects.ts';

const SIZES = { usual: 50, most: 200 };
/** Effects looked at for one page when only some of them fit. */
const AT_ONCE = 200;
const MOST_LOOKED_AT = 5_000;

type Filter = EffectFilter & { readonly workspaceId: string };

/**
 * Effects of a workspace, newest first, page by page: from the journals, and for runs that were dropped from their receipts.
 * A page that is filtered by status or person may be short, even empty, and still have a cursor: so many were looked at.
 *
 * @throws {StoreError} `cursor_invalid`
 */
export async function listEffects(orm: Orm, filter: Filter): Promise<Page<EffectSummary>> {
  const size = pageSize(filter.limit, SIZES);
  const isPicky = filter.status !== undefined || filter.by !== undefined;
  const items: Placed[] = [];
  let behind = filter.cursor === undefined ? undefined : effectOfCursor(filter.cursor);
  for (let lookedAt = 0; lookedAt < MOST_LOOKED_AT; ) {
    const wanted = isPicky ? AT_ONCE : size + 1;
    const found = await findEffects(orm, filter, behind, wanted);
    lookedAt += found.length;
    items.push(...found.filter(({ summary }) => fits(summary, filter)));
    if (items.length > size) return page(items.slice(0, size), items[size - 1]!.place);
    if (found.length < wanted) return page(items);
    behind = found.at(-1)!.place;
  }
  return page(items, behind);
}

interface Placed {
  readonly place: EffectPlace;
  readonly summary: EffectSummary;
}

const page = (items: readonly Placed[], last?: EffectPlace): Page<EffectSummary> => ({
  items: items.map(({ summary }) => summary),
  ...(last && { nextCursor: cursorAfterEffect(last) }),
});

/** The next effects of both sources in one order. While a run is being dropped it is in both: the journal counts. */
async function findEffects(
  { pool }: Orm,
  filter: Filter,
  behind: EffectPlace | undefined,
  limit: number,
): Promise<Placed[]> {
  const [intents, receipts] = await Promise.all([
    findIntents(pool, filter, behind, limit),
    findReceipts(pool, filter, behind, limit),
  ]);
  const effects = await loadEffects(pool, intents);
  // One whose run was dropped between the two looks has a receipt.
  const told = intents.flatMap((place) => {
    const record = effects.get(idOf(place));
    return record ? [{ place, summary: effectSummary(record, place) }] : [];
  });
  const inJournal = new Set(told.map(({ summary }) => summary.id));
  return [...told, ...receipts.filter(({ summary }) => !inJournal.has(summary.id))]
    .sort((a, b) => compareEffects(a.place, b.place))
    .slice(0, limit);
}

const idOf = ({ runId, seq }: EffectPlace): string => `${runId}/${seq}`;

function fits({ status, lateAt, startedBy, settledBy }: EffectSummary, filter: Filter): boolean {
  const isStatus =
    filter.status === undefined ||
    filter.status.includes(status) ||
    (lateAt !== undefined && filter.status.includes('late'));
  return isStatus && (filter.by === undefined || startedBy === filter.by || settledBy === filter.by);
}

/** An effect of an export, with its arguments where they were asked for and are still there. */
type ExportedEffect = EffectSummary & { readonly request?: Json };

/** Every effect that fits, newest first, as they are asked for; a few hundred lie in memory at a time. */
export async function* exportEffects(
  orm: Orm,
  { withRequest, ...filter }: Omit<Filter, 'limit' | 'cursor'> & { readonly withRequest?: boolean },
): AsyncGenerator<ExportedEffect> {
  let cursor: string | undefined;
  do {
    const found = await listEffects(orm, {
      ...filter,
      limit: SIZES.most,
      ...(cursor !== undefined && { cursor }),
    });
    for (const effect of found.items)
      yield withRequest && !effect.receipt ? { ...effect, ...(await requestOf(orm, effect)) } : effect;
    cursor = found.nextCursor;
  } while (cursor !== undefined);
}

async function requestOf({ pool }: Orm, { runId, seq }: EffectSummary): Promise<{ request?: Json }> {
  const { rows } = await pool.query<{ data: string }>(
    'select data::text as data from journal where run_id = $1 and seq = $2',
    [runId, seq],
  );
  if (!rows[0]) return {};
  const { request } = await resolveEventData(pool, JSON.parse(rows[0].data) as { request?: Json });
  return request === undefined ? {} : { request };
}
