import type { ToolInfo } from '@pawl/api';
import type { JsonObject } from '@pawl/dag-core';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EffectBadge } from '../../../graph/effect-badge.tsx';
import { Choice } from '../fields.tsx';
import css from '../inspector.module.css';
import { ArgsForm } from './args-form.tsx';
import { CodeSetting } from './code-setting.tsx';
import { useInspected, useSetAt, useSetting } from './inspecting.ts';
import { SettingProblems } from './setting-problems.tsx';

/** Stands in the choice for a person who may be asked. */
const PERSON = 'ask: person';

/** What the model of an agent may call: tools, each with what the flow gives it and what a person must allow, and people. */
export function AgentTools({ label, pointer }: { readonly label: string; readonly pointer: string }) {
  const { t } = useTranslation();
  const setAt = useSetAt();
  const { tools } = useInspected();
  const { value } = useSetting(pointer);
  const calls = Array.isArray(value) ? (value as readonly JsonObject[]) : [];
  return (
    <fieldset className={css.group}>
      <legend>{label}</legend>
      {calls.map((call, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tool may be given twice.
        <AgentTool key={at} call={call} pointer={`${pointer}/${at}`} />
      ))}
      <Choice
        label={t('canvas.addTool')}
        value=""
        options={[
          ...[...tools].map(([id, tool]) => [id, toolWords(id, tool)] as const),
          [PERSON, t('canvas.asksPerson')],
        ]}
        onChange={(tool) => tool && setAt(`${pointer}/-`, tool === PERSON ? { ask: 'person' } : { tool })}
      />
    </fieldset>
  );
}

function AgentTool({ call, pointer }: { readonly call: JsonObject; readonly pointer: string }) {
  const { t } = useTranslation();
  const setAt = useSetAt();
  const { tools } = useInspected();
  const ref = typeof call.tool === 'string' ? call.tool : undefined;
  const tool = ref === undefined ? undefined : tools.get(ref);
  const name = ref === undefined ? t('canvas.asksPerson') : toolWords(ref, tool);
  const approve = isObject(call.approve) ? '/approve/when' : '/approve';
  return (
    <div className={css.card}>
      <div className={css.row}>
        <span>{name}</span>
        {tool && <EffectBadge effect={tool.effect} compensates={tool.compensates} />}
        <button
          type="button"
          aria-label={t('canvas.remove', { name })}
          onClick={() => setAt(pointer, undefined)}
        >
          <X size={14} aria-hidden="true" />
        </button>
      </div>
      <SettingProblems pointer={pointer} isExact />
      {ref !== undefined && (
        <details className={css.more}>
          <summary>{t('inspector.toolRules')}</summary>
          <CodeSetting
            label={t('inspector.approveWhen')}
            pointer={`${pointer}${approve}`}
            language="expression"
          />
          <SettingProblems pointer={`${pointer}/approve`} />
          <ArgsForm label={t('inspector.givenArgs')} pointer={`${pointer}/args`} schema={tool?.input} />
        </details>
      )}
    </div>
  );
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toolWords = (id: string, tool: ToolInfo | undefined): string =>
  tool?.title ? `${tool.title} · ${id}` : id;
