import { CircleAlert, Cloud, CloudOff, LoaderCircle } from 'lucide-react';
import { Suspense, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { SavePhase } from '../../saving/draft-saver.ts';
import type { OpenDraft } from '../../saving/open-draft.ts';
import { later } from '../../ui/later.tsx';
import css from './save-status.module.css';

const ConflictDialog = later(async () => (await import('./conflict-dialog.tsx')).ConflictDialog);

const ICONS = {
  saved: Cloud,
  edited: LoaderCircle,
  saving: LoaderCircle,
  offline: CloudOff,
  conflict: CircleAlert,
  refused: CircleAlert,
} as const satisfies Readonly<Record<SavePhase, unknown>>;

/** Where the edits are: on the server, on their way, or in this browser only. */
export function SaveStatus({ draft }: { readonly draft: OpenDraft }) {
  const { t } = useTranslation();
  const { phase, problem } = useSyncExternalStore(draft.saver.subscribe, draft.saver.state);
  const Icon = ICONS[phase];
  return (
    <>
      <span role="status" className={`${css.status} ${css[phase] ?? ''}`} title={problem}>
        <Icon size={14} aria-hidden="true" />
        {t(`canvas.save.${phase}`)}
      </span>
      {phase === 'conflict' && (
        <Suspense>
          <ConflictDialog draft={draft} />
        </Suspense>
      )}
    </>
  );
}
