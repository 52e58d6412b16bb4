import type { RunStatus } from '@pawl/dag-core';
import { useTranslation } from 'react-i18next';
import { RUN_LOOKS } from '../graph/status.ts';
import css from './status-pill.module.css';

/** The status of a run: colour, sign and word. */
export function StatusPill({ status }: { readonly status: RunStatus }) {
  const { t } = useTranslation();
  const { tone, sign } = RUN_LOOKS[status];
  return (
    <span className={`${css.pill} ${css[tone]}`}>
      <span aria-hidden="true">{sign}</span>
      <span>{t(`runStatus.${status}`)}</span>
    </span>
  );
}
