import type { ToolInfo } from '@pawl/api';
import type { Failure } from '@pawl/dag-core';
import { useTranslation } from 'react-i18next';
import { EffectBadge } from '../../graph/effect-badge.tsx';
import type { InboxQuestion } from '../../inbox/question.ts';
import { doubtText } from '../../run/doubt-text.ts';
import { JsonView } from '../../ui/json-view.tsx';
import css from './question.module.css';

/** What is known about a question: what happened, what was sent, who may still send, and what was said since. */
export function Evidence({
  question,
  tool,
}: {
  readonly question: InboxQuestion;
  readonly tool: ToolInfo | undefined;
}) {
  const { t, i18n } = useTranslation();
  const { details, until, onDeadline, who, failure, doubt, effect, probe, late, since, state } = question;
  const time = (instant: string) => new Date(instant).toLocaleString(i18n.language);
  return (
    <>
      {details !== undefined && <p className={css.words}>{details}</p>}
      <dl className={css.facts}>
        <dt>{t('inbox.since')}</dt>
        <dd>{time(since)}</dd>
        {until !== undefined && (
          <>
            <dt>{t('inbox.until')}</dt>
            <dd>
              {time(until)}, {t(`inbox.onDeadline.${onDeadline ?? 'fail'}`)}
            </dd>
          </>
        )}
        {who !== undefined && (
          <>
            <dt>{t('inbox.who')}</dt>
            <dd>{who.join(', ')}</dd>
          </>
        )}
        {doubt && (
          <>
            <dt>{t('inbox.why')}</dt>
            <dd>{doubtText(t, doubt.reason)}</dd>
            {doubt.workerId !== undefined && (
              <>
                <dt>{t('inbox.worker')}</dt>
                <dd>
                  <code>{doubt.workerId}</code>
                </dd>
              </>
            )}
          </>
        )}
      </dl>
      {failure && <FailureNote failure={failure} />}
      {effect && (
        <section>
          <h3>
            {t('inbox.sent', { target: tool?.title ?? effect.target })}{' '}
            {effect.effect !== 'model' && (
              <EffectBadge effect={effect.effect} compensates={tool?.compensates} />
            )}
          </h3>
          <dl className={css.facts}>
            <dt>{t('inbox.intent')}</dt>
            <dd>{t('inbox.intentAt', { at: time(effect.at), attempt: effect.attempt })}</dd>
            <dt>{t('run.key')}</dt>
            <dd>
              <code>{effect.key}</code>
            </dd>
          </dl>
          <JsonView value={effect.request} label={t('run.request')} />
        </section>
      )}
      {probe && (
        <section>
          <h3>{t('inbox.asked', { at: time(probe.at) })}</h3>
          <p>{t(`inbox.probe.${probe.answer}`)}</p>
          {probe.failure && <p className={css.hint}>{probe.failure.message}</p>}
        </section>
      )}
      {late && (
        <section>
          <h3>{t('inbox.late', { at: time(late.at), attempt: late.attempt })}</h3>
          {late.ambiguous && <p className={css.hint}>{t('inbox.lateAmbiguous')}</p>}
          {late.failure && <FailureNote failure={late.failure} />}
          {late.output !== undefined && <JsonView value={late.output} label={t('run.output')} />}
        </section>
      )}
      {doubt?.mayStillSend && state === 'open' && (
        <section className={css.warning}>
          <h3>{t('inbox.mayStillSend', { worker: doubt.mayStillSend.workerId })}</h3>
          <p>{t('inbox.mayStillSendWhy')}</p>
          <p>
            {doubt.mayStillSend.until === undefined
              ? doubt.mayStillSend.hint
              : t('inbox.mayStillSendUntil', { at: time(doubt.mayStillSend.until) })}
          </p>
        </section>
      )}
    </>
  );
}

function FailureNote({ failure }: { readonly failure: Failure }) {
  const { t } = useTranslation();
  return (
    <section className={css.failure}>
      <h3>{t(`failureClass.${failure.class}`)}</h3>
      <p>{failure.message}</p>
      <p className={css.hint}>
        <code>{failure.code}</code>
      </p>
    </section>
  );
}
