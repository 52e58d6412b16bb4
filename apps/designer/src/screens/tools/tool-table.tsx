import type { ToolInfo } from '@pawl/api';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EffectBadge } from '../../graph/effect-badge.tsx';
import { toolRef } from '../../tools/tool-ref.ts';
import { duration } from '../../ui/amounts.ts';
import css from './tool-table.module.css';

/** Tools with what they do and what repeating them does. */
export function ToolTable({ tools }: { readonly tools: readonly ToolInfo[] }) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
    <div className={css.frame} tabIndex={0} role="group" aria-label={t('rail.tools')}>
      <table className={css.table} aria-label={t('rail.tools')}>
        <thead>
          <tr>
            {(['tool', 'about', 'effect', 'limit'] as const).map((column) => (
              <th key={column} scope="col" className={css[column]}>
                {t(`tools.columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tools.map((tool) => {
            const ref = toolRef(tool);
            const { title, description, effect, compensates, timeoutMs, mcp } = tool;
            return (
              <tr key={ref}>
                <th scope="row" className={css.tool}>
                  <Link to="/tools/$tool" params={{ tool: ref }} search={true} className={css.title}>
                    {title ?? ref}
                  </Link>
                  <code className={css.name}>{ref}</code>
                </th>
                <td className={css.about}>
                  <span>{description}</span>
                </td>
                <td className={css.effect}>
                  <EffectBadge effect={effect} compensates={compensates} />{' '}
                  <span className={css.words}>{t(`tools.effects.${effect}`)}</span>
                  {mcp && !mcp.confirmed && (
                    <span className={`${css.open} ${mcp.lapsed ? css.lapsed : ''}`}>
                      {mcp.lapsed
                        ? t('tools.mcp.hasLapsed')
                        : t('tools.mcp.open', { effect: t(`tools.effects.${mcp.proposed}`) })}
                    </span>
                  )}
                </td>
                <td className={css.limit}>{timeoutMs === undefined ? '–' : duration(timeoutMs)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
