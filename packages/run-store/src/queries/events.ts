import { isTerminalRun, type RecordedEvent } from '@pawl/dag-core';
import { resolveEventData, type ValueName, valueRefs } from '../artifacts/large-values.ts';
import { type OpenValue, openMember, SHORT_BYTES, shortenEventData } from '../artifacts/short-values.ts';
import { JournalEntity } from '../entities/journal.ts';
import type { Orm } from '../entities/orm.ts';
import { pageSize } from './cursor.ts';
import { findRun, type RunRef } from './find-run.ts';
import { type JournalRow, recordedEvent } from './run-shapes.ts';

const SIZES = { usual: 100, most: 1_000 };
/** Bytes of values outside the journal that one page brings in; a single larger event still comes, alone. */
const PAGE_VALUE_BYTES = 16 * 1024 * 1024;

/** A part of a journal. `ended`: the run has ended and nothing follows the last event here. */
export interface EventPage {
  readonly events: readonly RecordedEvent[];
  readonly ended: boolean;
}

/**
 * Events of a run after a sequence number, in order, without gaps.
 *
 * @param after 0 for the beginning
 * @param limit 1…1,000, default 100; a page may be shorter when its events are large
 * @param values `short`: of long ones how they begin, see {@link shortenEventData}
 * @returns undefined when the workspace has no such run (V14)
 */
export async function readEvents(
  orm: Orm,
  {
    after = 0,
    limit,
    values = 'whole',
    ...ref
  }: RunRef & { after?: number; limit?: number; values?: 'whole' | 'short' },
): Promise<EventPage | undefined> {
  const em = orm.fork();
  // The run first: what it says of its last event then holds for the events read after it.
  const run = await findRun(em, ref);
  if (!run) return undefined;
  const rows = await em.find(
    JournalEntity,
    { runId: run.id, seq: { $gt: after } },
    { orderBy: { seq: 'asc' }, limit: pageSize(limit, SIZES), disableIdentityMap: true },
  );
  const events = await (values === 'short' ? shortPage : resolvePage)(orm, rows.map(recordedEvent));
  const lastSeq = events.at(-1)?.seq ?? after;
  return { events, ended: isTerminalRun(run.status) && lastSeq >= run.nextSeq - 1 };
}

/** Every event about one node run, in order, values included. */
export async function eventsOfNodeRun(orm: Orm, runId: string, path: string): Promise<RecordedEvent[]> {
  const rows = await orm
    .fork()
    .find(JournalEntity, { runId, path }, { orderBy: { seq: 'asc' }, disableIdentityMap: true });
  return Promise.all(rows.map((row) => resolveEvent(orm, recordedEvent(row))));
}

/** One event with its values; undefined when there is none at that place. */
export async function eventAt(orm: Orm, runId: string, seq: number): Promise<RecordedEvent | undefined> {
  const row: JournalRow | null = await orm.fork().findOne(JournalEntity, { runId, seq });
  return row ? resolveEvent(orm, recordedEvent(row)) : undefined;
}

async function resolvePage(orm: Orm, events: readonly RecordedEvent[]): Promise<RecordedEvent[]> {
  const resolved: RecordedEvent[] = [];
  let valueBytes = 0;
  for (const event of events) {
    for (const ref of valueRefs(event.data)) valueBytes += ref.bytes;
    if (valueBytes > PAGE_VALUE_BYTES && resolved.length > 0) break;
    resolved.push(await resolveEvent(orm, event));
  }
  return resolved;
}

/** A value of an event as its JSON text; undefined when the workspace has no such run, the run no such event, or that no such value (V14). */
export async function openValue(
  orm: Orm,
  { seq, name, ...ref }: RunRef & { readonly seq: number; readonly name: ValueName },
): Promise<OpenValue | undefined> {
  const em = orm.fork();
  const run = await findRun(em, ref);
  const row: JournalRow | null | undefined = run && (await em.findOne(JournalEntity, { runId: run.id, seq }));
  return row ? openMember(orm.pool, recordedEvent(row).data, name) : undefined;
}

/** What is inside the journal counts, too: a thousand previews are sixty megabytes. */
async function shortPage(orm: Orm, events: readonly RecordedEvent[]): Promise<RecordedEvent[]> {
  const shortened: RecordedEvent[] = [];
  let previewBytes = 0;
  for (const event of events) {
    const data = await shortenEventData(orm.pool, event.data);
    for (const ref of valueRefs(data)) previewBytes += Math.min(ref.bytes, SHORT_BYTES);
    if (previewBytes > PAGE_VALUE_BYTES && shortened.length > 0) break;
    shortened.push({ ...event, data } as RecordedEvent);
  }
  return shortened;
}

async function resolveEvent(orm: Orm, event: RecordedEvent): Promise<RecordedEvent> {
  return { ...event, data: await resolveEventData(orm.pool, event.data) } as RecordedEvent;
}
