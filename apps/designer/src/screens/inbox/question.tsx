import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { InboxQuestion } from '../../inbox/question.ts';
import { useQuestion, useTool } from '../../inbox/use-inbox.ts';
import { Button } from '../../ui/button.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { Decide } from './decide.tsx';
import { Evidence } from './evidence.tsx';
import { KindSign } from './kind-sign.tsx';
import css from './question.module.css';

/** One question: what is asked, the evidence, and what may be decided, or what was. */
export function Question({
  question: id,
  onBack,
  onNext,
}: {
  readonly question: string;
  readonly onBack: () => void;
  readonly onNext: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  const { data: question, error, refetch } = useQuestion(id);
  const tool = useTool(question?.effect?.target);
  const title = useRef<HTMLHeadingElement>(null);
  const isThere = question !== undefined;
  // Who opens a question by keys goes on reading there.
  useEffect(() => {
    if (isThere) title.current?.focus({ preventScroll: true });
  }, [isThere]);
  return (
    <article className={css.question} aria-label={question?.subject ?? t('state.loading')}>
      <Button look="quiet" className={css.back ?? ''} onClick={onBack}>
        <ArrowLeft size={16} aria-hidden="true" />
        {t('inbox.back')}
      </Button>
      {error && !question && <p role="alert">{error.message}</p>}
      {!error && !question && <p>{t('state.loading')}</p>}
      {question && (
        <>
          <header className={css.head}>
            <KindSign kind={question.kind} />
            <h2 ref={title} tabIndex={-1}>
              {question.subject}
            </h2>
            <p className={css.where}>
              {question.flow} · {question.path} ·{' '}
              <Link to="/runs/$runId" params={{ runId: question.runId }} search={{ select: question.path }}>
                {t('inbox.openRun')}
              </Link>
            </p>
          </header>
          <Evidence question={question} tool={tool} />
          {question.state === 'open' ? (
            <Decide question={question} tool={tool} onConflict={() => void refetch()} />
          ) : (
            <Outcome question={question} onNext={onNext} />
          )}
        </>
      )}
    </article>
  );
}

/** What became of a question: the one decision that counts. */
function Outcome({
  question: { answer, state },
  onNext,
}: {
  readonly question: InboxQuestion;
  readonly onNext: (() => void) | undefined;
}) {
  const { t, i18n } = useTranslation();
  const title = useRef<HTMLHeadingElement>(null);
  // The button that decided is gone, and the focus with it.
  useEffect(() => {
    if (document.activeElement === document.body) title.current?.focus();
  }, []);
  return (
    <section className={css.outcome} role="status">
      <h3 ref={title} tabIndex={-1}>
        {answer
          ? t('inbox.decided', {
              decision: t(`inbox.decisions.${answer.decision}`),
              by: answer.by,
              at: new Date(answer.at).toLocaleString(i18n.language),
            })
          : t('inbox.closed')}
      </h3>
      {state === 'closed' && <p>{t('inbox.closedHint')}</p>}
      {answer?.reason !== undefined && <p className={css.words}>{answer.reason}</p>}
      {answer?.values !== undefined && <JsonView value={answer.values} label={t('inbox.withValues')} />}
      {onNext ? (
        <Button look="primary" onClick={onNext}>
          {t('inbox.next')}
        </Button>
      ) : (
        <p>{t('inbox.nothingLeft')}</p>
      )}
    </section>
  );
}
