import type { ToolUse } from '@pawl/api';
import type { EffectClass } from '@pawl/dag-core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { failureRate, percent } from '../../tools/call-rates.ts';
import { duration } from '../../ui/amounts.ts';
import part from './tool-screen.module.css';
import css from './tool-use.module.css';

const SPANS = ['day', 'week'] as const;

/** How the calls of a tool went lately. Calls of pure tools are not recorded one by one, and the screen says so. */
export function ToolCalls({
  calls,
  effect,
}: {
  readonly calls: ToolUse['calls'];
  readonly effect: EffectClass;
}) {
  const { t, i18n } = useTranslation();
  const id = useId();
  const hasCalls = calls.week.calls > 0;
  return (
    <section className={part.part} aria-labelledby={id}>
      <h3 id={id}>{t('tools.use.calls')}</h3>
      {effect === 'pure' && <p className={part.note}>{t('tools.use.pure')}</p>}
      {effect !== 'pure' && !hasCalls && <p className={part.note}>{t('tools.use.noCalls')}</p>}
      {hasCalls && (
        <table className={css.calls} aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">
                <span className={css.unseen}>{t('tools.use.span')}</span>
              </th>
              {(['calls', 'failed', 'median'] as const).map((column) => (
                <th key={column} scope="col">
                  {t(`tools.use.columns.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {SPANS.map((span) => {
              const { calls: count, failed, lost, medianMs } = calls[span];
              const rate = failureRate(calls[span]);
              return (
                <tr key={span}>
                  <th scope="row">{t(`tools.use.spans.${span}`)}</th>
                  <td>{count.toLocaleString(i18n.language)}</td>
                  <td className={failed > 0 ? css.failed : undefined}>
                    {rate === undefined ? '–' : percent(rate)}
                    {failed > 0 && <small>{t('tools.use.failed', { count: failed })}</small>}
                    {lost > 0 && <small>{t('tools.use.lost', { count: lost })}</small>}
                  </td>
                  <td>{medianMs === undefined ? '–' : duration(medianMs)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {calls.onlySince !== undefined && (
        <p className={part.note}>
          {t('tools.use.onlySince', {
            since: new Date(calls.onlySince).toLocaleString(i18n.language, {
              dateStyle: 'medium',
              timeStyle: 'short',
            }),
          })}
        </p>
      )}
    </section>
  );
}
