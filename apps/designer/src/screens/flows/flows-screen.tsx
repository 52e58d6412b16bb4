import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { Page } from '../../ui/page.tsx';

/** The flows of the workspace. */
export function FlowsScreen() {
  const { t } = useTranslation();
  const flows = useQuery({ queryKey: ['flows'], queryFn: ({ signal }) => api.listFlows({ signal }) });
  return (
    <Page title={t('flows.title')}>
      {flows.isPending && <p>{t('state.loading')}</p>}
      {flows.isError && <p role="alert">{flows.error.message}</p>}
      {flows.data?.items.length === 0 && <p>{t('flows.empty')}</p>}
      <ul>
        {flows.data?.items.map((flow) => (
          <li key={flow.name}>{flow.name}</li>
        ))}
      </ul>
    </Page>
  );
}
