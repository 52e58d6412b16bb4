import type { Json } from '@pawl/dag-core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newAgentTool } from '../../../inspecting/agent-tools.ts';
import { AddButton, Choice } from '../fields.tsx';
import css from '../inspector.module.css';
import { AgentToolCard, toolWords } from './agent-tool-card.tsx';
import { useInspected, useSetAt, useSetting } from './inspecting.ts';
import { SettingProblems } from './setting-problems.tsx';
import { JsonSetting } from './value-setting.tsx';

/** Stands in the choice for a person who may be asked. */
const PERSON = 'ask: person';

/** What the model of an agent may call: tools, and people, each with everything that can be said of it. */
export function AgentTools({ label, pointer }: { readonly label: string; readonly pointer: string }) {
  const setAt = useSetAt();
  const { value } = useSetting(pointer);
  if (value !== undefined && !Array.isArray(value))
    return (
      <div>
        <JsonSetting {...{ label, pointer }} />
        <SettingProblems pointer={pointer} />
      </div>
    );
  const entries: readonly Json[] = value ?? [];
  return (
    <fieldset className={css.group}>
      <legend>{label}</legend>
      {entries.map((entry, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tool may be given twice.
        <AgentToolCard key={at} entry={entry} pointer={`${pointer}/${at}`} />
      ))}
      <SettingProblems pointer={pointer} isExact />
      <AddTool
        onAdd={(tool) =>
          setAt(`${pointer}/-`, newAgentTool(entries, tool === PERSON ? { ask: 'person' } : { tool }))
        }
      />
    </fieldset>
  );
}

/** By keys a choice goes through others on its way, so that what is chosen is added by a button. */
function AddTool({ onAdd }: { readonly onAdd: (tool: string) => void }) {
  const { t } = useTranslation();
  const { tools } = useInspected();
  const [chosen, choose] = useState<string>();
  return (
    <div className={css.row}>
      <div>
        <Choice
          label={t('canvas.addTool')}
          value={chosen}
          options={[
            ...[...tools].map(([id, tool]) => [id, toolWords(id, tool)] as const),
            [PERSON, t('canvas.asksPerson')],
          ]}
          empty="—"
          onChange={choose}
        />
      </div>
      <AddButton words={t('agentTools.add')} isOff={chosen === undefined} onClick={() => onAdd(chosen!)} />
    </div>
  );
}
