import { useTranslation } from 'react-i18next';
import { useShownCommands } from '../../commands/commands.ts';
import { Dialog } from '../../ui/dialog.tsx';
import css from './commands.module.css';
import { Keys } from './keys.tsx';

/** The keys of the screen that is open, from the table that binds them. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const groups = useShownCommands((state) => state.groups);
  return (
    <Dialog title={t('commands.keys')} isWide onClose={onClose}>
      <div className={css.help}>
        {groups.map(({ title, commands }) => {
          const bound = commands.filter(({ keys = [] }) => keys.length > 0);
          if (bound.length === 0) return null;
          return (
            <section key={title}>
              <h3>{title}</h3>
              <dl>
                {bound.map(({ id, words, keys = [] }) => (
                  <div key={id}>
                    <dt>{words}</dt>
                    <dd>
                      <Keys bindings={keys} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
    </Dialog>
  );
}
