import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { size } from '../../../ui/amounts.ts';
import { Part } from '../part.tsx';
import css from '../table.module.css';

/** How long things are kept and how much may wait: decided by the environment of the engine, so only to be read. */
export function Retention() {
  const { t, i18n } = useTranslation();
  const keeping = useQuery({ queryKey: ['keeping'], queryFn: ({ signal }) => api.getKeeping({ signal }) });
  const days = (count: number | undefined) =>
    count === undefined ? t('retention.forEver') : t('retention.days', { count });
  const { runDays, receiptDays, uploadBytes = 0, queueLimit = 0, workspaceLimit = 0 } = keeping.data ?? {};
  const rows = [
    ['runs', 'PAWL_RETENTION_DAYS', days(runDays)],
    ['receipts', 'PAWL_RECEIPT_DAYS', days(runDays === undefined ? undefined : receiptDays)],
    ['upload', 'PAWL_UPLOAD_BYTES', size(uploadBytes)],
    ['queue', 'PAWL_QUEUE_LIMIT', queueLimit.toLocaleString(i18n.language)],
    ['workspace', 'PAWL_WORKSPACE_LIMIT', workspaceLimit.toLocaleString(i18n.language)],
  ] as const;
  return (
    <Part title={t('settings.retention')} about={t('retention.about')}>
      {keeping.isError && (
        <p className={css.trouble} role="alert">
          {keeping.error.message}
        </p>
      )}
      {keeping.isPending && <p className={css.quiet}>{t('state.loading')}</p>}
      {keeping.data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
        <div className={css.frame} tabIndex={0} role="group" aria-label={t('settings.retention')}>
          <table className={css.table} aria-label={t('settings.retention')}>
            <thead>
              <tr>
                {(['what', 'is', 'by'] as const).map((column) => (
                  <th key={column} scope="col">
                    {t(`retention.columns.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([what, variable, is]) => (
                <tr key={what}>
                  <th scope="row">{t(`retention.what.${what}`)}</th>
                  <td>{is}</td>
                  <td className={css.quiet}>
                    <code>{variable}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Part>
  );
}
