import { isEnough, type Role } from '@pawl/dag-core';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { MeContext } from './me.ts';

/** Why who looks may not do what needs a role, in a sentence; undefined: they may. */
export function useWhyNot(needed: Role | undefined): string | undefined {
  const { t } = useTranslation();
  const me = useContext(MeContext);
  if (needed === undefined || me === undefined || isEnough(me.role, needed)) return undefined;
  return t('access.needs', { role: t(`access.roles.${me.role}`), needed: t(`access.roles.${needed}`) });
}
