import { useTranslation } from 'react-i18next';
import { lookOf } from '../../../editor/index.ts';
import { previewOf } from '../../../inspecting/recorded/preview.ts';
import css from '../inspector.module.css';
import { UnpinButton } from '../testing/pin-actions.tsx';
import { useInspected } from './inspecting.ts';
import { PreviewText } from './preview-line.tsx';

/** The output that is kept with the node, for tests. */
export function PinnedOutput() {
  const { t } = useTranslation();
  const { document, node } = useInspected();
  const { pin } = lookOf(document, node.id);
  return (
    <section aria-label={t('testTab.pinned')} className={css.inTab}>
      <h3>{t('testTab.pinned')}</h3>
      {pin ? (
        <div className={css.recorded}>
          <PreviewText preview={previewOf(pin.output)} label={t('run.output')} />
          {pin.ports && <p className={css.about}>{t('testTab.leavesBy', { ports: pin.ports.join(', ') })}</p>}
          <p className={css.about}>{t('testTab.pinnedAbout')}</p>
          <div>
            <UnpinButton node={node.id} />
          </div>
        </div>
      ) : (
        <p className={css.about}>{t('testTab.noPin')}</p>
      )}
    </section>
  );
}
