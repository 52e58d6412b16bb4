// Would catch: a provider that no worker can call and that is shown as if one could; a price that is rounded away.
import type { ModelInfo, WorkState } from '@pawl/api';
import { expect, test } from 'vitest';
import { providersOf, usd } from '../../../src/settings/providers.ts';

const model = (id: string): ModelInfo => ({ id, provider: id.split(':')[0]! });
const worker = (...providers: string[]) =>
  ({ offers: { tools: [], providers } }) as unknown as WorkState['workers'][number];
const silent = {} as WorkState['workers'][number];

test('providers are counted by the workers that can call them now, the simulator last', () => {
  const found = providersOf(
    [model('sim:writer'), model('openai:gpt-5'), model('house:one')],
    [worker('sim', 'house'), worker('sim'), silent],
  );
  expect(found.map(({ provider, workers, models }) => [provider, workers, models.length])).toEqual([
    ['compatible', 0, 0],
    ['house', 1, 1],
    ['openai', 0, 1],
    ['sim', 2, 1],
  ]);
});

test.each([
  [0, '$0.00'],
  [0.1, '$0.10'],
  [1.25, '$1.25'],
  [0.075, '$0.075'],
  [15, '$15.00'],
])('%d is %s', (price, text) => {
  expect(usd(price)).toBe(text);
});

test('a key that workspaces can set counts only where a live worker opens it', () => {
  const opening = {
    offers: { tools: [], providers: ['sim'], opensCredentials: true },
  } as unknown as typeof silent;
  const of = (workers: (typeof silent)[]) =>
    providersOf([], workers).find(({ provider }) => provider === 'openai')!.credential;
  expect([of([worker('sim')]), of([opening])]).toEqual([undefined, 'OPENAI_API_KEY']);
});
