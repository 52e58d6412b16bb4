// Catches: a secret that became known while the process runs, and is in the log.
import { expect, test } from 'vitest';
import { HiddenValues } from '../../src/logs/hidden-values.ts';

test('V13: values are hidden from the moment they are known, beside those that were known before', () => {
  const hidden = new HiddenValues(['from-start']);
  expect(hidden.scrub('from-start and later-on')).toBe('[secret] and later-on');
  hidden.add('later-on');
  hidden.add('later-on');
  hidden.add('from-start');
  expect(hidden.scrub('from-start and later-on')).toBe('[secret] and [secret]');
});

test('a process that learns many forgets the oldest, never what it was started with', () => {
  const hidden = new HiddenValues(['from-start']);
  for (let n = 0; n <= 1_000; n++) hidden.add(`value-${n}-`);
  expect(hidden.scrub('from-start value-0- value-1- value-1000-')).toBe(
    '[secret] value-0- [secret] [secret]',
  );
});
