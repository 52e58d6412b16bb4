import { useTranslation } from 'react-i18next';
import { useMe } from '../../access/me.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Over whatever is on screen, which stays as it is: unsaved edits and what was typed wait until somebody is signed in again. */
export function SessionEnded() {
  const { t } = useTranslation();
  const me = useMe();
  return (
    <Dialog title={t('signIn.again')} text={t('signIn.againText')}>
      <SignInForm before={me} />
    </Dialog>
  );
}
