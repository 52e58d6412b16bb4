import type { NodeRunStatus } from '@pawl/dag-core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { NodeRunPreview } from '../../../inspecting/recorded/questions.ts';
import css from '../inspector.module.css';
import { useInspected } from './inspecting.ts';
import { TroubleText } from './preview-line.tsx';
import { useNodeRun } from './use-recorded.ts';

/** What the chosen run recorded of the node, in the frame of what is recorded; without it why there is nothing. */
export function Recorded({ children }: { readonly children: (nodeRun: NodeRunPreview) => ReactNode }) {
  const { t } = useTranslation();
  const { record } = useInspected();
  const { nodeRun, trouble, isPending } = useNodeRun();
  if (record.runId === undefined) return <p className={css.none}>{t('inspector.noRun')}</p>;
  if (trouble)
    return (
      <p className={css.none}>
        <TroubleText trouble={trouble} />
      </p>
    );
  if (isPending || !nodeRun) return <p className={css.none}>{t('state.loading')}</p>;
  return (
    <div className={css.recorded}>
      <p className={css.about}>
        {t(`nodeRunStatus.${nodeRun.status as NodeRunStatus}`)}
        {nodeRun.attempt > 1 && ` · ${t('run.attempt', { attempt: nodeRun.attempt })}`}
      </p>
      {children(nodeRun)}
    </div>
  );
}
