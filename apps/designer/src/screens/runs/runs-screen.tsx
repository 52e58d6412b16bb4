import { RUN_STATUSES, type RunStatus } from '@pawl/dag-core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { duration, money } from '../../ui/amounts.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import css from './runs-screen.module.css';

const ROW = 40;

/** The runs of the workspace, newest first; what is filtered is in the address. */
export function RunsScreen() {
  const { t, i18n } = useTranslation();
  const search = useSearch({ from: '/runs' });
  const navigate = useNavigate({ from: '/runs' });
  const list = useRef<HTMLDivElement>(null);
  const runs = useInfiniteQuery({
    queryKey: ['runs', search],
    queryFn: ({ pageParam, signal }) =>
      api.listRuns({
        query: {
          limit: 100,
          ...(search.status && { status: search.status }),
          ...(search.flow && { flow: search.flow }),
          ...(search.mode && { mode: search.mode }),
          ...(pageParam && { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: 3_000,
  });
  const rows = runs.data?.pages.flatMap(({ items }) => items) ?? [];
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  const lastShown = virtual.getVirtualItems().at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = runs;
  useEffect(() => {
    if (lastShown >= rows.length - 1 && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [lastShown, rows.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const toggle = (status: RunStatus) =>
    void navigate({
      search: (before) => {
        const chosen = before.status ?? [];
        const next = chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status];
        return { ...before, status: next.length > 0 ? next : undefined };
      },
    });
  const isFiltered = search.status !== undefined || search.flow !== undefined || search.mode !== undefined;
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const tick = (run: string, isTicked: boolean) =>
    setTicked((before) => (isTicked ? [...before, run] : before.filter((each) => each !== run)));
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
          {isFiltered && <Button onClick={() => void navigate({ search: {} })}>{t('runs.clear')}</Button>}
        </div>
        {ticked.length > 0 && (
          <Ticked runs={rows.filter(({ id }) => ticked.includes(id))} onNone={() => setTicked([])} />
        )}
        {runs.isPending && <p className={css.empty}>{t('state.loading')}</p>}
        {runs.isError && (
          <p className={css.empty} role="alert">
            {runs.error.message}
          </p>
        )}
        {runs.isSuccess && rows.length === 0 && (
          <p className={css.empty}>{isFiltered ? t('runs.noneFound') : t('runs.none')}</p>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
        <div ref={list} className={css.list} role="table" aria-label={t('rail.runs')} tabIndex={0}>
          <div className={`${css.row} ${css.head}`} role="row">
            <span role="columnheader" aria-label={t('compare.with')} />
            {(['status', 'flow', 'run', 'started', 'took', 'cost', 'note'] as const).map((column) => (
              <span key={column} role="columnheader">
                {t(`runs.columns.${column}`)}
              </span>
            ))}
          </div>
          <div role="rowgroup" className={css.body} style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start }) => {
              const run = rows[index]!;
              const from = Date.parse(run.startedAt ?? run.createdAt);
              const to = run.finishedAt ? Date.parse(run.finishedAt) : Date.now();
              const note =
                run.failure?.message ??
                run.degraded[0]?.reason ??
                (run.waitingFor && t(`waitingFor.${run.waitingFor.kind}`));
              return (
                <div
                  key={run.id}
                  role="row"
                  className={css.row}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <span role="cell">
                    <input
                      type="checkbox"
                      aria-label={t('compare.tick', { run: run.id.slice(-8) })}
                      checked={ticked.includes(run.id)}
                      onChange={({ target }) => tick(run.id, target.checked)}
                    />
                  </span>
                  <span role="cell">
                    <StatusPill status={run.status} />
                  </span>
                  <span role="cell">
                    {run.flow}
                    {run.mode && ` · ${t('testing.test')}`}
                  </span>
                  <span role="cell">
                    <Link to="/runs/$runId" params={{ runId: run.id }}>
                      {run.id.slice(-8)}
                    </Link>
                  </span>
                  <span role="cell">{new Date(run.createdAt).toLocaleString(i18n.language)}</span>
                  <span role="cell">{duration(to - from)}</span>
                  <span role="cell">{money(run.budget.spent.costNanoUsd)}</span>
                  <span role="cell" title={note}>
                    {note}
                  </span>
                </div>
              );
            })}
          </div>
        </div>
      </div>
    </Page>
  );
}

/** What can be done with the runs that are chosen. */
function Ticked({
  runs,
  onNone,
}: {
  readonly runs: readonly { readonly id: string; readonly flow: string }[];
  readonly onNone: () => void;
}) {
  const { t } = useTranslation();
  const [one, other] = runs;
  const areTwo = runs.length === 2 && one!.flow === other!.flow;
  return (
    <div className={css.ticked} role="status">
      {t('compare.ticked', { count: runs.length })}
      {areTwo ? (
        <Link to="/compare" search={{ left: other!.id, right: one!.id }}>
          {t('compare.these')}
        </Link>
      ) : (
        <span>{t('compare.tickTwo')}</span>
      )}
      <Button look="quiet" onClick={onNone}>
        {t('compare.untick')}
      </Button>
    </div>
  );
}
