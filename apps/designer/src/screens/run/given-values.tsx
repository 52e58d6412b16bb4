import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunHistory } from '../../run/history.ts';
import { type Reading, RunValues } from '../../run/run-values.ts';
import { ValueView } from '../../ui/value-view.tsx';
import css from './run-detail.module.css';

/** What a node run was given, each thing by the name that the flow has for it. */
export function GivenValues({
  runId,
  history,
  seq,
  path,
}: {
  readonly runId: string;
  readonly history: RunHistory;
  readonly seq: number;
  readonly path: string;
}) {
  const { t } = useTranslation();
  const [given, setGiven] = useState<readonly Reading[]>([]);
  const hasBegun = (history.nodeRunAt(path, seq)?.status ?? 'pending') !== 'pending';
  useEffect(() => {
    let isOver = false;
    RunValues.of(history).then((values) => isOver || setGiven(hasBegun ? values.readingsOf(path) : []));
    return () => {
      isOver = true;
    };
    // What a node run was given stands when it begins.
  }, [history, path, hasBegun]);
  const known = given.filter(({ name, value }) => value !== undefined && name !== 'request');
  if (known.length === 0) return null;
  return (
    <details className={css.given}>
      <summary>{t('run.given', { count: known.length })}</summary>
      {known.map(({ name, value }) => (
        <ValueView key={name} runId={runId} value={value!} label={name} />
      ))}
    </details>
  );
}
