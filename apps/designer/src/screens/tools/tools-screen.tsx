import { EFFECT_CLASSES, type EffectClass } from '@pawl/dag-core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { toolsQuery } from '../../api/tools.ts';
import { EffectBadge } from '../../graph/effect-badge.tsx';
import { countByEffect, findTools } from '../../tools/find-tools.ts';
import { Page } from '../../ui/page.tsx';
import { McpServerList } from './mcp-server-list.tsx';
import { ToolTable } from './tool-table.tsx';
import css from './tools-screen.module.css';

/** What flows can call; what is searched for is in the address. */
export function ToolsScreen() {
  const { t } = useTranslation();
  const filters = useSearch({ from: '/tools' });
  const navigate = useNavigate({ from: '/tools' });
  const tools = useQuery(toolsQuery);
  const all = tools.data?.items ?? [];
  const found = findTools(all, filters);
  const counts = countByEffect(findTools(all, { search: filters.search, server: filters.server }));
  const toggle = (effect: EffectClass) =>
    void navigate({
      search: (before) => {
        const chosen = before.effect ?? [];
        const next = chosen.includes(effect) ? chosen.filter((one) => one !== effect) : [...chosen, effect];
        return { ...before, effect: next.length > 0 ? next : undefined };
      },
    });
  return (
    <Page title={t('rail.tools')} isBare>
      <div className={css.screen}>
        <div className={css.filters} role="search">
          <input
            className={css.search}
            type="search"
            aria-label={t('tools.search')}
            placeholder={t('tools.search')}
            defaultValue={filters.search}
            onChange={({ target }) =>
              void navigate({
                search: (before) => ({ ...before, search: target.value || undefined }),
                replace: true,
              })
            }
          />
          <div className={css.chips} role="group" aria-label={t('tools.filters')}>
            {EFFECT_CLASSES.map((effect) => (
              <button
                key={effect}
                type="button"
                className={css.chip}
                aria-pressed={filters.effect?.includes(effect) ?? false}
                onClick={() => toggle(effect)}
              >
                <EffectBadge effect={effect} /> {t(`tools.effects.${effect}`)}{' '}
                <span className={css.count}>{counts[effect]}</span>
              </button>
            ))}
          </div>
          {tools.isSuccess && (
            <p className={css.found} role="status">
              {t('tools.count', { count: found.length })}
            </p>
          )}
        </div>
        <McpServerList
          tools={all}
          chosen={filters.server}
          onChoose={(server) => void navigate({ search: (before) => ({ ...before, server }) })}
        />
        {tools.isPending && <p className={css.note}>{t('state.loading')}</p>}
        {tools.isError && (
          <p className={css.note} role="alert">
            {tools.error.message}
          </p>
        )}
        {tools.isSuccess && found.length === 0 && (
          <p className={css.note}>{all.length === 0 ? t('tools.none') : t('tools.noneFound')}</p>
        )}
        {found.length > 0 && <ToolTable tools={found} />}
      </div>
    </Page>
  );
}
