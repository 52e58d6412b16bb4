import type { JsonSchema } from '@pawl/dag-core';
import type { TFunction } from 'i18next';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldsOf, type SchemaField, typesOf, type ValueType } from '../../tools/schema-fields.ts';
import { JsonView } from '../../ui/json-view.tsx';
import css from './tool-screen.module.css';

/** A schema as a table of what it names, beside it the JSON that it is. */
export function SchemaPart({
  title,
  schema,
}: {
  readonly title: string;
  readonly schema: JsonSchema | undefined;
}) {
  const { t } = useTranslation();
  const id = useId();
  const fields = fieldsOf(schema);
  return (
    <section className={css.part} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {schema === undefined ? (
        <p className={css.note}>{t('tools.saysNothing')}</p>
      ) : (
        <div className={css.sides}>
          {fields.length > 0 ? (
            <FieldTable title={title} fields={fields} />
          ) : (
            <p className={css.note}>{t('tools.whole', { type: typeWords(typesOf(schema), t) })}</p>
          )}
          <JsonView value={schema} label={t('tools.schemaOf', { what: title })} />
        </div>
      )}
    </section>
  );
}

function FieldTable({ title, fields }: { readonly title: string; readonly fields: readonly SchemaField[] }) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
    <div className={css.frame} tabIndex={0} role="group" aria-label={title}>
      <table className={css.fields} aria-label={title}>
        <thead>
          <tr>
            {(['name', 'type', 'required', 'description'] as const).map((column) => (
              <th key={column} scope="col">
                {t(`tools.columnsOfFields.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fields.map(({ path, types, isRequired, description, default: usual }) => (
            <tr key={path}>
              <th scope="row">
                <code>{path}</code>
              </th>
              <td>{typeWords(types, t)}</td>
              <td className={isRequired ? undefined : css.optional}>
                {isRequired ? t('tools.required') : t('tools.optional')}
              </td>
              <td>
                {description}
                {usual !== undefined && <small>{t('tools.usually', { value: JSON.stringify(usual) })}</small>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `text or list of whole number`, `"utf8" or "base64"`. */
function typeWords(types: readonly ValueType[], t: TFunction): string {
  if (types.length === 0) return t('tools.anything');
  return types
    .map((type) => {
      if (type.is === 'choice') return type.values.map((value) => JSON.stringify(value)).join(t('tools.or'));
      if (type.is !== 'array') return t(`inspector.types.${type.is}`);
      return type.of.length === 0
        ? t('inspector.types.array')
        : t('tools.listOf', { items: typeWords(type.of, t) });
    })
    .join(t('tools.or'));
}
