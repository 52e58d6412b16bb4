import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../access/me.ts';
import { api } from '../../../api/client.ts';
import { credentialsQuery } from '../../../api/credentials.ts';
import { workStateQuery } from '../../../api/work-state.ts';
import { type ProviderModels, providersOf, usd } from '../../../settings/providers.ts';
import pill from '../../../ui/status-pill.module.css';
import { Part } from '../part.tsx';
import css from '../table.module.css';

/** Which models there are, what they cost by which table, and which of them workers can call now. Never a key. */
export function Models() {
  const { t } = useTranslation();
  const models = useQuery({ queryKey: ['models'], queryFn: ({ signal }) => api.listModels({ signal }) });
  const work = useQuery(workStateQuery);
  const trouble = models.error ?? work.error;
  return (
    <>
      <Part title={t('settings.models')} about={t('models.about')}>
        {trouble && (
          <p className={css.trouble} role="alert">
            {trouble.message}
          </p>
        )}
        {(models.isPending || work.isPending) && <p className={css.quiet}>{t('state.loading')}</p>}
      </Part>
      {models.data &&
        work.data &&
        providersOf(models.data.items, work.data.workers).map((provider) => (
          <Provider key={provider.provider} {...provider} />
        ))}
    </>
  );
}

/** What a provider of Pawl's own is configured by, in the environment of workers. */
const VARIABLES: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  compatible: 'PAWL_COMPATIBLE',
};

function Provider({ provider, models, workers, isSimulated, credential }: ProviderModels) {
  const { t } = useTranslation();
  const credentials = useQuery({ ...credentialsQuery, enabled: useMay('admin') });
  const isSet = credentials.data?.items.some(({ name, isReadable }) => name === credential && isReadable);
  const variable = VARIABLES[provider];
  const about = isSimulated
    ? t('models.simulator')
    : variable && t(credential ? 'models.setByCredential' : 'models.setBy', { variable });
  return (
    <Part
      title={`${provider}:`}
      {...(about && { about })}
      action={
        <span className={`${pill.pill} ${workers > 0 || isSet ? pill.ok : pill.skip}`}>
          {isSet
            ? t('models.byCredential')
            : workers > 0
              ? t('models.configured', { count: workers })
              : t('models.notConfigured')}
        </span>
      }
    >
      {models.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
        <div className={css.frame} tabIndex={0} role="group" aria-label={provider}>
          <table className={css.table} aria-label={t('models.of', { provider })}>
            <thead>
              <tr>
                {(['model', 'input', 'output', 'cached', 'table'] as const).map((column) => (
                  <th key={column} scope="col" className={LESSER.has(column) ? css.lesser : undefined}>
                    {t(`models.columns.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {models.map((model) => (
                <tr key={model.id}>
                  <th scope="row" title={model.id}>
                    <code>{model.id}</code>
                  </th>
                  {model.inputUsdPerMillion === undefined ? (
                    <td colSpan={4} className={css.quiet}>
                      {t('models.unpriced')}
                    </td>
                  ) : (
                    <>
                      <td>{usd(model.inputUsdPerMillion)}</td>
                      <td>{usd(model.outputUsdPerMillion ?? 0)}</td>
                      <td className={`${css.quiet} ${css.lesser}`}>
                        {model.cachedUsdPerMillion === undefined ? '–' : usd(model.cachedUsdPerMillion)}
                      </td>
                      <td className={`${css.quiet} ${css.lesser}`}>{model.priceVersion}</td>
                    </>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Part>
  );
}

const LESSER: ReadonlySet<string> = new Set(['cached', 'table']);
