import type { EffectClass } from '@pawl/dag-core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import css from './effect-badge.module.css';

/** What repeating a tool does, in one sign with its words for who asks. */
export const EffectBadge = memo(function EffectBadge({
  effect,
  compensates,
}: {
  readonly effect: EffectClass;
  readonly compensates?: boolean | undefined;
}) {
  const { t } = useTranslation();
  const words = t(`effect.${effect}`);
  return (
    <span className={css.badges}>
      <span className={`${css.badge} ${css[effect]}`} title={words}>
        <span aria-hidden="true">{SIGNS[effect]}</span>
        <span className={css.words}>{words}</span>
      </span>
      {compensates && (
        <span className={css.badge} title={t('effect.compensates')}>
          <span aria-hidden="true">↩</span>
          <span className={css.words}>{t('effect.compensates')}</span>
        </span>
      )}
    </span>
  );
});

const SIGNS: Readonly<Record<EffectClass, string>> = { pure: 'pure', idempotent: '↻', non_repeatable: '1×' };
