// How values of the server become JSON. Nothing is rounded: what a number cannot hold exactly stays text, or is refused.
import { parseJson } from '@pawl/dag-core';
import { type Json, PermanentError } from '@pawl/tool-sdk';
import type pg from 'pg';
import { parse as parseArray } from 'postgres-array';

/** Object ids of built-in types (`pg_type`); they never change. */
const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const OID = 26;
const JSON_TYPE = 114;
const FLOAT4 = 700;
const FLOAT8 = 701;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;
const NUMERIC = 1700;
const JSONB = 3802;

/** Lists by the type of their members. Lists of types that are not here stay text. */
const MEMBER_OF: Readonly<Record<number, number>> = {
  1000: BOOL,
  1001: BYTEA,
  1005: INT2,
  1007: INT4,
  1016: INT8,
  1021: FLOAT4,
  1022: FLOAT8,
  1028: OID,
  1115: TIMESTAMP,
  1185: TIMESTAMPTZ,
  1231: NUMERIC,
  199: JSON_TYPE,
  3807: JSONB,
  // Members that are text as they are: text, varchar, bpchar, name, uuid, date, time, interval, inet, cidr.
  1009: 25,
  1015: 25,
  1014: 25,
  1003: 25,
  2951: 25,
  1182: 25,
  1183: 25,
  1187: 25,
  1041: 25,
  651: 25,
};

/** How a column is read. */
export interface Column {
  readonly name: string;
  readonly typeId: number;
}

/** Makes the driver hand over what the server wrote, to be measured first and read afterwards. */
export const AS_TEXT = { getTypeParser: () => (text: unknown) => text } as unknown as pg.CustomTypesConfig;

/** What to do with integers beyond ±(2^53−1). */
export type BigIntegers = 'refuse' | 'strings';

/** A row as an object; throws as {@link readValue} does. */
export const rowOf = (
  row: readonly (string | null)[],
  columns: readonly Column[],
  bigIntegers: BigIntegers,
): Json =>
  Object.fromEntries(columns.map((column, at) => [column.name, readValue(row[at]!, column, bigIntegers)]));

/**
 * A value of the server as JSON: numbers where they are exact, instants as RFC 3339, bytes as base64, json as it is, lists as
 * lists, everything else as the server writes it.
 *
 * @throws {PermanentError} `unsafe_integer`, naming the column
 */
function readValue(text: string | null, { name, typeId }: Column, bigIntegers: BigIntegers): Json {
  if (text === null) return null;
  const member = MEMBER_OF[typeId];
  if (member !== undefined)
    return parseArray(text, (each) => readValue(each, { name, typeId: member }, bigIntegers)) as Json;
  switch (typeId) {
    case BOOL:
      return text === 't';
    case INT2:
    case INT4:
    case OID:
      return Number(text);
    case INT8:
      return integer(text, name, bigIntegers);
    case FLOAT4:
    case FLOAT8:
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case NUMERIC:
      return isExact(text) ? Number(text) : text;
    case JSON_TYPE:
    case JSONB:
      return json(text, name, bigIntegers);
    case BYTEA:
      return Buffer.from(text.slice(2), 'hex').toString('base64');
    case TIMESTAMP:
      return text.replace(/^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)$/, '$1T$2');
    case TIMESTAMPTZ:
      return text.replace(/^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)\+00$/, '$1T$2Z');
    default:
      return text;
  }
}

function integer(text: string, name: string, bigIntegers: BigIntegers): Json {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  if (bigIntegers === 'strings') return text;
  throw new PermanentError({
    code: 'unsafe_integer',
    message: `Column ${JSON.stringify(name)} has an integer beyond ±9007199254740991, which would be rounded. Set bigIntegers to "strings", or select it as text.`,
  });
}

/** Up to 15 significant digits every decimal is one double and comes back the same. */
const isExact = (text: string): boolean =>
  /^-?\d+(\.\d+)?$/.test(text) && text.replace(/^-?0*|\./g, '').replace(/^0+/, '').length <= 15;

function json(text: string, name: string, bigIntegers: BigIntegers): Json {
  const parsed = parseJson(text, { bigIntegers });
  if (!parsed.issues) return parsed.value;
  const { code, pointer } = parsed.issues[0]!;
  throw new PermanentError({
    code,
    message: `The JSON in column ${JSON.stringify(name)} cannot be taken over as it is (${code} at ${pointer || 'the top'}).`,
  });
}
