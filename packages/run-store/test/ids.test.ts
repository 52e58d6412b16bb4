// Catches: ids of one process that repeat or run backwards, which would break lists, cursors and partitions.
import { expect, test } from 'vitest';
import { firstIdAt, instantOfId, isId, newId, newRunId } from '../src/index.ts';

test('100,000 ids in a row are distinct UUIDv7 in rising order', () => {
  let previous = '';
  for (let count = 0; count < 100_000; count += 1) {
    const id = newRunId();
    if (!(id > previous)) throw new Error(`${id} does not follow ${previous}`);
    previous = id;
  }
  expect(previous).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('an id asked for an instant carries exactly that, also out of order, and the same instant twice rises', () => {
  const ms = Date.UTC(2031, 4, 5);
  expect(instantOfId(newId(ms))).toBe(ms);
  expect(instantOfId(newId(ms - 1_000))).toBe(ms - 1_000);
  const [first, second] = [newId(ms), newId(ms)];
  expect(second > first).toBe(true);
  expect(newId() < first).toBe(true);
});

test('the first id of an instant lies between those made before and those made at it', () => {
  const ms = Date.UTC(2026, 10, 1);
  expect(newId(ms - 1) < firstIdAt(ms)).toBe(true);
  expect(firstIdAt(ms) < newId(ms)).toBe(true);
  expect(() => firstIdAt(-1)).toThrow('epoch milliseconds');
  expect(() => firstIdAt(2 ** 48)).toThrow(RangeError);
});

test('only text in the form of a UUID is an id', () => {
  expect(isId(newId())).toBe(true);
  for (const text of ['', 'run_1', `${newId()}\n`, newId().replaceAll('-', ''), "' or 1=1 --"]) {
    expect(isId(text)).toBe(false);
  }
});
