import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { ArtifactList } from './artifact-list.tsx';

/** Everything that a run has made to stay, behind a button. */
export function RunArtifacts({ runId, seq }: { readonly runId: string; readonly seq: number }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('run.artifacts.title')}</Button>
      {isOpen && (
        <Dialog title={t('run.artifacts.title')} onClose={() => setOpen(false)}>
          <ArtifactList runId={runId} seq={seq} />
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{t('run.artifacts.close')}</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
