import type { MapNode } from '../graph/document.ts';
import { DEFAULT_RETRY } from '../state/retry.ts';
import { type Kind, NORMAL_PORT, type TemplateField } from './kind.ts';

/** Most items of a map and the limit of `concurrency` (semantics §8). */
export const MAX_MAP_ITEMS = 1_000_000;

/** Runs an inner graph per item of a list; its output keeps the order of the input (K11). */
export const map: Kind<MapNode> = {
  name: 'map',
  dispatches: false,
  // A map is never tried again as a whole; its items' nodes have attempts of their own.
  defaultRetry: { ...DEFAULT_RETRY, maxAttempts: 1 },
  fields: {
    required: ['over', 'body'],
    properties: {
      over: { type: ['string', 'array'], description: 'an expression that gives a list, or a list' },
      body: { $ref: '#/$defs/graph' },
      output: { description: "a template of one item's output" },
      concurrency: { type: 'integer', minimum: 1, maximum: MAX_MAP_ITEMS },
      onItemError: { enum: ['fail', 'collect', 'skip'] },
    },
  },
  effect: () => 'container',
  ports: () => [NORMAL_PORT],
  templates({ over, output }): TemplateField[] {
    const list: TemplateField = { pointer: '/over', template: over, as: 'value', schema: { type: 'array' } };
    return output === undefined
      ? [list]
      : [list, { pointer: '/output', template: output, as: 'value', scope: 'item' }];
  },
};
