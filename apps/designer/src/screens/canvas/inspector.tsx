import type { ModelInfo, ToolInfo } from '@pawl/api';
import type { Json, NodeConfig } from '@pawl/dag-core';
import { useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditing, useEditingStore } from '../../canvas/editing.ts';
import { COMMON_FIELDS, FALLBACK_FIELD, FIELDS, type Field } from '../../canvas/fields.ts';
import { findNode, type GraphPath, type Problem, pointerParts, valueAt } from '../../editor/index.ts';
import { ToolsContext } from './canvas-node.tsx';
import { AgentTools, ArgFields, CaseFields, PromptFields } from './field-groups.tsx';
import { Choice, NumberField, TemplateField, TextField } from './fields.tsx';
import css from './inspector.module.css';

/** What can be set of the node that is selected; every change is an operation, so it can be undone. */
export function Inspector({
  models,
  problems,
}: {
  readonly models: readonly ModelInfo[];
  readonly problems: readonly Problem[];
}) {
  const { t } = useTranslation();
  const document = useEditing(({ history }) => history.document);
  const selected = useEditing((state) => state.selected);
  const found = selected.length === 1 ? findNode(document, selected[0]!) : undefined;
  if (!found) return null;
  const { node, graph } = found;
  return (
    <aside key={node.id} className={css.inspector} aria-label={t('canvas.settings')}>
      <header className={css.head}>
        <h2>{node.title ?? node.id}</h2>
        <p>{t(`canvas.kindHints.${node.kind}`)}</p>
      </header>
      <div className={css.fields}>
        <Setting
          field={{ pointer: '/title', label: 'title', form: 'text' }}
          {...{ node, graph, models, problems }}
        />
        <IdField node={node} graph={graph} />
        {FIELDS[node.kind].map((field) => (
          <Setting key={field.pointer} {...{ field, node, graph, models, problems }} />
        ))}
        <h3>{t('canvas.whenItFails')}</h3>
        {[...COMMON_FIELDS, ...(node.onError?.do === 'fallback' ? [FALLBACK_FIELD] : [])].map((field) => (
          <Setting key={field.pointer} {...{ field, node, graph, models, problems }} />
        ))}
      </div>
    </aside>
  );
}

/** The id by which expressions read the node; they follow when it is renamed. */
function IdField({ node, graph }: { readonly node: NodeConfig; readonly graph: GraphPath }) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const [text, setText] = useState(node.id);
  const done = () => {
    const id = text.trim();
    if (id === node.id) return setText(node.id);
    if (!editing.getState().perform({ do: 'renameNode', graph, id: node.id, to: id })) setText(node.id);
  };
  return (
    <label className={css.field}>
      <span>{t('canvas.fields.id')}</span>
      <input
        className={css.code}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={done}
        onKeyDown={({ key }) => key === 'Enter' && done()}
      />
    </label>
  );
}

interface SettingProps {
  readonly field: Field;
  readonly node: NodeConfig;
  readonly graph: GraphPath;
  readonly models: readonly ModelInfo[];
  readonly problems: readonly Problem[];
}

function Setting(props: SettingProps) {
  const { field, node, problems } = props;
  const own = problems.filter(
    (problem) =>
      problem.node === node.id &&
      (problem.at === field.pointer || problem.at.startsWith(`${field.pointer}/`)),
  );
  return (
    <div>
      <SettingForm {...props} />
      {own.map((problem) => (
        <p key={`${problem.code} ${problem.at}`} className={css[problem.severity]}>
          {problem.message}
          {problem.hint && ` · ${problem.hint}`}
        </p>
      ))}
    </div>
  );
}

function SettingForm({ field, node, graph, models }: SettingProps) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const tools = useContext(ToolsContext);
  const label = t(`canvas.fields.${field.label}`);
  const value = valueAt(node, pointerParts(field.pointer)) as Json | undefined;
  const setAt = (pointer: string, next: Json | undefined, isTyped = true) =>
    editing
      .getState()
      .perform(
        { do: 'setSetting', graph, id: node.id, pointer, ...(next !== undefined && { value: next }) },
        isTyped ? { field: `${node.id}${pointer}` } : {},
      );
  const set = (next: Json | undefined) => setAt(field.pointer, next);
  const group = { label, pointer: field.pointer, value, setAt };
  if (typeof field.form === 'object')
    return (
      <Choice
        label={label}
        value={value as string | undefined}
        options={field.form.choices.map((choice) => [choice, t(`canvas.choices.${choice}`)])}
        empty={t('canvas.asUsual')}
        onChange={(next) => setAt(next === undefined ? wholeOf(field.pointer) : field.pointer, next, false)}
      />
    );
  switch (field.form) {
    case 'text':
    case 'expression':
      return <TextField label={label} value={value} isCode={field.form === 'expression'} onChange={set} />;
    case 'long':
      return <TextField label={label} value={value} rows={3} onChange={set} />;
    case 'code':
      return <TextField label={label} value={value} rows={14} isCode onChange={set} />;
    case 'template':
      return <TemplateField label={label} value={value} onChange={set} />;
    case 'json':
      return <TemplateField label={label} value={value} isPlain onChange={set} />;
    case 'number':
      return <NumberField label={label} value={value} onChange={set} />;
    case 'seconds':
      return <NumberField label={label} value={value} factor={1_000} onChange={set} />;
    case 'words':
      return (
        <TextField
          label={label}
          value={Array.isArray(value) ? value.join(', ') : undefined}
          onChange={(text) => set(text === undefined ? undefined : text.split(/,\s*/))}
        />
      );
    case 'model':
      return (
        <Choice
          label={label}
          value={value as string}
          options={withCurrent(
            models.map((model) => [model.id, modelText(model)]),
            value,
          )}
          onChange={(next) => setAt(field.pointer, next, false)}
        />
      );
    case 'tool':
      return (
        <Choice
          label={label}
          value={value as string}
          options={withCurrent(
            [...tools].map(([id, tool]) => [id, toolText(id, tool)]),
            value,
          )}
          onChange={(next) => setAt(field.pointer, next, false)}
        />
      );
    case 'prompt':
      return <PromptFields {...group} />;
    case 'args':
      return <ArgFields {...group} tool={node.kind === 'tool' ? tools.get(node.tool) : undefined} />;
    case 'cases':
      return <CaseFields {...group} />;
    case 'calls':
      return <AgentTools {...group} tools={tools} />;
  }
}

/** What is as usual says nothing: with the decision what belongs to it goes. */
const wholeOf = (pointer: string): string => pointer.replace(/\/do$/, '');

const toolText = (id: string, { title }: ToolInfo): string => (title ? `${title} · ${id}` : id);

/** A model with its prices, in USD per million tokens. */
function modelText({ id, inputUsdPerMillion, outputUsdPerMillion }: ModelInfo): string {
  if (inputUsdPerMillion === undefined || outputUsdPerMillion === undefined) return id;
  return `${id} · $${inputUsdPerMillion} / $${outputUsdPerMillion}`;
}

/** What is set stays among the choices, even where nobody offers it now. */
const withCurrent = (options: readonly (readonly [string, string])[], value: Json | undefined) =>
  typeof value === 'string' && value !== '' && !options.some(([id]) => id === value)
    ? [[value, value] as const, ...options]
    : options;
