import type { CallResult, Routes } from '@pawl/api';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../access/me.ts';
import { api, queryClient } from '../../../api/client.ts';
import { fieldsOf } from '../../../settings/limit-form.ts';
import { Button } from '../../../ui/button.tsx';
import pill from '../../../ui/status-pill.module.css';
import { Confirm } from '../confirm.tsx';
import { Part } from '../part.tsx';
import css from '../table.module.css';
import { SetLimit } from './set-limit.tsx';

type Limit = CallResult<Routes['listLimits']>['items'][number];
type Open =
  | { readonly what: 'set'; readonly limit?: Limit }
  | { readonly what: 'remove'; readonly target: string };

/** How often models and tools may be called, and what of it is used now. */
export function Limits() {
  const { t } = useTranslation();
  const isAdmin = useMay('admin');
  const [open, setOpen] = useState<Open>();
  const limits = useQuery({
    queryKey: ['limits'],
    queryFn: ({ signal }) => api.listLimits({ signal }),
    refetchInterval: 5_000,
  });
  const items = limits.data?.items ?? [];
  const close = () => setOpen(undefined);
  return (
    <Part
      title={t('settings.limits')}
      about={t('limits.about')}
      action={
        <Button look="primary" needs="admin" onClick={() => setOpen({ what: 'set' })}>
          {t('limits.add')}
        </Button>
      }
    >
      {limits.isError && (
        <p className={css.trouble} role="alert">
          {limits.error.message}
        </p>
      )}
      {limits.isSuccess && items.length === 0 && <p className={css.quiet}>{t('limits.none')}</p>}
      {items.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
        <div className={css.frame} tabIndex={0} role="group" aria-label={t('settings.limits')}>
          <table className={css.table} aria-label={t('settings.limits')}>
            <thead>
              <tr>
                {(['target', 'most', 'now', 'actions'] as const).map((column) => (
                  <th key={column} scope="col" className={column === 'actions' ? css.actions : undefined}>
                    {t(`limits.columns.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map((limit) => (
                <tr key={`${limit.scope} ${limit.target}`}>
                  <th scope="row" title={limit.target} className={css.whole}>
                    <code>{limit.target}</code>
                  </th>
                  <td className={css.whole}>{limitWords(limit, t)}</td>
                  <td className={css.quiet}>
                    <Now limit={limit} />
                  </td>
                  <td className={css.actions}>
                    {limit.scope === 'everybody' ? (
                      <span className={css.quiet}>{t('limits.everybody')}</span>
                    ) : (
                      isAdmin && (
                        <>
                          <Button
                            look="quiet"
                            aria-label={t('limits.changeOf', { target: limit.target })}
                            onClick={() => setOpen({ what: 'set', limit })}
                          >
                            {t('limits.change')}
                          </Button>
                          <Button
                            look="quiet"
                            aria-label={t('limits.removeOf', { target: limit.target })}
                            onClick={() => setOpen({ what: 'remove', target: limit.target })}
                          >
                            {t('limits.remove')}
                          </Button>
                        </>
                      )
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {open?.what === 'set' && <SetLimit limit={open.limit} onClose={close} />}
      {open?.what === 'remove' && (
        <Confirm
          title={t('limits.removeOf', { target: open.target })}
          text={t('limits.removeText')}
          action={t('limits.removeThis')}
          onConfirm={async () =>
            queryClient.setQueryData(['limits'], await api.removeLimit({ query: { target: open.target } }))
          }
          onClose={close}
        />
      )}
    </Part>
  );
}

/** `500 calls and 200,000 tokens in 1 minute · 8 at once` */
function limitWords(limit: Limit, t: TFunction): string {
  const { concurrency, requests, tokens } = limit;
  const { window, unit } = fieldsOf(limit);
  const perWindow = [
    ...(requests === undefined ? [] : [t('limits.calls', { count: requests })]),
    ...(tokens === undefined ? [] : [t('limits.tokens', { count: tokens })]),
  ].join(t('limits.and'));
  return [
    ...(perWindow
      ? [t('limits.in', { what: perWindow, window: t(`limits.spans.${unit}`, { count: Number(window) }) })]
      : []),
    ...(concurrency === undefined ? [] : [t('limits.atOnce', { count: concurrency })]),
  ].join(' · ');
}

function Now({ limit: { pausedUntil, underWay = 0, waiting = 0, scope } }: { readonly limit: Limit }) {
  const { t, i18n } = useTranslation();
  return (
    <>
      {scope === 'workspace' && t('limits.use', { underWay, waiting })}
      {pausedUntil !== undefined && (
        <>
          {' '}
          <span className={`${pill.pill} ${pill.unsure}`}>
            {t('limits.paused', { time: new Date(pausedUntil).toLocaleTimeString(i18n.language) })}
          </span>
        </>
      )}
    </>
  );
}
