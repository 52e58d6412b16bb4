import type { SwitchNode } from '../graph/document.ts';
import { DEFAULT_RETRY } from '../state/retry.ts';
import { DEFAULT_PORT, type Kind } from './kind.ts';

/** Takes the port of the first case that holds, or of all that hold; else `default` (K7). */
export const switchKind: Kind<SwitchNode> = {
  name: 'switch',
  dispatches: false,
  defaultRetry: DEFAULT_RETRY,
  fields: {
    required: ['cases'],
    properties: {
      cases: {
        type: 'array',
        minItems: 1,
        maxItems: 1_000,
        items: {
          type: 'object',
          required: ['port', 'when'],
          additionalProperties: false,
          properties: {
            port: {
              type: 'string',
              pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
              description: 'a port name: a letter, then letters, digits, _ or -, at most 64',
            },
            when: { type: 'string', description: 'an expression' },
          },
        },
      },
      mode: { enum: ['first', 'all'] },
    },
  },
  effect: () => 'pure',
  ports: ({ cases }) => [...new Set([...cases.map((each) => each.port), DEFAULT_PORT])],
  templates: ({ cases }) =>
    cases.map((each, at) => ({ pointer: `/cases/${at}/when`, template: each.when, as: 'expression' })),
};
