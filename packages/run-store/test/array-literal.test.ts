// Would catch: a value that PostgreSQL reads from an array literal otherwise than it was, or not at all.
import * as fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { jsonArray, plainArray, textArray } from '../src/sql/array-literal.ts';
import { openTestPool } from './support/seed.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openTestPool(database.url);
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', ''));
const hard = fc.constantFrom('', 'NULL', '"', '\\', '\\"', '{a,b}', ' a ', '\n\t', '\u2028', 'null');

test('text arrives as it was, NULL where there is none', async () => {
  const values = fc.array(fc.oneof(text, hard, fc.constantFrom(null, undefined)), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(values, async (wanted) => {
      const { rows } = await pool.query('select $1::text[] as found', [textArray(wanted)]);
      expect(rows[0].found).toEqual(wanted.map((value) => value ?? null));
    }),
  );
});

test('JSON arrives as it was; null is the JSON null, and NULL where there is nothing', async () => {
  const strange = fc.constantFrom('\u0000', '\ud800', '\u007f', '\r\n', 'a"b\\c');
  const json = fc.oneof(fc.jsonValue(), strange, fc.record({ a: strange }), fc.constant(null));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(json, { nil: undefined }), { maxLength: 20 }), async (wanted) => {
      const { rows } = await pool.query('select x::text as found from unnest($1::json[]) as x', [
        jsonArray(wanted),
      ]);
      expect(rows.map((row) => row.found)).toEqual(
        wanted.map((value) => (value === undefined ? null : JSON.stringify(value))),
      );
    }),
  );
});

test('numbers and truth values arrive as they were', async () => {
  const { rows } = await pool.query('select $1::float8[] as numbers, $2::boolean[] as truths', [
    plainArray([1, -2.5, null, undefined, 1e21]),
    plainArray([true, null, false]),
  ]);
  expect(rows).toEqual([{ numbers: [1, -2.5, null, null, 1e21], truths: [true, null, false] }]);
});
