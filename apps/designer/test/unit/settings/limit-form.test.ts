// Would catch: a limit that is set otherwise than it was typed, or that limits nothing.
import { expect, test } from 'vitest';
import { fieldsOf, limitOf, NEW_LIMIT } from '../../../src/settings/limit-form.ts';

const fields = { ...NEW_LIMIT, target: 'openai:*' };

test.each([
  [{ target: 'openai:*', requests: 500, tokens: 200_000, windowMs: 60_000 }],
  [{ target: 'crm.find@*', requests: 10, windowMs: 1_500 }],
  [{ target: 'crm.find@2', concurrency: 4, requests: 1, windowMs: 7_200_000 }],
])('%j comes out of its fields as it went in', (limit) => {
  expect(limitOf(fieldsOf(limit))).toEqual({ limit });
});

test('calls at once have no window', () => {
  expect(limitOf({ ...fields, concurrency: '4' })).toEqual({ limit: { target: 'openai:*', concurrency: 4 } });
});

test.each([
  [{ target: 'openai', requests: '1' }, ['target']],
  [{ requests: '0' }, ['requests']],
  [{ tokens: '1.5', concurrency: 'many' }, ['concurrency', 'tokens']],
  [{ requests: '5', window: '25', unit: 'hour' as const }, ['window']],
  [{ requests: '5', window: '' }, ['window']],
  [{}, ['nothing']],
])('%j is wrong in %j', (changed, wrong) => {
  const found = limitOf({ ...fields, ...changed });
  expect('problems' in found && found.problems.map(({ field }) => field)).toEqual(wrong);
});
