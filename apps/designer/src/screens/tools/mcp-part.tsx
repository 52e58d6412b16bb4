import type { McpOrigin } from '@pawl/api';
import { EFFECT_CLASSES, type EffectClass } from '@pawl/dag-core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EffectBadge } from '../../graph/effect-badge.tsx';
import { confirmation, hintsOf } from '../../tools/mcp-servers.ts';
import { ShellLine } from '../../ui/shell-line.tsx';
import pill from '../../ui/status-pill.module.css';
import css from './mcp-part.module.css';
import part from './tool-screen.module.css';

/** Where a tool of an MCP server comes from: what the server says of it, what follows, and what a person confirmed. */
export function McpPart({ origin }: { readonly origin: McpOrigin }) {
  const { t } = useTranslation();
  const id = useId();
  const { server, tool, proposed, confirmed, lapsed } = origin;
  return (
    <section className={part.part} aria-labelledby={id}>
      <h3 id={id}>{t('tools.mcp.title')}</h3>
      <dl className={css.facts}>
        <div>
          <dt>{t('tools.mcp.server')}</dt>
          <dd>
            <code>{server}</code>
          </dd>
        </div>
        <div>
          <dt>{t('tools.mcp.itsName')}</dt>
          <dd>
            <code>{tool}</code>
          </dd>
        </div>
        <div>
          <dt>{t('tools.mcp.says')}</dt>
          <dd>
            <ul className={css.hints}>
              {hintsOf(origin).map((hint) => (
                <li key={hint}>{t(`tools.mcp.hints.${hint}`)}</li>
              ))}
            </ul>
          </dd>
        </div>
        <div>
          <dt>{t('tools.mcp.proposed')}</dt>
          <dd>
            <EffectBadge effect={proposed} /> {t(`tools.effects.${proposed}`)}
          </dd>
        </div>
        <div>
          <dt>{t('tools.mcp.confirmed')}</dt>
          <dd>
            {confirmed ? (
              <>
                <EffectBadge effect={confirmed} /> {t(`tools.effects.${confirmed}`)}
              </>
            ) : (
              <span className={`${pill.pill} ${lapsed ? pill.unsure : pill.skip}`}>
                {t(lapsed ? 'tools.mcp.hasLapsed' : 'tools.mcp.nothingConfirmed')}
              </span>
            )}
          </dd>
        </div>
      </dl>
      {lapsed && (
        <p className={css.lapsed}>{t('tools.mcp.whyLapsed', { effect: t(`tools.effects.${lapsed}`) })}</p>
      )}
      {!confirmed && <Confirm origin={origin} />}
    </section>
  );
}

/** The class is chosen here and confirmed in the configuration of the workers, where the server is named. */
function Confirm({ origin }: { readonly origin: McpOrigin }) {
  const { t } = useTranslation();
  const [effect, setEffect] = useState<EffectClass>(origin.proposed);
  return (
    <div className={css.confirm}>
      <p className={part.note}>{t('tools.mcp.untilThen')}</p>
      <fieldset className={css.classes}>
        <legend>{t('tools.mcp.choose')}</legend>
        {EFFECT_CLASSES.map((one) => (
          <label key={one}>
            <input type="radio" name="mcp-effect" checked={effect === one} onChange={() => setEffect(one)} />
            <EffectBadge effect={one} /> <span>{t(`tools.mcp.means.${one}`)}</span>
          </label>
        ))}
      </fieldset>
      <ShellLine title={t('tools.mcp.write')} command={confirmation(origin, effect)} />
    </div>
  );
}
