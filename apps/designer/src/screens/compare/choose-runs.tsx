import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { Page } from '../../ui/page.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import css from './choose-runs.module.css';

/** Chooses the runs: any for the left, then one of the same flow for the right. */
export function ChooseRuns() {
  const { t } = useTranslation();
  const { left, right } = useSearch({ from: '/compare' });
  const navigate = useNavigate({ from: '/compare' });
  const chosen = useQuery({
    queryKey: ['run', left],
    queryFn: ({ signal }) => api.getRun({ params: { runId: left! }, signal }),
    enabled: left !== undefined,
  });
  const choose = (side: 'left' | 'right') => (run: string) =>
    void navigate({ search: { ...(left && { left }), ...(right && { right }), [side]: run } });
  return (
    <Page title={t('compare.title')}>
      <div className={css.screen}>
        <p className={css.about}>{t('compare.about')}</p>
        <div className={css.sides}>
          <RunList label={t('compare.left')} chosen={left} onChoose={choose('left')} />
          {chosen.isError ? (
            <p role="alert">{chosen.error.message}</p>
          ) : left ? (
            chosen.data && (
              <RunList
                label={t('compare.right')}
                flow={chosen.data.flow}
                except={left}
                chosen={right}
                onChoose={choose('right')}
              />
            )
          ) : (
            <section className={css.later}>
              <h2>{t('compare.right')}</h2>
              <p>{t('compare.leftFirst')}</p>
            </section>
          )}
        </div>
        <section className={css.later} aria-label={t('compare.experiments')}>
          <h2>{t('compare.experiments')}</h2>
          <p>{t('compare.experimentsLater')}</p>
        </section>
      </div>
    </Page>
  );
}

function RunList({
  label,
  flow,
  except,
  chosen,
  onChoose,
}: {
  readonly label: string;
  /** Only runs of this flow. */
  readonly flow?: string;
  readonly except?: string;
  readonly chosen: string | undefined;
  readonly onChoose: (run: string) => void;
}) {
  const { t, i18n } = useTranslation();
  const [typed, setTyped] = useState('');
  const wanted = useDeferredValue(typed.trim());
  const runs = useQuery({
    queryKey: ['runs', 'to compare', flow ?? wanted],
    queryFn: ({ signal }) =>
      api.listRuns({ query: { limit: 50, ...((flow ?? wanted) && { flow: flow ?? wanted }) }, signal }),
  });
  const items = (runs.data?.items ?? []).filter(({ id }) => id !== except);
  return (
    <section className={css.side} aria-label={label}>
      <h2>{label}</h2>
      {flow === undefined ? (
        <label className={css.flow}>
          {t('runs.flow')}
          <input type="search" value={typed} onChange={({ target }) => setTyped(target.value)} />
        </label>
      ) : (
        <p className={css.note}>{t('compare.ofFlow', { flow })}</p>
      )}
      {runs.isPending && <p className={css.note}>{t('state.loading')}</p>}
      {runs.isError && <p role="alert">{runs.error.message}</p>}
      {runs.isSuccess && items.length === 0 && (
        <p className={css.note}>{t(flow ? 'compare.noOther' : wanted ? 'runs.noneFound' : 'runs.none')}</p>
      )}
      <ul className={css.runs}>
        {items.map((run) => (
          <li key={run.id}>
            <button type="button" aria-pressed={run.id === chosen} onClick={() => onChoose(run.id)}>
              <span className={css.name}>
                {run.flow} <code>{run.id.slice(-8)}</code>
              </span>
              <StatusPill status={run.status} />
              <span className={css.note}>
                {new Date(run.createdAt).toLocaleString(i18n.language)} ·{' '}
                {t('compare.version', { version: run.version.slice(0, 8) })}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
