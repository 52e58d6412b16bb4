import { useTranslation } from 'react-i18next';
import css from '../inspector.module.css';
import { PreviewText } from './preview-line.tsx';
import { Recorded } from './recorded.tsx';

/** What the node was given in the chosen run: what was sent, where something was, and what its expressions read. */
export function InputTab() {
  const { t } = useTranslation();
  return (
    <Recorded>
      {({ readings, request }) => (
        <>
          {request && (
            <section>
              <h3>{t('run.sent', { target: request.target })}</h3>
              <PreviewText preview={request.value} label={t('run.request')} />
            </section>
          )}
          {readings.length > 0 && (
            <section>
              <h3>{t('inspector.reads')}</h3>
              {readings.map(({ path, value }) =>
                value ? (
                  <PreviewText key={path} preview={value} label={path} />
                ) : (
                  <p key={path} className={css.about}>
                    <code>{path}</code> {t('inspector.readNothing')}
                  </p>
                ),
              )}
            </section>
          )}
          {!request && readings.length === 0 && <p className={css.about}>{t('inspector.noInput')}</p>}
        </>
      )}
    </Recorded>
  );
}
