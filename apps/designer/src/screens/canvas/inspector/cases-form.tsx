import type { JsonObject } from '@pawl/dag-core';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { freeId } from '../../../editor/index.ts';
import { AddButton, TextField } from '../fields.tsx';
import css from '../inspector.module.css';
import { CodeSetting } from './code-setting.tsx';
import { useSetAt, useSetting } from './inspecting.ts';
import { PreviewLine } from './preview-line.tsx';
import { SettingProblems } from './setting-problems.tsx';

/** The cases of a switch: the first that is true takes its port. */
export function CasesForm({ label, pointer }: { readonly label: string; readonly pointer: string }) {
  const { t } = useTranslation();
  const setAt = useSetAt();
  const { value } = useSetting(pointer);
  const cases = Array.isArray(value) ? (value as readonly JsonObject[]) : [];
  const addCase = () => {
    const port = freeId('case', new Set(cases.map((each) => String(each.port))));
    setAt(`${pointer}/-`, { port, when: 'true' });
  };
  return (
    <fieldset className={css.group}>
      <legend>{label}</legend>
      {cases.map((each, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a case may be renamed while it is written.
        <div key={at} className={css.card}>
          <div className={css.row}>
            <div>
              <TextField
                label={t('canvas.fields.port')}
                value={each.port}
                onChange={(text) => text !== undefined && setAt(`${pointer}/${at}/port`, text, 'typed')}
              />
            </div>
            <button
              type="button"
              aria-label={t('canvas.remove', { name: String(each.port) })}
              onClick={() => setAt(`${pointer}/${at}`, undefined)}
            >
              <X size={14} aria-hidden="true" />
            </button>
          </div>
          <CodeSetting
            label={t('canvas.fields.when')}
            pointer={`${pointer}/${at}/when`}
            language="expression"
            isKept
          />
          {typeof each.when === 'string' && each.when !== '' && (
            <PreviewLine pointer={`${pointer}/${at}/when`} template={each.when} as="expression" />
          )}
          <SettingProblems pointer={`${pointer}/${at}`} />
        </div>
      ))}
      <SettingProblems pointer={pointer} isExact />
      <AddButton words={t('canvas.addCase')} onClick={addCase} />
    </fieldset>
  );
}
