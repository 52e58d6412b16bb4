import type { Client, RunSummary } from '@pawl/api';
import type { RunFilters } from '../app/addresses.ts';

/** A page of the list of runs, newest first. */
export type RunPage = Awaited<ReturnType<Client['listRuns']>> & {
  /** The last run that the page was given with: down to there the list has been read, also when that run fits no more. */
  readonly lastId?: string | undefined;
};

/** Whether a run belongs into a list, by what its summary says. Which nodes failed it does not say: such a list is read again. */
export function fitsRunFilters(run: RunSummary, filters: RunFilters): boolean {
  const { status, flow, mode, waitingFor, version, from, to, tag, costAbove } = filters;
  const createdAt = Date.parse(run.createdAt);
  const [, key = '', value] = tag === undefined ? [] : (/^([^:]+):(.*)$/s.exec(tag) ?? []);
  return (
    (status?.includes(run.status) ?? true) &&
    (flow === undefined || run.flow === flow) &&
    (mode === undefined || (run.mode ?? 'live') === mode) &&
    (waitingFor === undefined || run.waitingFor?.kind === waitingFor) &&
    (version === undefined || run.version === version) &&
    (from === undefined || createdAt > Date.parse(from)) &&
    (to === undefined || createdAt < Date.parse(to)) &&
    (tag === undefined || run.tags[key] === value) &&
    (costAbove === undefined || run.budget.spent.costNanoUsd > costAbove * 1e9)
  );
}

/**
 * The pages of a list after what was heard of runs: each stands as it was told last, one that fits no more is gone, and one that is new
 * stands at its place, as far as the list has been read. What is older than what the list says is not taken.
 */
export function withRunNews(
  pages: readonly RunPage[],
  news: readonly RunSummary[],
  filters: RunFilters,
): RunPage[] {
  const updated = pages.map((page) => correctPage(page, news, filters));
  if (filters.failedNode !== undefined) return updated;
  const known = new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)));
  for (const run of news) if (!known.has(run.id) && fitsRunFilters(run, filters)) insert(updated, run);
  return updated;
}

/** A page as what was heard of its runs corrects it; no run comes in. */
export function correctPage(page: RunPage, news: readonly RunSummary[], filters: RunFilters): RunPage {
  const heard = new Map(news.map((run) => [run.id, run]));
  const items = page.items.flatMap((known) => {
    const told = heard.get(known.id);
    if (!told || told.lastSeq < known.lastSeq) return [known];
    return fitsRunFilters(told, filters) ? [told] : [];
  });
  return { ...page, items };
}

function insert(pages: RunPage[], run: RunSummary): void {
  const isBefore = (id: string | undefined) => id !== undefined && id < run.id;
  const found = pages.findIndex(({ lastId, nextCursor }) => isBefore(lastId) || nextCursor === undefined);
  const page = pages[found];
  // It comes with a page that has not been read.
  if (!page) return;
  const place = page.items.findIndex(({ id }) => isBefore(id));
  const items = [...page.items];
  items.splice(place === -1 ? items.length : place, 0, run);
  pages[found] = { ...page, items };
}
