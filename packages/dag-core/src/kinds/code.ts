import type { CodeNode } from '../graph/document.ts';
import { DEFAULT_RETRY } from '../state/retry.ts';
import { type Kind, NORMAL_PORT } from './kind.ts';

/** JavaScript in a sandbox without clock, network and randomness of its own (K9). */
export const code: Kind<CodeNode> = {
  name: 'code',
  dispatches: true,
  defaultRetry: DEFAULT_RETRY,
  fields: {
    required: ['source'],
    properties: {
      source: {
        type: 'string',
        minLength: 1,
        maxLength: 1_000_000,
        description: 'the text of a JavaScript module',
      },
      memoryMb: { type: 'integer', minimum: 1, maximum: 1_024 },
    },
  },
  effect: () => 'pure',
  ports: () => [NORMAL_PORT],
  templates: () => [],
};
