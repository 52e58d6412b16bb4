import type { NodeRunMore, RecordedEvent } from '@pawl/dag-core';
import { resolveEventData } from '../artifacts/large-values.ts';
import { NodeRunEntity } from '../entities/node-run.ts';
import type { Orm } from '../entities/orm.ts';
import { StoreError } from '../errors.ts';
import { isId } from '../ids.ts';
import { pageOf, pageSize } from '../queries/cursor.ts';
import { eventAt, eventsOfNodeRun } from '../queries/events.ts';
import { findRun } from '../queries/find-run.ts';
import { loadEvents } from '../sql/load-events.ts';
import type { Page } from '../store-types.ts';
import { withEvidence } from './doubt-evidence.ts';
import { countQuestions, findQuestions, type OpenQuestion, type QuestionFilter } from './find-questions.ts';
import {
  givenAnswer,
  type InboxItem,
  type InboxQuestion,
  inboxItem,
  kindOfQuestion,
} from './inbox-shapes.ts';
import { parseQuestionId } from './question-id.ts';

const SIZES = { usual: 50, most: 200 };

/** Which questions are listed. */
export interface InboxFilter {
  readonly kind?: readonly InboxItem['kind'][];
  readonly flow?: string;
  readonly runId?: string;
  /** Of one node run. */
  readonly path?: string;
  /** Of who asks (`user:<name>`, `key:<name>` or `local`): only what is not for others. */
  readonly by?: string;
  /** `none`: without what was to be sent and what came late, which may be long. Default whole. */
  readonly values?: 'whole' | 'none';
  /** Opaque, from the previous page. Oldest first. */
  readonly cursor?: string;
  /** 1…200, default 50. */
  readonly limit?: number;
}

/**
 * What waits for a person in a workspace, oldest first, page by page.
 *
 * @throws {StoreError} `cursor_invalid`
 */
export async function listInbox(
  orm: Orm,
  workspaceId: string,
  filter: InboxFilter = {},
): Promise<Page<InboxItem>> {
  const { cursor, limit, runId, by, values = 'whole', ...rest } = filter;
  const size = pageSize(limit, SIZES);
  const open = await findQuestions(orm.pool, {
    workspaceId,
    ...rest,
    ...(runId !== undefined && { runId: runId.toLowerCase() }),
    ...namesOf(by),
    ...(cursor !== undefined && { after: placeOf(cursor) }),
    limit: size + 1,
  });
  const page = pageOf(open, size, cursorAfter);
  const events = await eventsOf(orm, page.items, values);
  const parts = page.items.flatMap((of) => {
    const asked = events.get(`${of.runId} ${of.seq}`);
    // Answered between the two reads.
    return asked ? [{ of, asked, intent: events.get(`${of.runId} ${of.intentSeq}`) }] : [];
  });
  const whole = (await withEvidence(orm.pool, parts)).map(inboxItem);
  const items = values === 'none' ? whole.map(withoutValues) : whole;
  return { items, ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
}

/** How much waits for a person; `hasMore`: it was not counted further. */
export interface InboxCount {
  readonly count: number;
  readonly hasMore: boolean;
}

const MOST_COUNTED = 1_000;

/** Counts what waits for a person in a workspace, up to 1,000. */
export async function countInbox(
  orm: Orm,
  workspaceId: string,
  { by, ...filter }: Pick<InboxFilter, 'kind' | 'flow' | 'by'> = {},
): Promise<InboxCount> {
  const found = await countQuestions(orm.pool, { workspaceId, ...filter, ...namesOf(by) }, MOST_COUNTED + 1);
  return { count: Math.min(found, MOST_COUNTED), hasMore: found > MOST_COUNTED };
}

/** The names by which an approval means who asks; who is at the machine itself may answer everything. */
const namesOf = (by: string | undefined) =>
  by === undefined || by === 'local' ? {} : { forNames: [by, by.replace(/^(key|user):/, '')] };

async function eventsOf(
  orm: Orm,
  open: readonly OpenQuestion[],
  values: 'whole' | 'none',
): Promise<Map<string, RecordedEvent>> {
  const keys = open.flatMap(({ runId, seq, intentSeq }) =>
    [seq, intentSeq].flatMap((place) => (place === undefined ? [] : [{ runId, seq: place }])),
  );
  const found = await loadEvents(orm.pool, keys);
  if (values === 'none') return byPlace(found);
  const whole = await Promise.all(
    found.map(
      async (event) => ({ ...event, data: await resolveEventData(orm.pool, event.data) }) as typeof event,
    ),
  );
  return byPlace(whole);
}

const byPlace = (events: Awaited<ReturnType<typeof loadEvents>>): Map<string, RecordedEvent> =>
  new Map(events.map((event) => [`${event.runId} ${event.seq}`, event]));

/** What was to be sent and what came late is for who opens the question. */
function withoutValues({ effect, late, ...item }: InboxItem): InboxItem {
  const { request: _, ...sent } = effect ?? {};
  const { output: __, ...answer } = late ?? {};
  return {
    ...item,
    ...(effect && { effect: sent as NonNullable<InboxItem['effect']> }),
    ...(late && { late: answer as NonNullable<InboxItem['late']> }),
  };
}

/** Names a question in a workspace. */
export interface QuestionRef {
  readonly workspaceId: string;
  readonly question: string;
}

/** One question in any state; undefined when the workspace has none such (V14). */
export async function getQuestion(orm: Orm, ref: QuestionRef): Promise<InboxQuestion | undefined> {
  const found = await findQuestion(orm, ref);
  if (!found) return undefined;
  const { asked: _, versionId: __, lateSeq: ___, ...question } = found;
  return question;
}

/** A question with the places of the journal that it comes from, and the version of its run. */
export interface FoundQuestion extends InboxQuestion {
  readonly asked: RecordedEvent;
  /** Of the late answer. */
  readonly lateSeq?: number;
  readonly versionId: string;
}

/** @internal A question for those who decide about it. */
export async function findQuestion(
  orm: Orm,
  { workspaceId, question }: QuestionRef,
): Promise<FoundQuestion | undefined> {
  const named = parseQuestionId(question);
  const em = orm.fork();
  const run = named && (await findRun(em, { workspaceId, runId: named.runId }));
  const asked = run && (await eventAt(orm, run.id, named.seq));
  if (!asked || !kindOfQuestion(asked)) return undefined;
  const node = await em.findOne(NodeRunEntity, { runId: run.id, path: asked.path });
  if (!node) return undefined;
  const events = await eventsOfNodeRun(orm, run.id, asked.path);
  const intent = events.findLast((event) => event.type === 'intent.recorded' && event.seq < asked.seq);
  const { path, nodeId, kind: nodeKind } = node;
  const of = { runId: run.id, flow: run.flowName, path, nodeId, nodeKind, seq: asked.seq, since: '' };
  const answer = events.find((event) => event.type === 'inbox.answered' && event.data.question === asked.seq);
  const more = node.more == null ? undefined : (JSON.parse(node.more) as NodeRunMore);
  const isOpen = more?.question === asked.seq;
  const [parts] = await withEvidence(orm.pool, [{ of, asked, intent }]);
  return {
    ...inboxItem(parts!),
    state: isOpen ? 'open' : answer ? 'answered' : 'closed',
    ...(answer?.type === 'inbox.answered' && { answer: givenAnswer(answer) }),
    asked,
    ...(parts!.late && { lateSeq: parts!.late.seq }),
    versionId: run.versionId,
  };
}

type Place = NonNullable<QuestionFilter['after']>;

const cursorAfter = ({ since, runId, path }: Place): string =>
  Buffer.from(JSON.stringify([since, runId, path])).toString('base64url');

/** @throws {StoreError} `cursor_invalid` */
function placeOf(cursor: string): Place {
  try {
    const [since, runId, path] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const isPlace = [since, path].every((part) => typeof part === 'string' && !part.includes('\u0000'));
    if (isPlace && !Number.isNaN(Date.parse(since)) && isId(runId)) return { since, runId, path };
  } catch {
    // Said below.
  }
  throw new StoreError('cursor_invalid');
}
