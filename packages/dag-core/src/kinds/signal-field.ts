import type { SignalName } from '../graph/document.ts';
import type { JsonObject } from '../json.ts';
import type { TemplateField } from './kind.ts';

/** JSON Schema of what a signal is called (K21). */
export const signalField: JsonObject = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: {
      type: 'string',
      pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,99}$',
      description: 'the name of a signal: a letter, then letters, digits, _, . or -, at most 100',
    },
    key: { type: 'string', description: 'text that may hold {{ expressions }}' },
  },
};

/** The templates in what a signal is called. */
export const signalTemplates = (signal: SignalName | undefined): TemplateField[] =>
  signal?.key === undefined ? [] : [{ pointer: '/signal/key', template: signal.key, as: 'text' }];
