import type { WorkState } from '@pawl/api';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { workStateQuery } from '../../../api/work-state.ts';
import { duration } from '../../../ui/amounts.ts';
import pill from '../../../ui/status-pill.module.css';
import { Part } from '../part.tsx';
import css from '../table.module.css';
import own from './workers.module.css';

/** Who works now, and what waits for whom. */
export function Workers() {
  const { t } = useTranslation();
  const work = useQuery(workStateQuery);
  return (
    <>
      <Part title={t('settings.workers')} about={t('workers.about')}>
        {work.isError && (
          <p className={css.trouble} role="alert">
            {work.error.message}
          </p>
        )}
        {work.isPending && <p className={css.quiet}>{t('state.loading')}</p>}
        {work.data?.workers.length === 0 && (
          <p className={own.nobody} role="alert">
            {t('workers.none')}
          </p>
        )}
        {work.data && work.data.workers.length > 0 && (
          <ul className={own.workers}>
            {work.data.workers.map((worker) => (
              <Worker key={worker.id} worker={worker} readAt={work.dataUpdatedAt} />
            ))}
          </ul>
        )}
      </Part>
      {work.data && (
        <Part title={t('workers.pools')} about={t(`workers.queue.${work.data.queue}`)}>
          <Pools {...work.data} readAt={work.dataUpdatedAt} />
          {work.data.isCut && <p className={css.quiet}>{t('workers.cut')}</p>}
        </Part>
      )}
    </>
  );
}

function Worker({
  worker,
  readAt,
}: {
  readonly worker: WorkState['workers'][number];
  readonly readAt: number;
}) {
  const { t } = useTranslation();
  const { id, host, pid, startedAt, pools, offers, held, nodeRuns } = worker;
  return (
    <li className={own.worker} aria-label={t('workers.name', { host, pid })}>
      <header>
        <h3>{t('workers.name', { host, pid })}</h3>
        <span className={`${pill.pill} ${pill.ok}`}>{t('workers.lives')}</span>
        {pools.map((pool) => (
          <span key={pool} className={`${pill.pill} ${pill.skip}`}>
            {pool}
          </span>
        ))}
      </header>
      <p className={css.quiet}>
        {t('workers.since', { time: duration(readAt - Date.parse(startedAt)) })} · <code>{id.slice(-8)}</code>
        {offers &&
          ` · ${t('workers.offers', { tools: offers.tools.length, providers: offers.providers.join(', ') })}`}
      </p>
      <p>{held === 0 ? t('workers.idle') : t('workers.held', { count: held })}</p>
      {nodeRuns.length > 0 && (
        <ul className={own.held}>
          {nodeRuns.map(({ runId, path, flow, since }) => (
            <li key={`${runId} ${path}`}>
              <Link to="/runs/$runId" params={{ runId }} search={{ select: path }}>
                {flow} · {path}
              </Link>{' '}
              <span className={css.quiet}>{duration(readAt - Date.parse(since))}</span>
            </li>
          ))}
        </ul>
      )}
      {held > nodeRuns.length && nodeRuns.length > 0 && (
        <p className={css.quiet}>{t('workers.more', { count: held - nodeRuns.length })}</p>
      )}
    </li>
  );
}

function Pools({ pools, readAt }: Pick<WorkState, 'pools'> & { readonly readAt: number }) {
  const { t, i18n } = useTranslation();
  const number = (count: number) => count.toLocaleString(i18n.language);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
    <div className={css.frame} tabIndex={0} role="group" aria-label={t('workers.pools')}>
      <table className={css.table} aria-label={t('workers.pools')}>
        <thead>
          <tr>
            {(['pool', 'workers', 'waiting', 'oldest', 'jobs'] as const).map((column) => (
              <th key={column} scope="col" className={column === 'jobs' ? css.lesser : undefined}>
                {t(`workers.columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pools.map(({ pool, workers, ready, inLine, oldest, jobs }) => (
            <tr key={pool}>
              <th scope="row">{pool}</th>
              <td>
                {workers > 0 ? (
                  t('workers.serve', { count: workers })
                ) : (
                  <span className={`${pill.pill} ${pill.unsure}`}>{t('workers.unserved')}</span>
                )}
              </td>
              <td>
                {t('workers.waiting', { number: number(ready) })}
                {inLine > 0 && (
                  <span className={css.quiet}> {t('workers.inLine', { number: number(inLine) })}</span>
                )}
              </td>
              <td className={css.quiet}>
                {oldest === undefined
                  ? '–'
                  : t('workers.for', { time: duration(readAt - Date.parse(oldest)) })}
              </td>
              <td className={`${css.quiet} ${css.lesser}`}>
                {jobs ? t('workers.jobs', jobs) : t('workers.noQueue')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
