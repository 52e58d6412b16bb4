import type { WaitNode } from '../graph/document.ts';
import { DEFAULT_RETRY } from '../state/retry.ts';
import { type Kind, NORMAL_PORT, type TemplateField, TIMEOUT_PORT } from './kind.ts';
import { signalField, signalTemplates } from './signal-field.ts';

/** Waits for a time, until an instant, or for a signal, without holding a worker (K14). */
export const wait: Kind<WaitNode> = {
  name: 'wait',
  dispatches: false,
  defaultRetry: DEFAULT_RETRY,
  fields: {
    required: [],
    properties: {
      signal: signalField,
      deadline: {
        type: ['string', 'number'],
        description: 'a duration, an instant, or an expression that gives one',
      },
      onDeadline: { enum: ['fail', 'continue'] },
      for: {
        type: ['string', 'number'],
        description:
          'a duration: milliseconds or ISO 8601, for instance PT15M; or an expression that gives one',
      },
      until: {
        type: ['string', 'number'],
        description:
          'an instant: ISO 8601 with its offset or epoch milliseconds; or an expression that gives one',
      },
    },
  },
  effect: () => 'pure',
  ports: ({ onDeadline }) => (onDeadline === 'continue' ? [NORMAL_PORT, TIMEOUT_PORT] : [NORMAL_PORT]),
  templates: (config): TemplateField[] => [
    ...signalTemplates(config.signal),
    ...(['for', 'until', 'deadline'] as const).flatMap((name) => {
      const template = config[name];
      return template === undefined ? [] : [{ pointer: `/${name}`, template, as: 'value' as const }];
    }),
  ],
};
