import { ROLES, type Role } from '@pawl/dag-core';
import { useTranslation } from 'react-i18next';

/** Chooses a role. */
export function RoleSelect({
  role,
  onChoose,
  ...rest
}: {
  readonly role: Role;
  readonly onChoose: (role: Role) => void;
  readonly disabled?: boolean;
  readonly title?: string | undefined;
  readonly 'aria-label'?: string;
}) {
  const { t } = useTranslation();
  return (
    <select value={role} onChange={({ target }) => onChoose(target.value as Role)} {...rest}>
      {ROLES.map((each) => (
        <option key={each} value={each}>
          {t(`access.roles.${each}`)}
        </option>
      ))}
    </select>
  );
}
