// Would catch: checks of a large flow that stand in line behind one another while a person goes on editing, or a last edit unchecked.
import { expect, it } from 'vitest';
import { OneAtATime } from '../../../src/canvas/one-at-a-time.ts';

it('when questions come while one is asked, only the newest is asked next', () => {
  const asked: number[] = [];
  const line = new OneAtATime<{ readonly number: number }>(({ number }) => asked.push(number));
  for (const number of [1, 2, 3]) line.put({ number });
  expect(asked).toEqual([1]);
  line.answered();
  expect(asked).toEqual([1, 3]);
  line.answered();
  line.put({ number: 4 });
  expect(asked).toEqual([1, 3, 4]);
});
