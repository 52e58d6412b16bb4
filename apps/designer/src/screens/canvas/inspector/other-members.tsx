import { pointerTo } from '@pawl/dag-core';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import css from '../inspector.module.css';
import { useSetAt } from './inspecting.ts';
import { SettingProblems } from './setting-problems.tsx';
import { ValueSetting } from './value-setting.tsx';

/** Members of an object that no form asks for: they are shown, can be changed, and go only when they are removed. */
export function OtherMembers({
  pointer,
  names,
}: {
  readonly pointer: string;
  readonly names: readonly string[];
}) {
  const { t } = useTranslation();
  const setAt = useSetAt();
  return names.map((name) => (
    <div key={name}>
      <div className={css.row}>
        <div>
          <ValueSetting label={name} pointer={pointerTo(pointer, name)} />
        </div>
        <button
          type="button"
          aria-label={t('canvas.remove', { name })}
          onClick={() => setAt(pointerTo(pointer, name), undefined)}
        >
          <X size={14} aria-hidden="true" />
        </button>
      </div>
      <SettingProblems pointer={pointerTo(pointer, name)} />
    </div>
  ));
}
