import { RUN_STATUSES, type RunStatus } from '@pawl/dag-core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { RunFilters } from '../../app/addresses.ts';
import type { ChosenRuns } from '../../runs/bulk-request.ts';
import { recentNews } from '../../runs/recent-news.ts';
import { correctPage } from '../../runs/run-news.ts';
import { isFiltered, runQueryOf } from '../../runs/run-query.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { useTick } from '../../ui/use-tick.ts';
import { ChosenBar } from './chosen-bar.tsx';
import { FilterChips } from './filter-chips.tsx';
import { type ListedRun, RunRow } from './run-row.tsx';
import css from './runs-screen.module.css';

const ROW = 40;
/** Pages that are compared now and then; who has scrolled farther sees what is told. */
const MOST_COMPARED = 10;
/** Pages without a run that fits, after which somebody must want more. */
const MOST_EMPTY = 5;

/** The runs of the workspace, newest first; what is filtered is in the address. */
export function RunsScreen() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/runs' });
  const navigate = useNavigate({ from: '/runs' });
  const list = useRef<HTMLDivElement>(null);
  const runs = useInfiniteQuery({
    queryKey: ['runs', 'list', search],
    queryFn: async ({ pageParam, signal }) => {
      const page = await api.listRuns({
        query: {
          limit: 100,
          ...runQueryOf(search),
          ...(pageParam && { cursor: pageParam }),
        },
        signal,
      });
      // The answer may be older than what was heard while it was on its way.
      return correctPage({ ...page, lastId: page.items.at(-1)?.id }, recentNews.runs, search);
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Changes are told as they happen; this is for what was lost on the way.
    refetchInterval: ({ state }) => (state.data?.pages.length ?? 0) <= MOST_COMPARED && 15_000,
  });
  const rows = runs.data?.pages.flatMap(({ items }) => items) ?? [];
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  const shown = virtual.getVirtualItems();
  // How long they have been taking.
  useTick(
    1_000,
    shown.some(({ index }) => rows[index]?.finishedAt === undefined),
  );
  const lastShown = shown.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = runs;
  const newest = runs.data?.pages.slice(-MOST_EMPTY) ?? [];
  const isPausing = newest.length === MOST_EMPTY && newest.every(({ items }) => items.length === 0);
  useEffect(() => {
    if (lastShown >= rows.length - 1 && hasNextPage && !isFetchingNextPage && !isPausing)
      void fetchNextPage();
  }, [lastShown, rows.length, hasNextPage, isFetchingNextPage, fetchNextPage, isPausing]);
  const toggle = (status: RunStatus) =>
    void navigate({
      search: (before) => {
        const chosen = before.status ?? [];
        const next = chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status];
        return { ...before, status: next.length > 0 ? next : undefined };
      },
    });
  const isNarrowed = isFiltered(search);
  const [ticked, setTicked] = useState<readonly string[] | 'all'>([]);
  const isAll = ticked === 'all';
  const tick = (run: string, isTicked: boolean) =>
    setTicked((before) => {
      const others = before === 'all' ? [] : before.filter((each) => each !== run);
      return isTicked ? [...others, run] : others;
    });
  // Nothing is done to a run that is not on screen any more.
  const chosenRows = isAll ? rows : rows.filter(({ id }) => ticked.includes(id));
  const chosen = chosenOf(isAll, chosenRows, search);
  return (
    <Page title={t('rail.runs')} isBare>
      <div className={css.screen}>
        <div className={css.filters} role="group" aria-label={t('runs.filters')}>
          {RUN_STATUSES.map((status) => (
            <button
              key={status}
              type="button"
              className={css.chip}
              aria-pressed={search.status?.includes(status) ?? false}
              onClick={() => toggle(status)}
            >
              <StatusPill status={status} />
            </button>
          ))}
          <label className={css.flow}>
            {t('runs.flow')}
            <input
              type="search"
              defaultValue={search.flow ?? ''}
              onChange={({ target }) =>
                void navigate({
                  search: (before) => ({ ...before, flow: target.value || undefined }),
                  replace: true,
                })
              }
            />
          </label>
          <label className={css.flow}>
            {t('runs.mode')}
            <select
              value={search.mode ?? ''}
              onChange={({ target }) =>
                void navigate({
                  search: (before) => ({
                    ...before,
                    mode: (target.value || undefined) as typeof search.mode,
                  }),
                })
              }
            >
              <option value="">{t('runs.modes.both')}</option>
              <option value="live">{t('runs.modes.live')}</option>
              <option value="test">{t('runs.modes.test')}</option>
            </select>
          </label>
          <FilterChips filters={search} />
          {isNarrowed && <Button onClick={() => void navigate({ search: {} })}>{t('runs.clear')}</Button>}
        </div>
        <ChosenBar
          chosen={chosen}
          rows={chosenRows}
          onNone={() => setTicked([])}
          onClosed={() => list.current?.focus({ preventScroll: true })}
        />
        {runs.isPending && <p className={css.empty}>{t('state.loading')}</p>}
        {runs.isError && (
          <p className={css.empty} role="alert">
            {runs.error.message}
          </p>
        )}
        {runs.isSuccess && rows.length === 0 && (
          <p className={css.empty}>
            {hasNextPage && !isPausing
              ? t('runs.looking')
              : isNarrowed
                ? t('runs.noneFound')
                : t('runs.none')}
          </p>
        )}
        {isPausing && hasNextPage && (
          <p className={css.empty}>
            <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t('runs.lookFurther')}
            </Button>
          </p>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
        <div ref={list} className={css.list} role="table" aria-label={t('rail.runs')} tabIndex={0}>
          <div className={`${css.row} ${css.head}`} role="row">
            <span role="columnheader">
              <input
                type="checkbox"
                aria-label={t('runs.bulk.chooseAll')}
                checked={isAll}
                disabled={rows.length === 0 && !isAll}
                ref={(box) => {
                  if (box) box.indeterminate = !isAll && chosenRows.length > 0;
                }}
                onChange={({ target }) => setTicked(target.checked ? 'all' : [])}
              />
            </span>
            {(['status', 'flow', 'run', 'started', 'took', 'cost', 'note'] as const).map((column) => (
              <span key={column} role="columnheader">
                {t(`runs.columns.${column}`)}
              </span>
            ))}
          </div>
          <div role="rowgroup" className={css.body} style={{ height: virtual.getTotalSize() }}>
            {shown.map(({ index, start }) => {
              const run = rows[index]!;
              return (
                <RunRow
                  key={run.id}
                  run={run}
                  offset={start}
                  isTicked={isAll || ticked.includes(run.id)}
                  onTick={isAll ? undefined : (isTicked) => tick(run.id, isTicked)}
                />
              );
            })}
          </div>
        </div>
      </div>
    </Page>
  );
}

function chosenOf(isAll: boolean, rows: readonly ListedRun[], filter: RunFilters): ChosenRuns | undefined {
  const [newest] = rows;
  if (!newest) return undefined;
  if (isAll) return { kind: 'all', filter, newestAt: newest.createdAt };
  return { kind: 'ticked', runIds: rows.map(({ id }) => id) };
}
