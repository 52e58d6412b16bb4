import { useTranslation } from 'react-i18next';
import { api, queryClient } from '../../../api/client.ts';
import { Confirm } from '../confirm.tsx';

/** Takes a member out of the workspace. */
export function RemoveMember({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Confirm
      title={t('members.removeOf', { name })}
      text={t('members.removeText')}
      action={t('members.removeThis')}
      onConfirm={async () => {
        await api.removeUser({ params: { user: name } });
        await queryClient.invalidateQueries({ queryKey: ['users'] });
      }}
      onClose={onClose}
    />
  );
}
