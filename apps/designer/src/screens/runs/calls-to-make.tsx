import { useTranslation } from 'react-i18next';
import { EffectBadge } from '../../graph/effect-badge.tsx';
import type { BulkAnswer } from '../../runs/bulk-request.ts';
import css from './calls-to-make.module.css';

/** What would be called when it is confirmed, and what repeating that does (rule 6 of the designer). */
export function CallsToMake({ calls }: { readonly calls: NonNullable<BulkAnswer['calls']> }) {
  const { t } = useTranslation();
  if (calls.length === 0) return <p>{t('runs.calls.none')}</p>;
  return (
    <>
      <p>{t('runs.calls.title')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
      <ul className={css.calls} aria-label={t('runs.calls.title')} tabIndex={0}>
        {calls.map(({ target, effect, count }) => (
          <li key={`${target} ${effect}`}>
            <code>{target}</code>
            {effect === 'model' ? <span>{t('runs.calls.model')}</span> : <EffectBadge effect={effect} />}
            <span className={css.count}>{t('runs.calls.times', { count })}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
