import type { ToolInfo } from '@pawl/api';
import { useTranslation } from 'react-i18next';
import type { SingleField } from '../../../canvas/fields.ts';
import { Choice, NumberField, TextField } from '../fields.tsx';
import { CodeSetting } from './code-setting.tsx';
import { useInspected, useSetAt, useSetting } from './inspecting.ts';
import { ModelPicker } from './model-picker.tsx';
import { PreviewLine } from './preview-line.tsx';
import { SchemaBuilder } from './schema-builder.tsx';
import { SettingProblems } from './setting-problems.tsx';
import { JsonSetting, ValueSetting } from './value-setting.tsx';

/** One setting of the node in one field, with what is wrong with it below. */
export function SingleSetting({ field }: { readonly field: SingleField }) {
  return (
    <div>
      <SettingForm field={field} />
      <SettingProblems pointer={field.pointer} />
    </div>
  );
}

function SettingForm({ field: { pointer, label: name, form } }: { readonly field: SingleField }) {
  const { t } = useTranslation();
  const { tools, models } = useInspected();
  const setAt = useSetAt();
  const { value, type, choose } = useSetting(pointer);
  const label = t(`canvas.fields.${name}`);
  if (typeof form === 'object')
    return (
      <Choice
        label={label}
        value={value as string | undefined}
        options={form.choices.map((choice) => [choice, t(`canvas.choices.${choice}`)])}
        empty={t('canvas.asUsual')}
        onChange={(next) => setAt(next === undefined ? wholeOf(pointer) : pointer, next)}
      />
    );
  switch (form) {
    case 'text':
      return <TextField label={label} value={value} onChange={type} />;
    case 'prose':
    case 'expression':
      return (
        <>
          <CodeSetting {...{ label, pointer }} language={form === 'prose' ? 'template' : 'expression'} />
          {typeof value === 'string' && (form === 'expression' || value.includes('{{')) && (
            <PreviewLine pointer={pointer} template={value} as={form === 'prose' ? 'text' : 'expression'} />
          )}
        </>
      );
    case 'code':
      return <CodeSetting {...{ label, pointer }} language="javascript" lines={12} />;
    case 'template':
      return <ValueSetting {...{ label, pointer }} />;
    case 'json':
      return <JsonSetting {...{ label, pointer }} />;
    case 'schema':
      return <SchemaBuilder label={label} schema={value as never} onChange={choose} onType={type} />;
    case 'number':
      return <NumberField label={label} value={value} onChange={type} />;
    case 'share':
      return <NumberField label={label} value={value} is="share" onChange={type} />;
    case 'seconds':
      return <NumberField label={label} value={value} factor={1_000} onChange={type} />;
    case 'words':
      return (
        <TextField
          label={label}
          value={Array.isArray(value) ? value.join(', ') : undefined}
          onChange={(text) => type(text?.split(/,\s*/))}
        />
      );
    case 'model':
      return (
        <ModelPicker
          label={label}
          value={typeof value === 'string' ? value : ''}
          models={models}
          onChange={choose}
        />
      );
    case 'tool':
      return (
        <Choice
          label={label}
          value={value as string}
          options={toolOptions(tools, value as string)}
          onChange={choose}
        />
      );
  }
}

/** What is as usual says nothing: with the decision what belongs to it goes. */
const wholeOf = (pointer: string): string => pointer.replace(/\/do$/, '');

/** What is set stays among the choices, even where nobody offers it now. */
function toolOptions(tools: ReadonlyMap<string, ToolInfo>, value: string): (readonly [string, string])[] {
  const offered = [...tools].map(([id, { title }]) => [id, title ? `${title} · ${id}` : id] as const);
  return value && !tools.has(value) ? [[value, value], ...offered] : offered;
}
