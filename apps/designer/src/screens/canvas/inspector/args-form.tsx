import type { Json, JsonObject, JsonSchema } from '@pawl/dag-core';
import { pointerTo } from '@pawl/dag-core';
import { useTranslation } from 'react-i18next';
import { isObject } from '../../../inspecting/members.ts';
import css from '../inspector.module.css';
import { useSetting } from './inspecting.ts';
import { OtherMembers } from './other-members.tsx';
import { SettingProblems } from './setting-problems.tsx';
import { ValueSetting } from './value-setting.tsx';

/** How deep objects in arguments are opened; deeper ones are JSON. */
const DEPTH = 2;

/**
 * The members of an object, one field each where its schema names them, each a value or an expression; else the whole in one.
 * What is wrong is said beside each.
 */
export function ArgsForm({
  label,
  pointer,
  schema,
  depth = 0,
  leaveOut = [],
  isPartial = false,
}: {
  readonly label: string;
  readonly pointer: string;
  readonly schema: JsonSchema | undefined;
  readonly depth?: number;
  /** Members that are written elsewhere. */
  readonly leaveOut?: readonly string[];
  /** Somebody else gives what is not set here, so none of them is more needed than another. */
  readonly isPartial?: boolean;
}) {
  const { t } = useTranslation();
  const { value } = useSetting(pointer);
  const properties = propertiesOf(schema);
  const isWhole = !properties || (value !== undefined && !isObject(value));
  if (isWhole)
    return (
      <div>
        <ValueSetting {...{ label, pointer, schema }} />
        <SettingProblems pointer={pointer} />
      </div>
    );
  const required = requiredOf(schema);
  const given = Object.keys((value as JsonObject | undefined) ?? {});
  const unknown = given.filter((name) => !Object.hasOwn(properties, name) && !leaveOut.includes(name));
  return (
    <fieldset className={depth === 0 ? css.group : css.nested}>
      <legend>{label}</legend>
      {Object.entries(properties).map(([name, property]) => {
        const place = pointerTo(pointer, name);
        const named = (isObject(property) && (property.title as string | undefined)) || name;
        const words = isPartial || required.includes(name) ? named : `${named} · ${t('canvas.optional')}`;
        const about = isObject(property) ? property.description : undefined;
        const inner = depth < DEPTH && hasMembers(property as JsonSchema);
        return (
          <div key={name}>
            {inner ? (
              <ArgsForm
                label={words}
                pointer={place}
                schema={property as JsonSchema}
                depth={depth + 1}
                isPartial={isPartial}
              />
            ) : (
              <ValueSetting label={words} pointer={place} schema={property as JsonSchema} />
            )}
            {typeof about === 'string' && <p className={css.about}>{about}</p>}
            {!inner && <SettingProblems pointer={place} />}
          </div>
        );
      })}
      <OtherMembers pointer={pointer} names={unknown} />
      <SettingProblems pointer={pointer} isExact />
    </fieldset>
  );
}

const propertiesOf = (schema: JsonSchema | undefined): Readonly<Record<string, Json>> | undefined =>
  isObject(schema) && isObject(schema.properties) && Object.keys(schema.properties).length > 0
    ? schema.properties
    : undefined;

const requiredOf = (schema: JsonSchema | undefined): readonly Json[] =>
  isObject(schema) && Array.isArray(schema.required) ? schema.required : [];

/** An object of which one member after the other can be asked for. */
const hasMembers = (schema: JsonSchema): boolean =>
  isObject(schema) && schema.type === 'object' && propertiesOf(schema) !== undefined;
