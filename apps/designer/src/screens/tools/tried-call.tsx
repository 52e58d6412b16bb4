import type { Failure, RecordedEvent } from '@pawl/dag-core';
import { isTerminalRun } from '@pawl/dag-core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { doubtText } from '../../run/doubt-text.ts';
import { valueIn } from '../../run/values.ts';
import { duration } from '../../ui/amounts.ts';
import { Button } from '../../ui/button.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { ValueView } from '../../ui/value-view.tsx';
import { useFeed, useFeedState } from '../run/use-feed.ts';
import css from './try-tool.module.css';

/** How a call that was tried stands: followed while it goes, then what it gave, or why it failed and what to do next. */
export function TriedCall({
  runId,
  path,
  onEnd,
}: {
  readonly runId: string;
  readonly path: string;
  readonly onEnd: () => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const { history, lastSeq, phase, problem } = useFeedState(useFeed(runId));
  const status = history?.runAt(lastSeq)?.status;
  const moment = history?.nodeRunAt(path, lastSeq);
  const events = history?.nodeRuns.get(path)?.events ?? [];
  const outcome = lastOf(events, 'outcome.succeeded');
  const output = outcome && valueIn(outcome, 'output');
  const failure = lastOf(events, 'outcome.failed')?.data.failure;
  const begun = events.find(({ type }) => type === 'intent.recorded')?.at;
  const isOver = status !== undefined && isTerminalRun(status);
  const cancel = useMutation({ mutationFn: () => api.cancelRun({ params: { runId } }) });
  const told = useRef(onEnd);
  told.current = onEnd;
  useEffect(() => {
    if (isOver) told.current();
  }, [isOver]);
  return (
    <section className={css.result} aria-labelledby={id} aria-live="polite">
      <header className={css.head}>
        <h4 id={id}>{t('tools.try.result')}</h4>
        {status ? <StatusPill status={status} /> : <span>{t('state.loading')}</span>}
        {outcome && begun !== undefined && (
          <span className={css.took}>{t('tools.try.took', { time: duration(outcome.at - begun) })}</span>
        )}
        <span className={css.space} />
        {status && !isOver && (
          <Button look="quiet" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('tools.try.cancel')}
          </Button>
        )}
        <Link to="/runs/$runId" params={{ runId }} search={{ select: path }}>
          {t('tools.try.open')}
        </Link>
      </header>
      {phase === 'behind' && <p>{t('run.behind')}</p>}
      {phase === 'refused' && <p role="alert">{problem}</p>}
      {cancel.isError && <p role="alert">{cancel.error.message}</p>}
      {failure && moment?.status !== 'succeeded' && <WhyFailed failure={failure} />}
      {moment?.reason && (moment.status === 'uncertain' || moment.status === 'waiting') && (
        <p className={css.doubt}>{doubtText(t, moment.reason)}</p>
      )}
      {moment?.question !== undefined && (
        <Link to="/inbox" search={{ question: `${runId}.${moment.question}` }}>
          {t('run.decide')}
        </Link>
      )}
      {output !== undefined && <ValueView runId={runId} value={output} label={t('run.output')} />}
    </section>
  );
}

function WhyFailed({ failure }: { readonly failure: Failure }) {
  const { t } = useTranslation();
  return (
    <div className={css.failure} role="alert">
      <strong>{t(`failureClass.${failure.class}`)}</strong>
      <p>{failure.message}</p>
      <p className={css.next}>
        {t(`tools.try.next.${failure.class}`)} <code>{failure.code}</code>
      </p>
    </div>
  );
}

function lastOf<T extends RecordedEvent['type']>(events: readonly RecordedEvent[], type: T) {
  return events.findLast((event) => event.type === type) as Extract<RecordedEvent, { type: T }> | undefined;
}
