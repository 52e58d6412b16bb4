import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { NODE_RUN_LOOKS } from './status.ts';

type ShownStatus = keyof typeof NODE_RUN_LOOKS;

/** What each status of a node run is called. Looked up once: who draws hundreds of nodes for each event asks for hundreds of them. */
export function useStatusWords(): Readonly<Record<ShownStatus, string>> {
  const { t } = useTranslation();
  return useMemo(() => {
    const statuses = Object.keys(NODE_RUN_LOOKS) as ShownStatus[];
    return Object.fromEntries(
      statuses.map((status) => [status, t(`nodeRunStatus.${status}`)] as const),
    ) as Record<ShownStatus, string>;
  }, [t]);
}
