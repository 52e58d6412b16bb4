import { useTranslation } from 'react-i18next';
import type { RunMoment } from '../../run/history.ts';
import { money, short } from '../../ui/amounts.ts';
import css from './run-page.module.css';

/** What a run has spent, of what it may, and what is left. */
export function RunSpent({ moment: { spent, limits } }: { readonly moment: RunMoment }) {
  const { t } = useTranslation();
  const { costUsd, tokens } = limits;
  const cost = money(spent.costNanoUsd);
  return (
    <span className={css.spent}>
      {costUsd === undefined ? cost : t('run.of', { spent: cost, limit: money(costUsd * 1e9) })}
      {' · '}
      {tokens === undefined
        ? t('run.tokens', { tokens: short(spent.tokens) })
        : t('run.tokensOf', { spent: short(spent.tokens), limit: short(tokens) })}
      {costUsd !== undefined && (
        <span className={spent.costNanoUsd > costUsd * 0.8e9 ? css.scarce : undefined}>
          {' · '}
          {t('run.left', { left: money(Math.max(0, costUsd * 1e9 - spent.costNanoUsd)) })}
        </span>
      )}
    </span>
  );
}
