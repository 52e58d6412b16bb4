import type { EffectRecord, ModelAnswer, RecordedEvent } from '@pawl/dag-core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { EffectBadge } from '../../graph/effect-badge.tsx';
import { type AttemptEnd, type AttemptRecord, attemptsOf } from '../../run/attempts.ts';
import { doubtText } from '../../run/doubt-text.ts';
import { LongValue, valueIn } from '../../run/values.ts';
import { duration, money, short } from '../../ui/amounts.ts';
import { ValueView } from '../../ui/value-view.tsx';
import css from './attempts.module.css';
import { Conversation, isAskedModel } from './conversation.tsx';

/** The tries of a node run, the newest first: what each sent with which key, by which worker, and what became of it. */
export function Attempts({
  runId,
  events,
}: {
  readonly runId: string;
  readonly events: readonly RecordedEvent[];
}) {
  const attempts = useMemo(() => attemptsOf(events), [events]);
  return attempts.map((record, at) => (
    <Attempt key={record.attempt} runId={runId} record={record} events={events} isNewest={at === 0} />
  ));
}

function Attempt({
  runId,
  record: { attempt, effects, end },
  events,
  isNewest,
}: {
  readonly runId: string;
  readonly record: AttemptRecord;
  readonly events: readonly RecordedEvent[];
  readonly isNewest: boolean;
}) {
  const { t } = useTranslation();
  return (
    <details className={css.attempt} open={isNewest}>
      <summary>
        {t('run.attempt', { attempt })} · {t(`run.ended.${end?.how ?? 'open'}`)}
        {effects.length > 1 && ` · ${t('run.calls', { count: effects.length })}`}
      </summary>
      {end && <EndNote end={end} />}
      {effects.map((effect) => (
        <Receipt key={effect.seq} runId={runId} effect={effect} events={events} />
      ))}
    </details>
  );
}

function EndNote({ end }: { readonly end: AttemptEnd }) {
  const { t, i18n } = useTranslation();
  if (end.how === 'succeeded') return null;
  if (end.how !== 'failed')
    return (
      <p className={css.note}>
        {doubtText(t, end.reason)} {end.message}
      </p>
    );
  return (
    <p className={css.note}>
      {end.failure.message}
      {end.retryAt !== undefined &&
        ` ${t('run.triedAgain', { time: new Date(end.retryAt).toLocaleTimeString(i18n.language) })}`}
    </p>
  );
}

/** What was sent and what is known of it: enough to find it again at the service. */
function Receipt({
  runId,
  effect,
  events,
}: {
  readonly runId: string;
  readonly effect: EffectRecord;
  readonly events: readonly RecordedEvent[];
}) {
  const { t, i18n } = useTranslation();
  const time = (at: number) => new Date(at).toLocaleString(i18n.language);
  const intent = events.find(({ seq }) => seq === effect.seq)!;
  const request = valueIn(intent, 'request');
  const { costNanoUsd, tokens } = effect;
  const facts: readonly (readonly [keyof typeof FACTS, string | undefined])[] = [
    ['key', effect.key],
    ['sentAt', time(effect.at)],
    ['worker', effect.workerId],
    ['took', effect.endedAt === undefined ? undefined : duration(effect.endedAt - effect.at)],
    ['effectId', effect.effectId],
    [
      'cost',
      costNanoUsd === undefined
        ? undefined
        : `${money(costNanoUsd)} · ${t('run.tokens', { tokens: short(tokens ?? 0) })}`,
    ],
    ['late', effect.lateAt === undefined ? undefined : time(effect.lateAt)],
    ['settled', effect.settledBy],
  ];
  return (
    <section className={css.receipt} aria-label={t('run.sent', { target: effect.target })}>
      <h3>
        {t('run.sent', { target: effect.target })}{' '}
        {effect.effect !== 'model' && <EffectBadge effect={effect.effect} />}
      </h3>
      <dl className={css.facts}>
        <dt>{t('run.receipt.status')}</dt>
        <dd>{t(`effectStatus.${effect.status}`)}</dd>
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{t(`run.receipt.${name}`)}</dt>
                <dd className={FACTS[name] === 'code' ? css.code : undefined}>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {request !== undefined &&
        (!(request instanceof LongValue) && isAskedModel(request) ? (
          <Conversation asked={request} answer={answerTo(effect, events)} />
        ) : (
          <ValueView runId={runId} value={request} label={t('run.request')} />
        ))}
    </section>
  );
}

/** What is shown of an effect, and how it is written. */
const FACTS = {
  key: 'code',
  sentAt: 'text',
  worker: 'code',
  took: 'text',
  effectId: 'code',
  cost: 'text',
  late: 'text',
  settled: 'text',
} as const;

/** What the model said in this call. */
function answerTo(
  { attempt, call }: EffectRecord,
  events: readonly RecordedEvent[],
): ModelAnswer | undefined {
  for (const event of events) {
    if (event.attempt !== attempt) continue;
    if (event.type === 'call.answered' && event.data.call === call) return event.data.answer;
    if (
      (event.type === 'outcome.succeeded' || event.type === 'outcome.failed') &&
      (event.data.call ?? 0) === call
    )
      return event.data.answer;
  }
  return undefined;
}
