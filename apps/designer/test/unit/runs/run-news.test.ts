// Would catch: a run that stands twice in the list, at the wrong place, as it was before, or though it does not fit the filters.
import type { RunSummary } from '@pawl/api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunFilters } from '../../../src/app/addresses.ts';
import { correctPage, fitsRunFilters, type RunPage, withRunNews } from '../../../src/runs/run-news.ts';

const STATUSES = ['running', 'waiting', 'succeeded'] as const;
const aRun = (id: number, lastSeq: number): RunSummary =>
  ({
    id: `r-${String(id).padStart(3, '0')}`,
    flow: 'f',
    status: STATUSES[(id + lastSeq) % 3],
    lastSeq,
  }) as RunSummary;
const newestFirst = (runs: readonly RunSummary[]) =>
  runs.toSorted((one, other) => (one.id < other.id ? 1 : -1));
const filters = fc.constantFrom<RunFilters>(
  {},
  { status: ['running'] },
  { status: ['running', 'succeeded'] },
);

/** The list as an engine gives it, in pages of 3; the last page that is read may not be the last one. */
function pagesOf(runs: readonly RunSummary[], pageCount: number): RunPage[] {
  const pages: RunPage[] = [];
  for (let from = 0; pages.length < pageCount; from += 3) {
    const items = runs.slice(from, from + 3);
    const hasMore = runs.length > from + 3;
    pages.push({ items, lastId: items.at(-1)?.id, ...(hasMore && { nextCursor: items.at(-1)!.id }) });
    if (!hasMore) break;
  }
  return pages;
}
const shown = (pages: readonly RunPage[]) => pages.flatMap(({ items }) => items);

describe('the list of runs', () => {
  it('is after all news what the engine would give, whatever came twice, late or in another order', () => {
    const steps = fc.array(fc.tuple(fc.nat(12), fc.nat(5)), { maxLength: 20 });
    fc.assert(
      fc.property(
        steps,
        steps,
        filters,
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat(19)),
        (before, after, filter, pageCount, doubled) => {
          const old = new Map<string, RunSummary>();
          for (const [id, seq] of before) old.set(aRun(id, seq).id, aRun(id, seq));
          const now = new Map(old);
          const news: RunSummary[] = [];
          for (const [id, seq] of after) {
            const run = aRun(id, (now.get(aRun(id, 0).id)?.lastSeq ?? 0) + seq);
            now.set(run.id, run);
            news.push(run);
          }
          // The feed passes on the newest of each run only; what is told twice changes nothing.
          const told = [...new Map(news.map((run) => [run.id, run])).values()];
          const fitting = (runs: Map<string, RunSummary>) =>
            newestFirst([...runs.values()].filter((run) => fitsRunFilters(run, filter)));
          let pages = pagesOf(fitting(old), pageCount);
          for (const each of [told, ...doubled.flatMap((at) => (news[at] ? [[now.get(news[at].id)!]] : []))])
            pages = withRunNews(pages, each, filter);
          const all = fitting(now);
          const last = pages.at(-1)!;
          const expected =
            last.nextCursor === undefined ? all : all.filter(({ id }) => id >= last.nextCursor!);
          expect(shown(pages)).toEqual(expected);
        },
      ),
    );
  });

  it('knows each filter that a summary can tell of', () => {
    const run = {
      ...aRun(1, 1),
      version: 'v',
      createdAt: '2026-01-02T03:04:05.000Z',
      waitingFor: { kind: 'person', since: '' },
      tags: { team: 'a:b' },
      budget: { spent: { costNanoUsd: 2_000_000 } },
    } as unknown as RunSummary;
    const fits = [
      { waitingFor: 'person' as const },
      { version: 'v' },
      { from: '2026-01-02T03:04:04.000Z', to: '2026-01-02T03:04:06.000Z' },
      { tag: 'team:a:b' },
      { costAbove: 0.001 },
      { flow: 'f', mode: 'live' as const },
    ];
    const fitsNot = [
      { waitingFor: 'timer' as const },
      { version: 'w' },
      { from: '2026-01-02T03:04:05.000Z' },
      { to: '2026-01-02T03:04:05.000Z' },
      { tag: 'team:a' },
      { costAbove: 0.002 },
      { mode: 'test' as const },
    ];
    expect(fits.map((filter) => fitsRunFilters(run, filter))).toEqual(fits.map(() => true));
    expect(fitsNot.map((filter) => fitsRunFilters(run, filter))).toEqual(fitsNot.map(() => false));
    expect(withRunNews([{ items: [] }], [run], { failedNode: 'read' })).toEqual([{ items: [] }]);
  });

  it('takes nothing that is older than what it says', () => {
    const page = { items: [aRun(1, 9)] };
    expect(withRunNews([page], [aRun(1, 6)], {})).toEqual([page]);
  });

  it('an answer that was on its way is corrected, and nothing comes into it', () => {
    const page = { items: [aRun(3, 1), aRun(1, 1)] };
    expect(correctPage(page, [aRun(3, 4), aRun(2, 1)], {}).items).toEqual([aRun(3, 4), aRun(1, 1)]);
  });
});
