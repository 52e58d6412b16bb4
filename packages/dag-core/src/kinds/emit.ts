import type { EmitNode } from '../graph/document.ts';
import { DEFAULT_RETRY } from '../state/retry.ts';
import { type Kind, NORMAL_PORT, type TemplateField } from './kind.ts';
import { signalField, signalTemplates } from './signal-field.ts';

/** Sends a signal (K21): an idempotent effect with an intent, the same signal on every attempt. */
export const emit: Kind<EmitNode> = {
  name: 'emit',
  dispatches: true,
  defaultRetry: DEFAULT_RETRY,
  fields: {
    required: ['signal'],
    properties: {
      signal: signalField,
      payload: { description: 'a template of what the signal carries' },
      to: { type: 'string', description: 'the id of a run, or an expression that gives one' },
    },
  },
  effect: () => 'idempotent',
  ports: () => [NORMAL_PORT],
  templates: ({ signal, payload, to }): TemplateField[] => [
    ...signalTemplates(signal),
    ...(payload === undefined ? [] : [{ pointer: '/payload', template: payload, as: 'value' as const }]),
    ...(to === undefined ? [] : [{ pointer: '/to', template: to, as: 'text' as const }]),
  ],
};
