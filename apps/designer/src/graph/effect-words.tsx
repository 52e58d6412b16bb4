import type { ToolInfo } from '@pawl/api';
import { useTranslation } from 'react-i18next';
import { EffectBadge } from './effect-badge.tsx';
import css from './effect-words.module.css';

/** What a tool does to the world, and what becomes of a call whose outcome is lost, in words. */
export function EffectWords({ tool }: { readonly tool: ToolInfo }) {
  const { t } = useTranslation();
  const key = tool.effect === 'non_repeatable' && tool.probes ? 'probed' : tool.effect;
  return (
    <p className={css.effect}>
      <EffectBadge effect={tool.effect} compensates={tool.compensates} />
      <span>
        {tool.description && `${tool.description} `}
        {t(`inspector.effects.${key}`)}
        {tool.compensates && ` ${t('inspector.effects.compensates')}`}
      </span>
    </p>
  );
}
