import type { Json } from '@pawl/dag-core';
import { Link } from '@tanstack/react-router';
import { List, Redo2, Undo2, WandSparkles, Workflow } from 'lucide-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditing, useEditingStore } from '../../canvas/editing.ts';
import type { OpenDraft } from '../../saving/open-draft.ts';
import button from '../../ui/button.module.css';
import { Button } from '../../ui/button.tsx';
import { later } from '../../ui/later.tsx';
import css from './canvas-actions.module.css';
import { SaveStatus } from './save-status.tsx';
import { RunMenu } from './testing/run-menu.tsx';

const PublishDialog = later(async () => (await import('../flows/publish-dialog.tsx')).PublishDialog);

/** What is done with the flow as a whole, in the bar. */
export function CanvasActions({
  flow,
  draft,
  isPublishing,
  setPublishing,
  isList,
  onView,
  onTidy,
}: {
  readonly flow: string;
  readonly draft: OpenDraft;
  readonly isPublishing: boolean;
  readonly setPublishing: (isPublishing: boolean) => void;
  readonly isList: boolean;
  readonly onView: (view: 'canvas' | 'list') => void;
  readonly onTidy: () => void;
}) {
  const { t } = useTranslation();
  const document = useEditing(({ history }) => history.document);
  const save = async () => {
    await draft.saver.flush();
    if (draft.saver.state().phase !== 'saved') throw new Error(t('canvas.publish.unsaved'));
  };
  const view = (which: 'canvas' | 'list', words: string, Icon: typeof List) => (
    <button
      type="button"
      aria-pressed={(which === 'list') === isList}
      aria-label={words}
      title={words}
      onClick={() => onView(which)}
    >
      <Icon size={15} aria-hidden="true" />
    </button>
  );
  return (
    <>
      <SaveStatus draft={draft} />
      <div role="group" className={css.views} aria-label={t('outline.view')}>
        {view('canvas', t('outline.asCanvas'), Workflow)}
        {view('list', t('outline.asList'), List)}
      </div>
      <History />
      <Button look="quiet" onClick={onTidy}>
        <WandSparkles size={15} aria-hidden="true" /> {t('canvas.tidy')}
      </Button>
      <Link to="/flows/$flow/versions" params={{ flow }} className={`${button.button} ${button.quiet}`}>
        {t('versions.toVersions')}
      </Link>
      <RunMenu onPublish={() => setPublishing(true)} />
      <Button look="primary" needs="editor" onClick={() => setPublishing(true)}>
        {t('canvas.publish.open')}
      </Button>
      {isPublishing && (
        <Suspense>
          <PublishDialog
            flow={flow}
            draft={document as unknown as Json}
            save={save}
            onClose={() => setPublishing(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** What can be undone and done again, by name. */
function History() {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const past = useEditing(({ history }) => history.gesture?.label ?? history.past.at(-1)?.label);
  const future = useEditing(({ history }) => history.future.at(-1)?.label);
  const nameOf = (label: typeof past) =>
    label &&
    t(`canvas.did.${label.did}`, { what: label.what ?? t('canvas.several', { count: label.count ?? 1 }) });
  return (
    <>
      <Button
        look="quiet"
        disabled={!past}
        aria-label={t('canvas.undo')}
        title={past ? t('canvas.undoThis', { what: nameOf(past) }) : t('canvas.undo')}
        onClick={() => editing.getState().undo()}
      >
        <Undo2 size={16} aria-hidden="true" />
      </Button>
      <Button
        look="quiet"
        disabled={!future}
        aria-label={t('canvas.redo')}
        title={future ? t('canvas.redoThis', { what: nameOf(future) }) : t('canvas.redo')}
        onClick={() => editing.getState().redo()}
      >
        <Redo2 size={16} aria-hidden="true" />
      </Button>
    </>
  );
}
