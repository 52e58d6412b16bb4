import type { Json } from '@pawl/dag-core';
import {
  type ArrayFieldItemTemplateProps,
  type ArrayFieldTemplateProps,
  ariaDescribedByIds,
  errorId,
  type FieldErrorProps,
  type FieldProps,
  type FieldTemplateProps,
  type ObjectFieldTemplateProps,
} from '@rjsf/utils';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { JsonField } from './json-field.tsx';
import css from './schema-form.module.css';

// How forms look: what @rjsf/core draws, in the parts of this application.

function FieldTemplate(props: FieldTemplateProps) {
  const { id, label, rawDescription, children, errors, hidden, required, displayLabel, schema, uiSchema } =
    props;
  if (hidden) return <div hidden>{children}</div>;
  const isJson = uiSchema?.['ui:field'] === 'json';
  // A choice of yes or no says its name behind the box.
  const isNamed = (displayLabel || isJson) && schema.type !== 'boolean' && label !== '';
  return (
    <div className={css.field} data-invalid={(props.rawErrors?.length ?? 0) > 0 || undefined}>
      {isNamed && (
        <label htmlFor={id}>
          {label}
          {required && <span aria-hidden="true"> *</span>}
        </label>
      )}
      {children}
      {(displayLabel || isJson) && schema.type !== 'boolean' && rawDescription && (
        <p id={`${id}__description`} className={css.hint}>
          {rawDescription}
        </p>
      )}
      {errors}
    </div>
  );
}

function FieldErrorTemplate({ errors = [], fieldPathId }: FieldErrorProps) {
  if (errors.length === 0) return null;
  return (
    <ul id={errorId(fieldPathId)} className={css.errors}>
      {errors.map((error) => (
        <li key={String(error)}>{error}</li>
      ))}
    </ul>
  );
}

function ObjectFieldTemplate({ title, description, properties, fieldPathId }: ObjectFieldTemplateProps) {
  const isRoot = fieldPathId.path.length === 0;
  return (
    <fieldset id={fieldPathId.$id} className={isRoot ? css.root : css.group}>
      {!isRoot && title && <legend>{title}</legend>}
      {description && <p className={css.hint}>{description}</p>}
      {properties.map(({ content }) => content)}
    </fieldset>
  );
}

function ArrayFieldTemplate({
  title,
  schema,
  items,
  canAdd,
  onAddClick,
  fieldPathId,
  required,
}: ArrayFieldTemplateProps) {
  const { t } = useTranslation();
  return (
    <fieldset id={fieldPathId.$id} className={css.group}>
      <legend>
        {title}
        {required && <span aria-hidden="true"> *</span>}
      </legend>
      {schema.description && <p className={css.hint}>{schema.description}</p>}
      {items}
      {canAdd && (
        <Button onClick={onAddClick} aria-label={t('forms.addTo', { name: title })}>
          <Plus size={14} aria-hidden="true" />
          {t('forms.add')}
        </Button>
      )}
    </fieldset>
  );
}

function ArrayFieldItemTemplate({ children, buttonsProps, index }: ArrayFieldItemTemplateProps) {
  const { t } = useTranslation();
  const { hasMoveUp, hasMoveDown, hasRemove, onMoveUpItem, onMoveDownItem, onRemoveItem } = buttonsProps;
  const place = { place: index + 1 };
  return (
    <div className={css.item}>
      <div>{children}</div>
      {hasMoveUp && (
        <Button
          look="quiet"
          aria-label={t('forms.moveUp', place)}
          disabled={index === 0}
          onClick={onMoveUpItem}
        >
          <ArrowUp size={14} aria-hidden="true" />
        </Button>
      )}
      {hasMoveDown && (
        <Button look="quiet" aria-label={t('forms.moveDown', place)} onClick={onMoveDownItem}>
          <ArrowDown size={14} aria-hidden="true" />
        </Button>
      )}
      {hasRemove && (
        <Button look="quiet" aria-label={t('forms.remove', place)} onClick={onRemoveItem}>
          <Trash2 size={14} aria-hidden="true" />
        </Button>
      )}
    </div>
  );
}

function JsonPlace({ fieldPathId, formData, onChange }: FieldProps) {
  return (
    <JsonField
      id={fieldPathId.$id}
      describedBy={ariaDescribedByIds(fieldPathId)}
      value={formData as Json}
      onChange={(value) => onChange(value, fieldPathId.path)}
    />
  );
}

export const templates = {
  FieldTemplate,
  FieldErrorTemplate,
  ObjectFieldTemplate,
  ArrayFieldTemplate,
  ArrayFieldItemTemplate,
};
export const fields = { json: JsonPlace };
