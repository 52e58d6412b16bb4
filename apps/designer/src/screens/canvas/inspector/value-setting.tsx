import type { Json, JsonSchema } from '@pawl/dag-core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { expressionFor, expressionOf, readText, templateOf, textOf } from '../../../canvas/template-text.ts';
import type { CodeLanguage } from '../../../code/code-field.tsx';
import { typeOfSchema } from '../../../inspecting/members.ts';
import { Choice, NumberField } from '../fields.tsx';
import css from '../inspector.module.css';
import { CodeSetting } from './code-setting.tsx';
import { useSetting } from './inspecting.ts';
import { PreviewLine } from './preview-line.tsx';

/** A value, written as its schema says, or an expression that gives it. */
export function ValueSetting({
  label,
  pointer,
  schema,
}: {
  readonly label: string;
  readonly pointer: string;
  /** What is wanted, where that is known. */
  readonly schema?: JsonSchema | undefined;
}) {
  const setting = useSetting(pointer);
  const { value } = setting;
  const [typed, setTyped] = useState<string>();
  // What is being typed stays as it is typed, blanks at its end too, as long as it says what the document says.
  const isCurrent = typed !== undefined && templateOf(typed) === value;
  const expression = isCurrent ? typed : expressionOf(value);
  const turn = (toExpression: boolean) => {
    if (toExpression === (expression !== undefined)) return;
    setting.choose(toExpression ? templateOf(expressionFor(value)) : asValue(expression!, schema));
  };
  const aside = <ValueOrExpression label={label} isExpression={expression !== undefined} onTurn={turn} />;
  return (
    <>
      {expression === undefined ? (
        <PlainValue {...{ label, pointer, schema, aside }} />
      ) : (
        <CodeSetting
          {...{ label, pointer, aside }}
          language="expression"
          text={expression}
          offset={String(value).indexOf(expression)}
          write={(text) => {
            setTyped(text);
            setting.type(templateOf(text));
          }}
        />
      )}
      {value !== undefined && JSON.stringify(value).includes('{{') && (
        <PreviewLine pointer={pointer} template={value} as="value" schema={schema} />
      )}
    </>
  );
}

/** An expression that is a plain value is that value; any other one leaves nothing behind. */
function asValue(expression: string, schema: JsonSchema | undefined): Json | undefined {
  const read = readText(expression);
  if (typeof read !== 'string' || read !== expression) return read;
  return typeOfSchema(schema) === 'string' || schema === undefined ? '' : undefined;
}

function ValueOrExpression({
  label,
  isExpression,
  onTurn,
}: {
  readonly label: string;
  readonly isExpression: boolean;
  readonly onTurn: (toExpression: boolean) => void;
}) {
  const { t } = useTranslation();
  return (
    <fieldset className={css.switch} aria-label={t('canvas.valueOr', { label })}>
      {([false, true] as const).map((each) => (
        <button
          key={String(each)}
          type="button"
          aria-pressed={each === isExpression}
          onClick={() => onTurn(each)}
        >
          {t(each ? 'canvas.expression' : 'canvas.value')}
        </button>
      ))}
    </fieldset>
  );
}

interface PlainProps {
  readonly label: string;
  readonly pointer: string;
  readonly schema?: JsonSchema | undefined;
  readonly aside: React.ReactNode;
}

/** A value as its schema wants it: a choice, yes or no, a number, a text with placeholders, else JSON. */
function PlainValue({ label, pointer, schema, aside }: PlainProps) {
  const { t } = useTranslation();
  const { value, type, choose } = useSetting(pointer);
  const choices = choicesOf(schema);
  const isUnset = value === undefined;
  if (choices && (isUnset || choices.includes(value)))
    return (
      <Choice
        label={label}
        aside={aside}
        value={isUnset ? undefined : JSON.stringify(value)}
        options={choices.map((each) => [JSON.stringify(each), choiceText(each, t)])}
        empty={t('inspector.notSet')}
        onChange={(text) => choose(text === undefined ? undefined : (JSON.parse(text) as Json))}
      />
    );
  const wanted = typeOfSchema(schema);
  if ((wanted === 'number' || wanted === 'integer') && (isUnset || typeof value === 'number'))
    return <NumberField label={label} aside={aside} value={value} is="any" onChange={type} />;
  if (wanted === 'string' && (isUnset || typeof value === 'string'))
    return <CodeSetting {...{ label, pointer, aside }} language="template" />;
  return <JsonSetting {...{ label, pointer, aside }} />;
}

const choicesOf = (schema: JsonSchema | undefined): readonly Json[] | undefined => {
  if (typeof schema !== 'object') return undefined;
  if (Array.isArray(schema.enum)) return schema.enum as readonly Json[];
  return schema.type === 'boolean' ? [true, false] : undefined;
};

const choiceText = (value: Json, t: (key: 'inspector.yes' | 'inspector.no') => string): string => {
  if (typeof value === 'boolean') return t(value ? 'inspector.yes' : 'inspector.no');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Any value, as text or JSON. What is being typed stays as it is typed, as long as it says what the document says. */
export function JsonSetting({
  label,
  pointer,
  aside,
  lines = 1,
}: {
  readonly label: string;
  readonly pointer: string;
  readonly aside?: React.ReactNode;
  readonly lines?: number;
}) {
  const { value, type } = useSetting(pointer);
  const written = textOf(value);
  const [text, setText] = useState(written);
  const isCurrent = JSON.stringify(readText(text)) === JSON.stringify(value);
  const [language] = useState<CodeLanguage>(typeof value === 'string' ? 'template' : 'json');
  return (
    <CodeSetting
      {...{ label, pointer, aside, lines, language }}
      text={isCurrent ? text : written}
      write={(typed) => {
        setText(typed);
        type(readText(typed));
      }}
    />
  );
}
