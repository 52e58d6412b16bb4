import { useTranslation } from 'react-i18next';
import { announcement } from '../../canvas/announcement.ts';
import { useEditing } from '../../canvas/editing.ts';
import css from './canvas-screen.module.css';

/** Says aloud what was done, for who does not see the drawing; refusals say themselves. */
export function Announcer() {
  const { t } = useTranslation();
  const said = useEditing((state) => state.said);
  // The same words twice are heard twice when they stand in another element.
  return (
    <div aria-live="polite" className={css.said}>
      {said && <span key={said.number}>{announcement(t, said)}</span>}
    </div>
  );
}
