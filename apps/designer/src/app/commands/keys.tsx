import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { capsOf, hasCommandKey } from '../../commands/key-caps.ts';
import css from './commands.module.css';

/** Keys as they are printed; several ways to press the same side by side. */
export function Keys({ bindings }: { readonly bindings: readonly string[] }) {
  const { t } = useTranslation();
  const all = capsOf(bindings, hasCommandKey());
  return (
    <span className={css.keys}>
      {all.map((caps, at) => (
        <Fragment key={caps.join()}>
          {at > 0 && all.length === 2 && <span className={css.or}>{t('commands.or')}</span>}
          <span className={css.press}>
            {caps.map((cap) => (
              <kbd key={cap}>{cap}</kbd>
            ))}
          </span>
        </Fragment>
      ))}
    </span>
  );
}
