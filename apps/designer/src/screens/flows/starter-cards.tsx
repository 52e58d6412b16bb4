import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { api, queryClient } from '../../api/client.ts';
import { sampleInput } from '../../flow-files/sample-input.ts';
import { Button } from '../../ui/button.tsx';
import { createFlow } from './create-flow.ts';
import css from './starter-cards.module.css';
import { readStarter, STARTERS, type Starter } from './starters.ts';

/** What an empty workspace shows: flows that run at once. */
export function StarterCards() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const open = useMutation({
    mutationFn: async (starter: Starter) => {
      const document = await readStarter(starter);
      await createFlow(document);
      return document.name;
    },
    onSuccess: (flow) => navigate({ to: '/flows/$flow', params: { flow } }),
  });
  const run = useMutation({
    mutationFn: async (starter: Starter) => {
      const document = await readStarter(starter);
      const { name: flow, input } = document;
      await api.publishFlow({ params: { flow }, body: document });
      await queryClient.invalidateQueries({ queryKey: ['flows'] });
      const body = { flow, input: sampleInput(input as never), trigger: 'designer' as const };
      return (await api.startRun({ body, headers: {} })).runId;
    },
    onSuccess: (runId) => navigate({ to: '/runs/$runId', params: { runId } }),
  });
  const isBusy = open.isPending || run.isPending;
  const trouble = open.error ?? run.error;
  return (
    <section className={css.starters}>
      <h2>{t('flows.emptyTitle')}</h2>
      <p className={css.about}>{t('flows.emptyText')}</p>
      {trouble && (
        <p className={css.trouble} role="alert">
          {trouble.message}
        </p>
      )}
      <ul className={css.cards}>
        {STARTERS.map((starter) => (
          <li key={starter} className={css.card}>
            <h3 id={starter}>{t(`flows.starters.${starter}.title`)}</h3>
            <p>{t(`flows.starters.${starter}.about`)}</p>
            <div className={css.actions}>
              <Button
                look="primary"
                needs="editor"
                disabled={isBusy}
                aria-describedby={starter}
                onClick={() => run.mutate(starter)}
              >
                <Play size={14} aria-hidden="true" />
                {t('flows.runNow')}
              </Button>
              <Button
                needs="editor"
                disabled={isBusy}
                aria-describedby={starter}
                onClick={() => open.mutate(starter)}
              >
                {t('flows.open')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <p className={css.about}>{t('flows.orNew')}</p>
    </section>
  );
}
