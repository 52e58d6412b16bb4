import type { Json, JsonObject, JsonSchema } from '@pawl/dag-core';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditingStore } from '../../../canvas/editing.ts';
import { CodeField } from '../../../code/code-field.tsx';
import { freeId } from '../../../editor/index.ts';
import {
  hasRows,
  ROW_TYPES,
  type RowType,
  rowsOf,
  type SchemaRow,
  withNewRow,
  withoutRow,
  withRow,
  withRowMoved,
} from '../../../inspecting/schema-rows.ts';
import { AddButton } from '../fields.tsx';
import css from '../inspector.module.css';
import own from './schema-builder.module.css';

/** A JSON Schema of an object, row by row, or as the JSON that it is. */
export function SchemaBuilder({
  label,
  schema,
  onChange,
  onType,
}: {
  readonly label: string;
  readonly schema: JsonSchema | undefined;
  readonly onChange: (schema: Json | undefined) => void;
  /** What is typed one after the other. */
  readonly onType: (schema: Json | undefined) => void;
}) {
  const { t } = useTranslation();
  const fits = hasRows(schema);
  const [wantsJson, setWantsJson] = useState(false);
  const isJson = wantsJson || !fits;
  const aside = (
    <fieldset className={css.switch} aria-label={t('inspector.schema.view', { label })}>
      {([false, true] as const).map((each) => (
        <button
          key={String(each)}
          type="button"
          aria-pressed={each === isJson}
          disabled={!each && !fits}
          title={!each && !fits ? t('inspector.schema.onlyJson') : undefined}
          onClick={() => setWantsJson(each)}
        >
          {t(each ? 'inspector.schema.json' : 'inspector.schema.rows')}
        </button>
      ))}
    </fieldset>
  );
  if (isJson) return <JsonView {...{ label, schema, aside, onType }} />;
  const rows = rowsOf(schema);
  const names = new Set(rows.map(({ name }) => name));
  return (
    <fieldset className={css.group}>
      <legend className={own.legend}>
        <span className={css.label}>{label}</span>
        {aside}
      </legend>
      {rows.map((row, at) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: a property may be renamed while it is written.
          key={at}
          {...{ row, names }}
          isFirst={at === 0}
          isLast={at === rows.length - 1}
          onType={(change) => onType(withRow(schema, row.name, change))}
          onChoose={(change) => onChange(withRow(schema, row.name, change))}
          onMove={(by) => onChange(withRowMoved(schema, row.name, by))}
          onRemove={() => onChange(rows.length === 1 ? undefined : withoutRow(schema, row.name))}
        />
      ))}
      {rows.length === 0 && <p className={css.about}>{t('inspector.schema.none')}</p>}
      <AddButton
        words={t('inspector.schema.add')}
        onClick={() => onChange(withNewRow(schema, freeId('field', names)))}
      />
    </fieldset>
  );
}

function Row({
  row,
  names,
  isFirst,
  isLast,
  onType,
  onChoose,
  onMove,
  onRemove,
}: {
  readonly row: SchemaRow;
  readonly names: ReadonlySet<string>;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onType: (change: Partial<SchemaRow>) => void;
  readonly onChoose: (change: Partial<SchemaRow>) => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
}) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const id = useId();
  const pause = () => editing.getState().pause();
  const { name } = row;
  return (
    <div className={css.card} role="group" aria-label={t('inspector.schema.row', { name })}>
      <div className={own.first}>
        <NameField {...{ name, names }} onRename={(to) => onChoose({ name: to })} />
        <select
          aria-label={t('inspector.schema.type')}
          value={row.type ?? ''}
          onChange={({ target }) => onChoose({ type: target.value as RowType })}
        >
          {row.type === undefined && <option value="">{t('inspector.schema.otherType')}</option>}
          {ROW_TYPES.map((type) => (
            <option key={type} value={type}>
              {t(`inspector.types.${type}`)}
            </option>
          ))}
        </select>
        <span className={css.tools}>
          <button
            type="button"
            aria-label={t('inspector.schema.up', { name })}
            disabled={isFirst}
            onClick={() => onMove(-1)}
          >
            <ArrowUp size={14} aria-hidden="true" />
          </button>
          <button
            type="button"
            aria-label={t('inspector.schema.down', { name })}
            disabled={isLast}
            onClick={() => onMove(1)}
          >
            <ArrowDown size={14} aria-hidden="true" />
          </button>
          <button type="button" aria-label={t('canvas.remove', { name })} onClick={onRemove}>
            <X size={14} aria-hidden="true" />
          </button>
        </span>
      </div>
      {row.type === 'choice' && (
        <input
          aria-label={t('inspector.schema.choices')}
          placeholder={t('inspector.schema.choices')}
          defaultValue={row.choices.join(', ')}
          onChange={({ target }) =>
            onType({ choices: target.value.split(',').flatMap((each) => each.trim() || []) })
          }
          onBlur={pause}
        />
      )}
      <input
        aria-label={t('inspector.schema.description')}
        placeholder={t('inspector.schema.description')}
        value={row.description}
        onChange={({ target }) => onType({ description: target.value })}
        onBlur={pause}
      />
      <label htmlFor={id} className={own.check}>
        <input
          id={id}
          type="checkbox"
          checked={row.isRequired}
          onChange={({ target }) => onChoose({ isRequired: target.checked })}
        />
        {t('inspector.schema.required')}
      </label>
    </div>
  );
}

/** The name of a property; one that is taken or empty is not taken over. */
function NameField({
  name,
  names,
  onRename,
}: {
  readonly name: string;
  readonly names: ReadonlySet<string>;
  readonly onRename: (to: string) => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState<string>();
  const wish = text?.trim() ?? name;
  const isTaken = wish !== name && (wish === '' || names.has(wish));
  const done = () => {
    if (!isTaken && wish !== name) onRename(wish);
    setText(undefined);
  };
  return (
    <input
      className={css.code}
      aria-label={t('inspector.schema.name')}
      aria-invalid={isTaken || undefined}
      value={text ?? name}
      onChange={({ target }) => setText(target.value)}
      onBlur={done}
      onKeyDown={({ key }) => key === 'Enter' && done()}
    />
  );
}

/** The schema as text; while it is no JSON it stays here, and the flow keeps what it has. */
function JsonView({
  label,
  schema,
  aside,
  onType,
}: {
  readonly label: string;
  readonly schema: JsonSchema | undefined;
  readonly aside: React.ReactNode;
  readonly onType: (schema: Json | undefined) => void;
}) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const written = schema === undefined ? '' : JSON.stringify(schema, null, 2);
  const [text, setText] = useState(written);
  const read = parsed(text);
  const isBroken = read === BROKEN;
  const isCurrent = isBroken || JSON.stringify(read) === JSON.stringify(schema);
  return (
    <div>
      <CodeField
        {...{ label, aside }}
        language="json"
        lines={6}
        value={isCurrent ? text : written}
        onChange={(typed) => {
          setText(typed);
          const next = parsed(typed);
          if (next !== BROKEN) onType(next as JsonObject | undefined);
        }}
        onPause={() => editing.getState().pause()}
        onUndo={() => editing.getState().undo()}
        onRedo={() => editing.getState().redo()}
      />
      {isBroken && <p className={css.error}>{t('forms.issue.json')}</p>}
    </div>
  );
}

const BROKEN = Symbol('broken');

function parsed(text: string): Json | undefined | typeof BROKEN {
  if (text.trim() === '') return undefined;
  try {
    const read = JSON.parse(text) as Json;
    return typeof read === 'boolean' || (typeof read === 'object' && read !== null && !Array.isArray(read))
      ? read
      : BROKEN;
  } catch {
    return BROKEN;
  }
}
