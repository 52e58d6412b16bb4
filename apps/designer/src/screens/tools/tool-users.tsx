import type { ToolUse } from '@pawl/api';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import pill from '../../ui/status-pill.module.css';
import part from './tool-screen.module.css';
import css from './tool-use.module.css';

/** The flows that call a tool: in their draft, in the version that runs, and by which nodes. */
export function ToolUsers({ flows, isCut }: Pick<ToolUse, 'flows' | 'isCut'>) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section className={part.part} aria-labelledby={id}>
      <h3 id={id}>{t('tools.use.flows')}</h3>
      {flows.length === 0 ? (
        <p className={part.note}>{t('tools.use.noFlow')}</p>
      ) : (
        <ul className={css.users}>
          {flows.map(({ flow, title, draft, published }) => (
            <li key={flow}>
              <Link to="/flows/$flow" params={{ flow }} className={css.flow} title={title ?? flow}>
                {title ?? flow}
              </Link>
              <span className={css.where}>
                {published && (
                  <Link
                    to="/flows/$flow/versions"
                    params={{ flow }}
                    search={{ version: published.version }}
                    className={`${pill.pill} ${pill.ok}`}
                  >
                    {t('tools.use.published', { number: published.number })}
                  </Link>
                )}
                {draft && <span className={`${pill.pill} ${pill.skip}`}>{t('tools.use.draft')}</span>}
              </span>
              <code className={css.nodes}>
                {[...new Set([...(published?.nodes ?? []), ...(draft ?? [])])].join(', ')}
              </code>
            </li>
          ))}
        </ul>
      )}
      {isCut && <p className={part.note}>{t('tools.use.moreFlows')}</p>}
    </section>
  );
}
