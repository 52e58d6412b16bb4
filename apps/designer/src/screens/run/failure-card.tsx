import type { Failure } from '@pawl/dag-core';
import { useTranslation } from 'react-i18next';
import type { FailedIn } from '../../run/failed-in.ts';
import css from './run-detail.module.css';

/** The class of a failure says what can be done next. Of one that came from inside, where that was. */
export function FailureCard({
  failure: own,
  attempt: ownAttempt,
  cause,
  onGo,
}: {
  readonly failure: Failure;
  readonly attempt: number;
  readonly cause?: FailedIn | undefined;
  readonly onGo: (way: string) => void;
}) {
  const { t } = useTranslation();
  const { failure, attempt } = cause ?? { failure: own, attempt: ownAttempt };
  return (
    <section className={css.failure} role="alert">
      <h3>
        {t(`failureClass.${failure.class}`)} · {t('run.attempt', { attempt })}
      </h3>
      {cause && (
        <p>
          <button type="button" className={css.cause} onClick={() => onGo(cause.way)}>
            {t('run.failedIn', { names: cause.names.join(' → ') })}
          </button>
        </p>
      )}
      <p>{failure.message}</p>
      <p className={css.note}>
        {t(`failureAction.${failure.class}`)} <code>{failure.code}</code>
      </p>
    </section>
  );
}
