import type { ToolInfo } from '@pawl/api';
import { type Json, type JsonObject, pointerTo } from '@pawl/dag-core';
import { Plus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { freeId } from '../../editor/index.ts';
import { Choice, TemplateField, TextField } from './fields.tsx';
import css from './inspector.module.css';

interface GroupProps {
  readonly label: string;
  readonly pointer: string;
  readonly value: Json | undefined;
  readonly setAt: (pointer: string, value: Json | undefined, isTyped?: boolean) => void;
}

const listOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : [];

/** A prompt: one text, or messages in order. */
export function PromptFields({ label, pointer, value, setAt }: GroupProps) {
  const { t } = useTranslation();
  if (!Array.isArray(value))
    return <TextField label={label} value={value} rows={6} onChange={(text) => setAt(pointer, text ?? '')} />;
  return listOf(value).map((message, at) => (
    <TextField
      // biome-ignore lint/suspicious/noArrayIndexKey: messages have nothing but their place.
      key={at}
      label={`${label} · ${t(`canvas.roles.${message.role as 'system' | 'user' | 'assistant'}`)}`}
      value={message.content}
      rows={4}
      onChange={(text) => setAt(`${pointer}/${at}/content`, text ?? '')}
    />
  ));
}

/** The arguments of a tool, one by one where its schema names them. */
export function ArgFields({
  label,
  pointer,
  value,
  setAt,
  tool,
}: GroupProps & { readonly tool: ToolInfo | undefined }) {
  const { t } = useTranslation();
  const schema = tool?.input as JsonObject | undefined;
  const properties = schema?.properties as Readonly<Record<string, JsonObject>> | undefined;
  const args = value as JsonObject | undefined;
  if (!properties || typeof value === 'string')
    return <TemplateField label={label} value={value} onChange={(next) => setAt(pointer, next)} />;
  const required = (schema?.required ?? []) as readonly Json[];
  return Object.entries(properties).map(([name, property]) => (
    <TemplateField
      key={name}
      label={`${(property.title as string | undefined) ?? name}${required.includes(name) ? '' : ` · ${t('canvas.optional')}`}`}
      value={args?.[name]}
      isText={property.type === 'string'}
      onChange={(next) => setAt(pointerTo(pointer, name), next)}
    />
  ));
}

/** The cases of a switch: the first that is true takes its port. */
export function CaseFields({ label, pointer, value, setAt }: GroupProps) {
  const { t } = useTranslation();
  const cases = listOf(value);
  return (
    <fieldset className={css.group}>
      <legend>{label}</legend>
      {cases.map((each, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a case may be renamed while it is written.
        <div key={at} className={css.row}>
          <TextField
            label={t('canvas.fields.port')}
            value={each.port}
            onChange={(text) => text !== undefined && setAt(`${pointer}/${at}/port`, text)}
          />
          <TextField
            label={t('canvas.fields.when')}
            value={each.when}
            isCode
            onChange={(text) => setAt(`${pointer}/${at}/when`, text ?? '')}
          />
          <button
            type="button"
            aria-label={t('canvas.remove', { name: String(each.port) })}
            onClick={() => setAt(`${pointer}/${at}`, undefined, false)}
          >
            <X size={14} aria-hidden="true" />
          </button>
        </div>
      ))}
      <button
        type="button"
        className={css.add}
        onClick={() =>
          setAt(
            `${pointer}/-`,
            { port: freeId('case', new Set(cases.map(({ port }) => String(port)))), when: 'true' },
            false,
          )
        }
      >
        <Plus size={13} aria-hidden="true" /> {t('canvas.addCase')}
      </button>
    </fieldset>
  );
}

/** What the model of an agent may call. */
export function AgentTools({
  label,
  pointer,
  value,
  setAt,
  tools,
}: GroupProps & { readonly tools: ReadonlyMap<string, ToolInfo> }) {
  const { t } = useTranslation();
  const calls = listOf(value);
  const nameOf = (call: JsonObject) =>
    typeof call.tool === 'string' ? (tools.get(call.tool)?.title ?? call.tool) : t('canvas.asksPerson');
  return (
    <fieldset className={css.group}>
      <legend>{label}</legend>
      {calls.map((call, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tool may be given twice.
        <div key={at} className={css.row}>
          <span>{nameOf(call)}</span>
          <button
            type="button"
            aria-label={t('canvas.remove', { name: nameOf(call) })}
            onClick={() => setAt(`${pointer}/${at}`, undefined, false)}
          >
            <X size={14} aria-hidden="true" />
          </button>
        </div>
      ))}
      <Choice
        label={t('canvas.addTool')}
        value=""
        options={[...tools].map(([id, tool]) => [id, tool.title ?? id])}
        onChange={(tool) => tool && setAt(`${pointer}/-`, { tool }, false)}
      />
    </fieldset>
  );
}
